/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/settings.h"

static const char before[] = "COLLSEL_";

const char *const libcollsel_mode_words[] = { "trace", "off", "table", "star", "model", NULL };

enum {
    ANY_MODE = (1 << N_LIBCOLLSEL_MODES) - 1,
    STAR = 1 << LIBCOLLSEL_STAR,
    BY_TABLE = 1 << LIBCOLLSEL_TABLE | STAR,
    BY_MODEL = 1 << LIBCOLLSEL_MODEL | STAR
};

enum { COST_USUAL = 20000 };
#define COST_WANTED "a share of the time in a kind of call, 0.1% to 50%, as 2%"
#define AT(field)   offsetof(struct libcollsel_settings, field)

/* A word of a list, a number from least to most, or, where there is neither, a path. */
static const struct variable {
    const char *name, *wanted;
    int modes; /* in which it is read: a bit for each */
    size_t at; /* of an int or an enum; of a path the text */
    const char *const *words;
    uint64_t least, most;
} variables[] = {
    { "MODE", "trace, off, table, star or model", ANY_MODE, AT(mode), libcollsel_mode_words, 0, 0 },
    { "REPORT", "a path", ANY_MODE, AT(report), NULL, 0, 0 },
    { "TIMELINE", "a path", ANY_MODE, AT(timeline), NULL, 0, 0 },
    { "TABLE", "a path", BY_TABLE, AT(table), NULL, 0, 0 },
    { "MODEL", "a path", BY_MODEL, AT(model), NULL, 0, 0 },
    { "PROGRAM", "a path", ANY_MODE, AT(program), NULL, 0, 0 },
    { "FOR", "a path", BY_MODEL, AT(machine), NULL, 0, 0 },
    { "REPOSITORY", "full, native or paper", STAR, AT(repository), repository_words, 0, 0 },
    { "JUDGE", "sure or fastest", STAR, AT(judge), star_judge_words, 0, 0 },
    { "COST", COST_WANTED, STAR, AT(cost), NULL, 1, 1 },
    { "LEARNT", "a path", STAR, AT(learnt), NULL, 0, 0 },
    { "GROUPS", "0 or 1", STAR, AT(groups), NULL, 0, 1 },
    { "SITES", "0 or 1", STAR, AT(sites), NULL, 0, 1 },
    { "SIZES", "1 to 64", STAR, AT(sizes), NULL, 1, 64 },
};

/* "2%", in millionths. */
int libcollsel_cost(const char *text, uint64_t *millionths)
{
    char number[16];
    double percent;
    const size_t length = strlen(text);
    if (length < 2 || length > sizeof number || text[length - 1] != '%')
        return -1;
    snprintf(number, sizeof number, "%.*s", (int)length - 1, text);
    if (parse_f64(number, &percent, NULL) < 0 || !(percent >= 0.1 && percent <= 50))
        return -1;
    *millionths = (uint64_t)(percent * 1e4 + 0.5);
    return 0;
}

/* 0, or -1: it is none of what is wanted. */
static int read_value(const struct variable *v, const char *value, struct libcollsel_settings *s)
{
    char *const at = (char *)s + v->at;
    uint64_t number = 0;
    if (!v->words && !v->most) {
        memcpy(at, &value, sizeof value);
        return *value ? 0 : -1;
    }
    while (v->words && v->words[number] && strcmp(v->words[number], value) != 0)
        number++;
    if (v->at == AT(cost) ? libcollsel_cost(value, &number) < 0
        : v->words        ? !v->words[number]
                   : parse_u64(value, &number, NULL) < 0 || number < v->least || number > v->most)
        return -1;
    memcpy(at, &(int){ (int)number }, sizeof(int));
    return 0;
}

static const struct variable *find(const char *name, size_t length)
{
    return find_below(variables, i, sizeof variables / sizeof *variables,
                      strlen(variables[i].name) == length &&
                          memcmp(variables[i].name, name, length) == 0);
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
    if (read_value(v, name + length + 1, s) < 0)
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
    if (s->judge == STAR_SURE && s->repository == REPOSITORY_PAPER)
        return err_usage(err,
                         "%sJUDGE: sure, and the repository is paper, which lacks the library's "
                         "own call (want fastest, or the repository full or native)",
                         before);
    if (s->judge != STAR_SURE && (s->cost || s->learnt))
        return err_usage(err, "%s%s: is of the judge sure, and the judge is %s", before,
                         s->cost ? "COST" : "LEARNT", star_judge_words[s->judge]);
    if (s->table && s->model)
        return err_usage(err, "%sTABLE: is set, and %sMODEL is, too (want one of them)", before,
                         before);
    if (s->model && !s->program)
        return err_usage(
            err, "%sPROGRAM: not set, and the model needs it (want the path of collsel)", before);
    if (!s->model && s->machine)
        return err_usage(err, "%sFOR: is set, and no %sMODEL", before, before);
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
    if (check_files(s, err) < 0)
        return -1;
    s->cost = s->cost ? s->cost : COST_USUAL;
    return 0;
}
