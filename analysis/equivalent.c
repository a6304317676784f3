/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/equivalent.h"

#include <string.h>

const struct algorithm *equivalent_find(const char *collective, const char *algorithm)
{
    char own[2 * NAME_SIZE];
    const char *name = algorithm_base_name(algorithm);
    snprintf(own, sizeof own, "%.*s_%.60s", (int)strcspn(algorithm, ":"), algorithm, name);
    const struct algorithm *a = name != algorithm ? algorithm_find(collective, own) : NULL;
    return a ? a : algorithm_find(collective, name);
}

int equivalent_same(const char *collective, const char *a, const char *b)
{
    const struct algorithm *x = equivalent_find(collective, a), *y = equivalent_find(collective, b);
    return x && y && x->rounds == y->rounds && x->round == y->round;
}

int equivalent_schedule(const struct cell *cell, const struct candidate *candidate,
                        struct schedule *s, struct err *err)
{
    const struct algorithm *a = equivalent_find(cell->collective, candidate->algorithm);
    if (!a)
        return err_set(err, "'%s' of %s has no schedule", candidate->algorithm, cell->collective);
    return schedule_init(s, a, cell->procs, cell->root, cell->bytes, candidate->segment_bytes,
                         candidate->fanout, err);
}

const char *equivalent_name(const char *algorithm, const struct schedule *s, char *buf, size_t size)
{
    size_t library = strcspn(algorithm, ":");
    if (s->alg == s->asked)
        snprintf(buf, size, "%s", algorithm);
    else if (algorithm[library])
        snprintf(buf, size, "%.*s:%s", (int)library, algorithm, s->alg->name);
    else
        snprintf(buf, size, "%s", s->alg->name);
    return buf;
}
