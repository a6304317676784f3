/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/measure/equivalent.h"

#include "harness/study/libraries/natives.h"

const struct algorithm *equivalent_find(const char *collective, const char *algorithm)
{
    return native_schedule(collective, algorithm);
}

int equivalent_schedule(const struct facts *facts, const struct cell *cell,
                        const struct candidate *candidate, struct schedule *s, struct err *err)
{
    const struct algorithm *a = equivalent_find(cell->collective, candidate->algorithm);
    if (!a)
        return err_set(err, "'%s' of %s has no schedule", candidate->algorithm, cell->collective);
    const struct schedule_arguments arguments = { .procs = cell->procs,
                                                  .root = cell->root,
                                                  .bytes = cell->bytes,
                                                  .segment_bytes = candidate->segment_bytes,
                                                  .fanout = candidate->fanout,
                                                  .levels = algorithm_levels(candidate->algorithm),
                                                  .seats = seat_known(facts_seating(facts, cell)) };
    return schedule_make(s, a, &arguments, err);
}

static int is_one_generator(const struct algorithm *a, const struct algorithm *b)
{
    return a->rounds == b->rounds && a->round == b->round && a->walk == b->walk &&
           a->recipe == b->recipe && a->sends_empty == b->sends_empty;
}

/* Algorithms of one generator send the same messages, whatever library they are of: the first of
 * them stands for all. Segment (where it cuts anything) and fan-out are told apart beside it. */
static const struct algorithm *first_alike(const struct algorithm *alg)
{
    const struct collective *c = algorithm_collective(alg);
    const struct algorithm *a = collective_algorithm(c, NULL);
    while (a && !is_one_generator(a, alg))
        a = collective_algorithm(c, a);
    return a ? a : alg;
}

struct candidate equivalent_candidate(const struct cell *cell, const struct candidate *candidate)
{
    struct candidate c = *candidate;
    struct schedule s;
    if (equivalent_schedule(NULL, cell, candidate, &s, NULL) < 0)
        return c;
    c.segment_bytes = s.segments > 1 ? s.segment_bytes : 0;
    c.fanout = s.fanout;
    if (s.alg->levels || (s.alg->limits && s.limit))
        schedule_name(&s, c.algorithm, NAME_SIZE);
    else
        snprintf(c.algorithm, NAME_SIZE, "%s", first_alike(s.alg)->name);
    return c;
}

int equivalent_same(const struct cell *cell, const struct candidate *a, const struct candidate *b)
{
    const struct candidate x = equivalent_candidate(cell, a), y = equivalent_candidate(cell, b);
    return candidate_equal(&x, &y);
}

int equivalent_order(const struct cell *a, const struct candidate *x, const struct cell *b,
                     const struct candidate *y)
{
    return by_keys(ascending(b->procs, a->procs), ascending(b->bytes, a->bytes),
                   strcmp(a->collective, b->collective), ascending(a->root, b->root),
                   candidate_compare(x, y));
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
