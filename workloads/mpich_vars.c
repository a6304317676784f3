/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef MPI_IS_mpich
#include "workloads/mpich_vars.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "workloads/tool_vars.h"

/* The words that are known, as MPICH 4.0.2 orders them: others have others, which the description
 * tells (list_values). */
static const struct {
    const char *collective;
    const char *names[16];
} enumerations[] = {
    { "bcast",
      { "auto", "binomial", "nb", "smp", "scatter_recursive_doubling_allgather",
        "scatter_ring_allgather" } },
    { "reduce", { "auto", "binomial", "nb", "smp", "reduce_scatter_gather" } },
    { "allreduce", { "auto", "nb", "smp", "recursive_doubling", "reduce_scatter_allgather" } },
    { "allgather", { "auto", "brucks", "nb", "recursive_doubling", "ring" } },
    { "allgatherv", { "auto", "brucks", "nb", "recursive_doubling", "ring" } },
    { "alltoall",
      { "auto", "brucks", "nb", "pairwise", "pairwise_sendrecv_replace", "scattered" } },
    { "alltoallv", { "auto", "nb", "pairwise_sendrecv_replace", "scattered" } },
    { "gather", { "auto", "binomial", "nb" } },
    { "scatter", { "auto", "binomial", "nb" } },
    { "reduce_scatter",
      { "auto", "nb", "noncommutative", "pairwise", "recursive_doubling", "recursive_halving" } },
    { "reduce_scatter_block",
      { "auto", "noncommutative", "recursive_doubling", "pairwise", "recursive_halving", "nb" } },
    { "barrier", { "auto", "nb", "smp", "dissemination" } },
    { "scan", { "auto", "nb", "smp", "recursive_doubling" } },
    { "exscan", { "auto", "nb", "recursive_doubling" } },
};

void mpich_var_name(const char *collective, char buf[MPICH_VAR])
{
    char upper[MPICH_WORD];
    size_t i = 0;
    for (; collective[i] && i + 1 < sizeof upper; i++)
        upper[i] = (char)toupper((unsigned char)collective[i]);
    upper[i] = '\0';
    snprintf(buf, MPICH_VAR, "MPIR_CVAR_%s_INTRA_ALGORITHM", upper);
}

/* ---- what a variable takes, by its description: "name   - meaning", one after the other in the
 * order of their values. MPICH 4.0.2 loses the ends of lines, so that a name may stand right behind
 * the meaning before it, and a meaning may have a dash of its own. But all dashes behind names
 * stand in one column of their lines: name and blanks are as wide for each of them, except the
 * first, "auto". ---- */

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

/* Adds the name of an entry, where it is one: the first is "auto". */
static void add_listed(struct mpich_values *all, const struct entry *e, size_t width,
                       const char *const *names)
{
    const char *known = known_end(e, names);
    size_t n = width > e->blanks ? width - e->blanks : 0;
    if (all->n == 0 && known && strcmp(known, "auto") == 0)
        n = strlen(known);
    if (n == 0 || n > e->word || all->n == MPICH_MOST_VALUES)
        return;
    snprintf(all->name[all->n++], MPICH_WORD, "%.*s", (int)n, e->end - n);
}

static int list_values(const char *var, const char *const *names, struct mpich_values *all,
                       struct err *err)
{
    char text[4096];
    struct entry e;
    *all = (struct mpich_values){ 0 };
    if (tool_var_description(var, text, sizeof text, err) < 0)
        return -1;
    const size_t width = width_of_names(text, names);
    for (const char *at = text; next_entry(text, &at, &e);)
        add_listed(all, &e, width, names);
    return all->n ? 0 : err_set(err, "'%s' does not say what it takes", var);
}

static const char *const *names_of(const char *collective)
{
    for (size_t e = 0; e < sizeof enumerations / sizeof *enumerations; e++)
        if (strcmp(enumerations[e].collective, collective) == 0)
            return enumerations[e].names;
    return NULL;
}

int mpich_var_values(const char *collective, struct mpich_values *all, struct err *err)
{
    char var[MPICH_VAR];
    const char *const *names = names_of(collective);
    mpich_var_name(collective, var);
    if (!names)
        return err_set(err, "no algorithms of MPICH are known for '%s'", collective);
    return list_values(var, names, all, err);
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
