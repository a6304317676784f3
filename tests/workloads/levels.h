/* SPDX-License-Identifier: BSD-3-Clause */
/* levels.h - what the tests of combinations share: seats, and proofs that are counted. */
#pragma once

#include "tests/tap.h"
#include "workloads/schedules/prove.h"

static inline struct seating seats_of(const char *mapping, int procs, int nodes, int ppn)
{
    return (struct seating){ mapping, nodes, ppn, procs, 2, 3, 2, { .group = { 2 } } };
}

static const char *const mappings[] = { "core", "socket", "node" };

enum { MOST_ALGORITHMS = 64 };

/* The algorithms of a collective; NULL behind the last one. */
static inline void list_algorithms(const char *collective,
                                   const struct algorithm *all[MOST_ALGORITHMS])
{
    const struct collective *c = collective_find(collective);
    all[0] = collective_algorithm(c, NULL);
    for (size_t i = 0; all[i]; i++)
        all[i + 1] = collective_algorithm(c, all[i]);
}

struct tally {
    int proved, declined, wrong;
};

static inline void prove_one(const char *collective, const char *name, const struct seating *seats,
                             int root, uint64_t segment, struct tally *tally)
{
    struct schedule s;
    struct err err = { 0 };
    const struct algorithm *alg = algorithm_find(collective, name);
    const struct schedule_arguments a = { .procs = seats->procs,
                                          .root = root,
                                          .bytes = 24,
                                          .segment_bytes = segment,
                                          .element_bytes = 2,
                                          .seats = *seats,
                                          .levels = algorithm_levels(name) };
    if (alg && schedule_make(&s, alg, &a, &err) < 0) {
        tally->declined++;
        return;
    }
    if (alg && prove(&s, NULL, &err) == 0)
        tally->proved++;
    else if (tally->wrong++ < 3)
        diag("%s %s, %s, P = %d, %d nodes of %d, root %d, segment %d: %s", collective, name,
             seats->mapping, seats->procs, seats->nodes, seats->ppn, root, (int)segment, err.text);
}
