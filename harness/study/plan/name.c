/* SPDX-License-Identifier: BSD-3-Clause */
/* A launch's name, and back (plan.h). */
#include "harness/study/plan.h"

void launch_name(struct launch *l)
{
    char chunk[16] = "";
    if (l->chunk)
        snprintf(chunk, sizeof chunk, "-c%d", l->chunk);
    snprintf(l->name, sizeof l->name, "%.40s-%.20s-%dx%d-p%d%s-r%d", l->mpi, l->mapping, l->nodes,
             l->ppn, l->procs, chunk, l->repeat);
}

/* Reads "-x12" style pieces: the letter, then a number from 1. */
static int take_number(const char **p, const char *before, int *value)
{
    size_t n = strlen(before);
    char *end;
    if (strncmp(*p, before, n) != 0 || (*p)[n] < '1' || (*p)[n] > '9')
        return 0;
    long v = strtol(*p + n, &end, 10);
    if (v > 100000000)
        return 0;
    *value = (int)v;
    *p = end;
    return 1;
}

/* A word of letters, digits and '_', and what these more are. */
static int take_word(const char **p, const char *more, char *word, size_t size)
{
    size_t n = 0;
    while (isalnum((unsigned char)(*p)[n]) || ((*p)[n] && strchr(more, (*p)[n])))
        n++;
    if (n == 0 || n >= size || (*p)[n] != '-')
        return 0;
    memcpy(word, *p, n);
    word[n] = '\0';
    *p += n + 1;
    return 1;
}

/* What stands behind the entry, "core-2x4-p8-r1". */
static int take_rest(const char *p, struct launch *l)
{
    if (!take_word(&p, "_", l->mapping, sizeof l->mapping) || !take_number(&p, "", &l->nodes) ||
        !take_number(&p, "x", &l->ppn) || !take_number(&p, "-p", &l->procs))
        return 0;
    take_number(&p, "-c", &l->chunk);
    return take_number(&p, "-r", &l->repeat) && !*p;
}

/* An entry may have a '-' in its name, "openmpi-4.1": it ends where the rest reads as one. */
int launch_parse(const char *name, struct launch *launch, struct err *err)
{
    int fine = 0;
    for (const char *dash = strchr(name, '-'); dash && !fine; dash = strchr(dash + 1, '-')) {
        struct launch l = { 0 };
        snprintf(l.mpi, sizeof l.mpi, "%.*s", (int)(dash - name), name);
        fine = dash - name <= MPI_NAME_MOST && text_is_name(l.mpi) && take_rest(dash + 1, &l);
        if (fine)
            *launch = l;
    }
    if (!fine || strlen(name) >= LAUNCH_SIZE)
        return err_set(err, "'%.80s' is not a launch (want mpi-mapping-NxP-pP[-cC]-rR)", name);
    snprintf(launch->name, sizeof launch->name, "%.127s", name);
    return 0;
}
