/* SPDX-License-Identifier: BSD-3-Clause */
/* A launch's name, and back (plan.h). */
#include <stdlib.h>
#include <string.h>

#include "harness/study/plan.h"

void launch_name(struct launch *l)
{
    char chunk[16] = "";
    if (l->chunk)
        snprintf(chunk, sizeof chunk, "-c%d", l->chunk);
    snprintf(l->name, sizeof l->name, "%.20s-%.20s-%dx%d-p%d%s-r%d", l->mpi, l->mapping, l->nodes,
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

static int take_word(const char **p, char *word, size_t size)
{
    static const char legal[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    size_t n = strspn(*p, legal);
    if (n == 0 || n >= size || (*p)[n] != '-')
        return 0;
    memcpy(word, *p, n);
    word[n] = '\0';
    *p += n + 1;
    return 1;
}

int launch_parse(const char *name, struct launch *launch, struct err *err)
{
    struct launch l = { 0 };
    const char *p = name;
    int fine = strlen(name) < LAUNCH_SIZE && take_word(&p, l.mpi, sizeof l.mpi) &&
               take_word(&p, l.mapping, sizeof l.mapping) && take_number(&p, "", &l.nodes) &&
               take_number(&p, "x", &l.ppn) && take_number(&p, "-p", &l.procs);
    if (fine)
        take_number(&p, "-c", &l.chunk);
    if (!fine || !take_number(&p, "-r", &l.repeat) || *p)
        return err_set(err, "'%.80s' is not a launch (want mpi-mapping-NxP-pP[-cC]-rR)", name);
    snprintf(l.name, sizeof l.name, "%.127s", name);
    *launch = l;
    return 0;
}
