/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/settings.h"

#include <string.h>

#include "harness/base/number.h"

static const char before[] = "COLLSEL_";

const char *const libcollsel_mode_words[] = { "trace", "off", "table", "star", "model", NULL };

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

static int read_repository(struct libcollsel_settings *s, const char *value, struct err *err)
{
    int kind = 0;
    if (read_word(repository_words, value, &kind, err) < 0)
        return -1;
    s->repository = (enum repository_kind)kind;
    return 0;
}

static int read_judge(struct libcollsel_settings *s, const char *value, struct err *err)
{
    int judge = 0;
    if (read_word(star_judge_words, value, &judge, err) < 0)
        return -1;
    s->judge = (enum star_judge)judge;
    return 0;
}

static int read_number(const char *value, uint64_t least, uint64_t most, int *out, struct err *err)
{
    uint64_t number;
    if (parse_u64(value, &number, err) < 0 || number < least || number > most)
        return err_usage(err, "out of range");
    *out = (int)number;
    return 0;
}

static int read_groups(struct libcollsel_settings *s, const char *value, struct err *err)
{
    return read_number(value, 0, 1, &s->groups, err);
}

static int read_sites(struct libcollsel_settings *s, const char *value, struct err *err)
{
    return read_number(value, 0, 1, &s->sites, err);
}

static int read_sizes(struct libcollsel_settings *s, const char *value, struct err *err)
{
    return read_number(value, 1, 64, &s->sizes, err);
}

static int read_path(const char *value, const char **out, struct err *err)
{
    *out = value;
    return *value ? 0 : err_usage(err, "no path");
}

static int read_table(struct libcollsel_settings *s, const char *value, struct err *err)
{
    return read_path(value, &s->table, err);
}

static int read_model(struct libcollsel_settings *s, const char *value, struct err *err)
{
    return read_path(value, &s->model, err);
}

static int read_program(struct libcollsel_settings *s, const char *value, struct err *err)
{
    return read_path(value, &s->program, err);
}

static int read_machine(struct libcollsel_settings *s, const char *value, struct err *err)
{
    return read_path(value, &s->machine, err);
}

static int read_report(struct libcollsel_settings *s, const char *value, struct err *err)
{
    return read_path(value, &s->report, err);
}

enum {
    ANY_MODE = (1 << N_LIBCOLLSEL_MODES) - 1,
    STAR = 1 << LIBCOLLSEL_STAR,
    BY_TABLE = 1 << LIBCOLLSEL_TABLE | STAR,
    BY_MODEL = 1 << LIBCOLLSEL_MODEL | STAR
};

static const struct variable {
    const char *name, *wanted;
    int modes; /* in which it is read: a bit for each */
    int (*read)(struct libcollsel_settings *s, const char *value, struct err *err);
} variables[] = {
    { "MODE", "trace, off, table, star or model", ANY_MODE, read_mode },
    { "REPORT", "a path", ANY_MODE, read_report },
    { "TABLE", "a path", BY_TABLE, read_table },
    { "MODEL", "a path", BY_MODEL, read_model },
    { "PROGRAM", "a path", BY_MODEL, read_program },
    { "FOR", "a path", BY_MODEL, read_machine },
    { "REPOSITORY", "full, native or paper", STAR, read_repository },
    { "JUDGE", "sure or fastest", STAR, read_judge },
    { "GROUPS", "0 or 1", STAR, read_groups },
    { "SITES", "0 or 1", STAR, read_sites },
    { "SIZES", "1 to 64", STAR, read_sizes },
};

static const struct variable *find(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (strlen(variables[i].name) == length && memcmp(variables[i].name, name, length) == 0)
            return &variables[i];
    return NULL;
}

/* What follows COLLSEL_, up to the "=" at *length; NULL: it is another variable. */
static const char *name_of(const char *text, size_t *length)
{
    if (strncmp(text, before, sizeof before - 1) != 0)
        return NULL;
    text += sizeof before - 1;
    *length = strcspn(text, "=");
    return text[*length] ? text : NULL;
}

static int read_one(struct libcollsel_settings *s, const char *text, struct err *err)
{
    size_t length;
    const char *name = name_of(text, &length);
    if (!name)
        return 0;
    const struct variable *v = find(name, length);
    if (!v)
        return err_usage(err, "%s%.*s: the library knows no such variable", before, (int)length,
                         name);
    if (v->read(s, name + length + 1, err) < 0)
        return err_usage(err, "%s%s: '%s' (want %s)", before, v->name, name + length + 1,
                         v->wanted);
    return 0;
}

/* What is said for another mode would have no effect. */
static int check_mode(const struct libcollsel_settings *s, const char *text, struct err *err)
{
    size_t length;
    const char *name = name_of(text, &length);
    const struct variable *v = name ? find(name, length) : NULL;
    if (!v || v->modes >> s->mode & 1)
        return 0;
    return err_usage(err, "%s%s: is of mode %s, and the mode is %s", before, v->name,
                     v->modes == STAR       ? "star"
                     : v->modes == BY_TABLE ? "table or star"
                                            : "model or star",
                     libcollsel_mode_words[s->mode]);
}

/* What belongs together, and what excludes another one. */
static int check_files(const struct libcollsel_settings *s, struct err *err)
{
    if ((s->mode == LIBCOLLSEL_TABLE && !s->table) || (s->mode == LIBCOLLSEL_MODEL && !s->model))
        return err_usage(err, "%s%s: not set, and the mode is %s", before,
                         s->mode == LIBCOLLSEL_TABLE ? "TABLE" : "MODEL",
                         libcollsel_mode_words[s->mode]);
    if (s->table && s->model)
        return err_usage(err, "%sTABLE: is set, and %sMODEL is, too (want one of them)", before,
                         before);
    if (s->model && !s->program)
        return err_usage(err,
                         "%sPROGRAM: not set, and a model is to be asked (want the path of "
                         "collsel)",
                         before);
    if (!s->model && (s->program || s->machine))
        return err_usage(err, "%s%s: is set, and no %sMODEL", before,
                         s->program ? "PROGRAM" : "FOR", before);
    return 0;
}

int libcollsel_settings_read(struct libcollsel_settings *s, char *const *environment,
                             struct err *err)
{
    *s = (struct libcollsel_settings){
        .mode = LIBCOLLSEL_TRACE, .judge = N_STAR_JUDGES, .groups = 1, .sizes = 8
    };
    for (char *const *e = environment; *e; e++)
        if (read_one(s, *e, err) < 0)
            return -1;
    for (char *const *e = environment; *e; e++)
        if (check_mode(s, *e, err) < 0)
            return -1;
    if (s->judge == N_STAR_JUDGES)
        s->judge = repository_judge(s->repository);
    return check_files(s, err);
}
