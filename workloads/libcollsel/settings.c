/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/settings.h"

#include <string.h>

static const char before[] = "COLLSEL_";

const char *const libcollsel_mode_words[] = { "trace", "off", NULL };

static int read_word(const char *const *words, const char *value, int *out, struct err *err)
{
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], value) == 0) {
            *out = i;
            return 0;
        }
    return err_usage(err, "'%s' is unknown", value);
}

static int read_mode(struct libcollsel_settings *s, const char *value, struct err *err)
{
    int mode = 0;
    if (read_word(libcollsel_mode_words, value, &mode, err) < 0)
        return -1;
    s->mode = (enum libcollsel_mode)mode;
    return 0;
}

static int read_report(struct libcollsel_settings *s, const char *value, struct err *err)
{
    s->report = value;
    return *value ? 0 : err_usage(err, "no path");
}

static const struct variable {
    const char *name, *wanted;
    int (*read)(struct libcollsel_settings *s, const char *value, struct err *err);
} variables[] = {
    { "MODE", "trace or off", read_mode },
    { "REPORT", "a path", read_report },
};

static const struct variable *find(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (strlen(variables[i].name) == length && memcmp(variables[i].name, name, length) == 0)
            return &variables[i];
    return NULL;
}

int libcollsel_settings_read(struct libcollsel_settings *s, char *const *environment,
                             struct err *err)
{
    *s = (struct libcollsel_settings){ .mode = LIBCOLLSEL_TRACE };
    for (; *environment; environment++) {
        if (strncmp(*environment, before, sizeof before - 1) != 0)
            continue;
        const char *name = *environment + sizeof before - 1, *equals = strchr(name, '=');
        if (!equals)
            continue;
        const struct variable *v = find(name, (size_t)(equals - name));
        if (!v)
            return err_usage(err, "%s%.*s: the library knows no such variable", before,
                             (int)(equals - name), name);
        if (v->read(s, equals + 1, err) < 0)
            return err_usage(err, "%s%s: '%s' (want %s)", before, v->name, equals + 1, v->wanted);
    }
    return 0;
}
