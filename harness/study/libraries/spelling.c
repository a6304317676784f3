/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/libraries/spelling.h"

#include "harness/study/libraries/natives.h"
#include "harness/study/suggest_names.h"
#include "harness/study/point.h"

static const char portable[] = "portable";
static const char *const libraries[] = { "openmpi", "mpich" };
enum { LIBRARIES = sizeof libraries / sizeof *libraries };

/* A text in its two parts. */
struct spelled {
    char library[16]; /* "": none is before the name; ":": an empty one is */
    const char *name;
};

static struct spelled spelled_of(const char *text)
{
    struct spelled s = { .name = algorithm_base_name(text) };
    const int length = (int)(s.name - text) - 1; /* -1: there is no colon */
    if (length >= 0)
        snprintf(s.library, sizeof s.library, "%.*s", length ? length : 1, text);
    return s;
}

static int is_of_ours(const struct spelled *s)
{
    return !*s->library || strcmp(s->library, portable) == 0;
}

static int is_of_library(const struct spelled *s)
{
    for (int i = 0; i < LIBRARIES; i++)
        if (strcmp(s->library, libraries[i]) == 0)
            return 1;
    return 0;
}

/* The schedule NAME, or (before not "") BEFORE_NAME. */
static const struct algorithm *find_named(const char *collective, const char *before,
                                          const char *name, char found[MOST_NAME + 1])
{
    char whole[2 * NAME_SIZE];
    snprintf(whole, sizeof whole, "%.15s%s%.63s", before, *before ? "_" : "", name);
    const struct algorithm *a = algorithm_find(collective, whole);
    if (a)
        snprintf(found, MOST_NAME + 1, "%.*s", MOST_NAME, whole);
    return a;
}

/* By its own name, or by what follows the name of the one library that has it. */
static const struct algorithm *find_ours(const char *collective, const char *name,
                                         char found[MOST_NAME + 1])
{
    const struct algorithm *a = find_named(collective, "", name, found);
    for (int i = 0, n = 0; i < LIBRARIES && (!a || n); i++) {
        const struct algorithm *of = find_named(collective, libraries[i], name, found);
        if (of && n++)
            return NULL;
        a = of ? of : a;
    }
    return a;
}

const struct algorithm *spelling_schedule(const char *collective, const char *text,
                                          char name[MOST_NAME + 1])
{
    const struct spelled s = spelled_of(text);
    if (strlen(s.name) >= NAME_SIZE)
        return NULL;
    if (is_of_ours(&s))
        return find_ours(collective, s.name, name);
    const struct algorithm *sent =
        native_find(s.library, collective, s.name) ? native_schedule(collective, text) : NULL;
    if (sent && find_named(collective, s.library, s.name, name) != sent &&
        find_named(collective, "", s.name, name) != sent)
        snprintf(name, MOST_NAME + 1, "%s", sent->name);
    return sent;
}

const char *spelling_within(const char *library, const char *text)
{
    const struct spelled s = spelled_of(text);
    return !*s.library || strcmp(s.library, library) == 0 ? s.name : NULL;
}

int spelling_fits(const char *collective, const char *whole, const char *asked)
{
    const struct spelled a = spelled_of(asked);
    const char *name = algorithm_base_name(whole);
    char own[MOST_NAME + 1];
    if (*a.library ? strcmp(whole, asked) == 0 : strcmp(name, asked) == 0)
        return 1;
    return is_of_ours(&a) && (!*a.library || strcmp(spelled_of(whole).library, portable) == 0) &&
           spelling_schedule(collective, asked, own) && strcmp(name, own) == 0;
}

int spelling_refuse_collective(const char *collective, struct err *err)
{
    struct suggest m;
    err_usage(err,
              "'%s' is not a collective that has schedules (collsel schedule --list shows them)",
              collective);
    suggest_init(&m, collective);
    meant_measured_collectives(&m);
    return suggest_add(&m, err);
}

/* Where the row is there and what is named behind it is wrong: -1 with *err. */
static int check_behind(const char *collective, const struct spelled *s, const char *text,
                        struct err *err)
{
    char row[NAME_SIZE];
    const char *levels = algorithm_levels(s->name);
    if (!levels)
        return 0;
    snprintf(row, sizeof row, "%.*s", (int)strcspn(s->name, "."), s->name);
    const struct algorithm *a = algorithm_find(collective, row);
    return a && algorithm_takes(a, levels, err) < 0 ? err_prefix(err, "'%s'", text) : 0;
}

/* The names that are taken behind this library's, short ones last. */
static void try_names(struct suggest *m, const char *collective, const char *library)
{
    char whole[2 * NAME_SIZE], found[MOST_NAME + 1];
    const struct collective *c = collective_find(collective);
    for (const struct native *n = natives_of(library); n && n->name; n++) {
        snprintf(whole, sizeof whole, "%.15s:%.63s", library, n->name);
        if (strcmp(n->collective, collective) == 0 && spelling_schedule(collective, whole, found))
            suggest_try(m, n->name);
    }
    if (natives_of(library))
        return;
    for (const struct algorithm *a = NULL; (a = collective_algorithm(c, a));)
        suggest_try(m, a->name);
    for (const struct algorithm *a = NULL; (a = collective_algorithm(c, a));) {
        const char *rest = strchr(a->name, '_');
        if (rest && find_ours(collective, rest + 1, found) == a)
            suggest_try(m, rest + 1);
    }
}

static int add_meant(const char *const *of, size_t n, const struct spelled *s, struct err *err)
{
    struct suggest m, whole;
    char text[2 * NAME_SIZE];
    suggest_init(&m, s->name);
    for (size_t i = 0; i < n; i++)
        try_names(&m, of[i], s->library);
    const char *name = suggest_name(&m);
    if (!name)
        return -1;
    snprintf(text, sizeof text, "%s%s%s", s->library, *s->library ? ":" : "", name);
    suggest_init(&whole, text);
    suggest_try(&whole, text);
    return suggest_add(&whole, err);
}

int spelling_refuse(const char *const *of, size_t n, const char *text, struct err *err)
{
    const struct spelled s = spelled_of(text);
    int is_native = 0;
    for (size_t i = 0; i < n; i++) {
        if (!collective_has_schedules(of[i]))
            return spelling_refuse_collective(of[i], err);
        if (check_behind(of[i], &s, text, err) < 0)
            return -1;
        is_native |= native_find(s.library, of[i], s.name) != NULL;
    }
    const char *where = n == 1 ? of[0] : "the study's collectives";
    if (!is_of_ours(&s) && !is_of_library(&s))
        return err_usage(err,
                         "'%s' is not an algorithm of %s: '%s' is no library (want portable, "
                         "openmpi or mpich)",
                         text, where, s.library);
    if (is_native)
        err_usage(err, "'%s' of %s is the library's own, and has no schedule", text, where);
    else
        err_usage(err, "'%s' is not an algorithm of %s (collsel schedule --list%s%s shows them)",
                  text, where, n == 1 ? " " : "", n == 1 ? where : "");
    return add_meant(of, n, &s, err);
}
