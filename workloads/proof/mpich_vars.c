/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef MPI_IS_mpich
#include "workloads/proof/mpich_vars.h"

#include "workloads/schedules/collectives.h"
#include "workloads/proof/tool_vars.h"

static void name_var(const char *collective, const char *ending, char buf[MPICH_VAR])
{
    char upper[MPICH_WORD];
    size_t i = 0;
    for (; collective[i] && i + 1 < sizeof upper; i++)
        upper[i] = (char)toupper((unsigned char)collective[i]);
    upper[i] = '\0';
    snprintf(buf, MPICH_VAR, "MPIR_CVAR_%s_%s", upper, ending);
}

void mpich_var_name(const char *collective, char buf[MPICH_VAR])
{
    name_var(collective, "INTRA_ALGORITHM", buf);
}

void mpich_var_device(const char *collective, char buf[MPICH_VAR])
{
    name_var(collective, "DEVICE_COLLECTIVE", buf);
}

void mpich_var_composition(const char *collective, char buf[MPICH_VAR])
{
    name_var(collective, "COMPOSITION", buf);
}

/* ---- what a variable takes, by its description: "name   - meaning", one after the other in the
 * order of their values. From MPICH 4.1 on each has a line of its own. 4.0.2 loses the ends of
 * lines, so that a name may stand right behind the meaning before it, and a meaning may have a dash
 * of its own. But all dashes behind names stand in one column of their lines: name and blanks are
 * as wide for each of them, except the first, "auto". ---- */

/* What stands before a " - ". */
struct entry {
    const char *end; /* of the word */
    size_t word, blanks;
};

/* The known name that a word ends with, the longest of them; NULL: none. */
static const char *known_end(const struct entry *e, const char *const *names)
{
    const char *found = NULL;
    for (; *names; names++) {
        const size_t n = strlen(*names);
        if (n <= e->word && memcmp(e->end - n, *names, n) == 0 && (!found || n > strlen(found)))
            found = *names;
    }
    return found;
}

static int is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The next one from *at on, which goes behind it; 0: there are no more. */
static int next_entry(const char *text, const char **at, struct entry *e)
{
    const char *dash = strstr(*at, " - ");
    if (!dash)
        return 0;
    *at = dash + 3;
    for (e->end = dash; e->end > text && e->end[-1] == ' ';)
        e->end--;
    e->blanks = (size_t)(dash + 1 - e->end);
    for (e->word = 0; e->end - e->word > text && is_word(e->end[-1 - (ptrdiff_t)e->word]);)
        e->word++;
    return 1;
}

/* How wide names are with the blanks behind them: what most known names say; 0: none does. */
static size_t width_of_names(const char *text, const char *const *names)
{
    enum { MOST_WIDE = 128 };
    int seen[MOST_WIDE] = { 0 };
    size_t width = 0;
    struct entry e;
    for (const char *at = text; next_entry(text, &at, &e);) {
        const char *known = known_end(&e, names);
        const size_t wide = known && strcmp(known, "auto") != 0 ? strlen(known) + e.blanks : 0;
        if (wide && wide < MOST_WIDE && ++seen[wide] > seen[width])
            width = wide;
    }
    return width;
}

static void add_word(struct mpich_values *all, const struct entry *e, size_t n)
{
    if (n > 0 && n <= e->word && all->n < MPICH_MOST_VALUES)
        snprintf(all->name[all->n++], MPICH_WORD, "%.*s", (int)n, e->end - n);
}

/* Adds the name of an entry, where it is one: the first is "auto". */
static void add_listed(struct mpich_values *all, const struct entry *e, size_t width,
                       const char *const *names)
{
    const char *known = known_end(e, names);
    const int is_first = all->n == 0 && known && strcmp(known, "auto") == 0;
    add_word(all, e, is_first ? strlen(known) : width > e->blanks ? width - e->blanks : 0);
}

static void add_run_together(struct mpich_values *all, const char *text, const char *const *names)
{
    const size_t width = width_of_names(text, names);
    struct entry e;
    for (const char *at = text; next_entry(text, &at, &e);)
        add_listed(all, &e, width, names);
}

/* Of lines: a name is the first word of its own. */
static void add_lines(struct mpich_values *all, const char *text)
{
    struct entry e;
    for (const char *at = text; next_entry(text, &at, &e);)
        if (e.end - e.word == text || e.end[-1 - (ptrdiff_t)e.word] == '\n')
            add_word(all, &e, e.word);
}

/* Words that a collective's variable takes: those that most have, and those of which there are
 * schedules. The description tells the others. */
static void words_of(const struct collective *c, const char *words[MPICH_MOST_VALUES])
{
    static const char *const common[] = { "auto", "nb", "smp" };
    const size_t prefix = strlen("mpich_");
    int n = 0;
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        words[n++] = common[i];
    const struct algorithm *a = NULL;
    while (n + 1 < MPICH_MOST_VALUES && (a = collective_algorithm(c, a)))
        if (strncmp(a->name, "mpich_", prefix) == 0)
            words[n++] = a->name + prefix;
    words[n] = NULL;
}

int mpich_var_values(const char *collective, struct mpich_values *all, struct err *err)
{
    char var[MPICH_VAR], text[4096];
    const struct collective *c = collective_find(collective);
    const char *words[MPICH_MOST_VALUES];
    *all = (struct mpich_values){ 0 };
    if (!c || !c->rows[0])
        return err_set(err, "no algorithms of MPICH are known for '%s'", collective);
    words_of(c, words);
    mpich_var_name(collective, var);
    if (tool_var_description(var, text, sizeof text, err) < 0)
        return -1;
    if (strchr(text, '\n'))
        add_lines(all, text);
    else
        add_run_together(all, text, words);
    return all->n ? 0 : err_set(err, "'%s' does not say what it takes", var);
}

static int ends_with(const struct entry *e, const char *name)
{
    const size_t n = strlen(name);
    return n <= e->word && memcmp(e->end - n, name, n) == 0;
}

int mpich_var_is_own(const char *var, int value)
{
    char text[4096];
    struct entry e;
    int at_value = 0, listed = 0;
    if (tool_var_description(var, text, sizeof text, NULL) < 0)
        return value == 0;
    for (const char *at = text; next_entry(text, &at, &e); at_value++) {
        listed |= ends_with(&e, "auto");
        if (at_value == value && (ends_with(&e, "auto") || ends_with(&e, "mpir")))
            return 1;
    }
    return !listed && value == 0;
}

int mpich_var_value(const char *collective, const char *name, int *value, struct err *err)
{
    char var[MPICH_VAR];
    struct mpich_values all;
    if (mpich_var_values(collective, &all, err) < 0)
        return -1;
    for (*value = 0; *value < all.n; ++*value)
        if (strcmp(all.name[*value], name) == 0)
            return 0;
    mpich_var_name(collective, var);
    return err_set(err, "'%s' of this MPICH has no '%s'", var, name);
}
#endif
