/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/choice.h"

static const char *after_colon(const char *name)
{
    const char *colon = strchr(name, ':');
    return colon ? colon + 1 : name;
}

static const struct algorithm *find(const char *collective, const char *name)
{
    char ours[CHOICE_NAME + 8];
    const struct algorithm *alg = NULL;
    if (strncmp(name, "mpich:", 6) == 0) {
        snprintf(ours, sizeof ours, "mpich_%s", name + 6);
        alg = algorithm_find(collective, ours);
    }
    return alg ? alg : algorithm_find(collective, after_colon(name));
}

static int is_library(const char *name)
{
    static const char *const libraries[] = { "portable:", "openmpi:", "mpich:" };
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        if (strncmp(name, libraries[i], strlen(libraries[i])) == 0)
            return 1;
    return !strchr(name, ':');
}

int choice_find(struct choice *choice, const char *collective, const char *name, struct err *err)
{
    *choice = (struct choice){ .alg = NULL };
    if (strlen(name) >= sizeof choice->name || !is_library(name))
        return err_usage(err,
                         "'%.60s' is no algorithm (want default, or portable:, openmpi: or "
                         "mpich: and a name)",
                         name);
    snprintf(choice->name, sizeof choice->name, "%s", name);
    if (strcmp(after_colon(name), "default") == 0)
        return 0;
    choice->alg = find(collective, name);
    return choice->alg
               ? 0
               : err_usage(err, "'%s' is no algorithm of %s that has a schedule", name, collective);
}

const char *choice_levels(const struct choice *choice)
{
    return algorithm_levels(after_colon(choice->name));
}
