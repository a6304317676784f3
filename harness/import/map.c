/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/import/map.h"

/* All roles, "collective, mpi, ...". */
static void list_roles(char *buf, size_t size)
{
    size_t used = 0;
    for (int r = ROLE_NONE + 1; r < N_ROLES && used < size; r++)
        used += (size_t)snprintf(buf + used, size - used, "%s%s", used ? ", " : "",
                                 role_name((enum role)r));
}

/* The role and the value of "ROLE=VALUE". */
static int split(char *item, const char *option, enum role *role, char **value, struct err *err)
{
    char known[400];
    *value = strchr(item, '=');
    if (!*value || !(*value)[1])
        return err_usage(err, "%s: '%s' is not ROLE=VALUE", option, item);
    *(*value)++ = '\0';
    *role = role_find(item);
    if (*role != ROLE_NONE)
        return 0;
    list_roles(known, sizeof known);
    return err_usage(err, "%s: '%s' is not a role (want %s)", option, item, known);
}

static int is_one_of(const char *text, const char *const *known)
{
    for (; *known; known++)
        if (strcmp(*known, text) == 0)
            return 1;
    return 0;
}

static int can_only_be_constant(enum role role, const char *value)
{
    static const char *const mappings[] = { "core", "socket", "node", NULL };
    static const char *const channels[] = { "cache", "core", "socket", "node", NULL };
    static const char *const experiments[] = { "time", "pingpong", "fanout", "fanin", NULL };
    switch (role) {
    case ROLE_MAPPING:
        return is_one_of(value, mappings);
    case ROLE_CHANNEL:
        return is_one_of(value, channels);
    case ROLE_EXPERIMENT:
        return is_one_of(value, experiments);
    case ROLE_NODES:
    case ROLE_PPN:
    case ROLE_PROCS:
    case ROLE_ROOT:
    case ROLE_SEGMENT:
    case ROLE_FANOUT:
        return *value && !value[strspn(value, "0123456789")];
    case ROLE_ALGORITHM:
        return strchr(value, ':') != NULL;
    default:
        return 0;
    }
}

/* 1 where a column has the role already. */
/* The unit behind the last colon of a column, where the role has units. */
static int take_unit(enum role role, char *column, double *scale, struct err *err)
{
    char *unit = strrchr(column, ':');
    const int time = role_is_time(role);
    *scale = 1;
    if (!time && role != ROLE_BYTES && role != ROLE_SEGMENT)
        return 0;
    if (!unit && time)
        return err_usage(err, "--map: %s=%s has no unit (want %s=%s:us, or ns, ms, s)",
                         role_name(role), column, role_name(role), column);
    if (!unit)
        return 0;
    *unit++ = '\0';
    *scale = time ? unit_seconds(unit) : unit_bytes(unit);
    if (*scale > 0)
        return 0;
    return err_usage(err, "--map: '%s' is not a unit of %s (want %s)", unit, role_name(role),
                     time ? "ns, us, ms or s" : "B, KiB, MiB, GiB, kB or MB");
}

int map_parse(char *text, struct import_options *options, struct err *err)
{
    char *item, *value;
    enum role role;
    double scale;
    const char *constant[N_ROLES] = { NULL }; /* of this list: --set may tell what columns lack */
    while ((item = strsep(&text, ","))) {
        if (split(item, "--map", &role, &value, err) < 0)
            return -1;
        if (constant[role] || any_below(i, options->n_map, options->map[i].role == role))
            return err_usage(err, "--map: %s is given twice (again as '%s')", role_name(role),
                             value);
        if (can_only_be_constant(role, value)) {
            options->constants.text[role] = constant[role] = value;
            continue;
        }
        if (take_unit(role, value, &scale, err) < 0)
            return -1;
        if (options->n_map == MAX_MAP)
            return err_usage(err, "--map: more than %d columns", MAX_MAP);
        options->map[options->n_map++] = (struct column){ value, role, scale };
    }
    return 0;
}

int map_set(char *text, struct import_options *options, struct err *err)
{
    char *item, *value;
    enum role role;
    while ((item = strsep(&text, ","))) {
        if (split(item, "--set", &role, &value, err) < 0)
            return -1;
        if (role_is_time(role))
            return err_usage(err, "--set: %s is no constant", role_name(role));
        if (options->constants.text[role])
            return err_usage(err, "--set: %s is given twice ('%s' and '%s')", role_name(role),
                             options->constants.text[role], value);
        options->constants.text[role] = value;
    }
    return 0;
}

int map_where(char *text, struct import_options *options, struct err *err)
{
    char *value = strchr(text, '=');
    if (!value || value == text)
        return err_usage(err, "--where: '%s' is not COLUMN=VALUE", text);
    *value++ = '\0';
    if (options->n_where == MAX_WHERE)
        return err_usage(err, "--where: more than %d conditions", MAX_WHERE);
    options->where[options->n_where++] = (struct where){ text, value };
    return 0;
}
