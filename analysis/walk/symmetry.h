/* SPDX-License-Identifier: BSD-3-Clause */
/* symmetry.h - ranks that do the same at the same time, so that a walk needs one of them.
 *
 * All ranks move by a multiple of `classes`: by addition modulo the number of ranks, or by
 * exclusive or. Such a move is a symmetry where every rank then has the seat, and the operations,
 * of the rank that it came from, with peers that moved alike, and where links go to links. Both are
 * looked at for each rank and route; no table says which schedules are symmetric. */
#pragma once

#include "analysis/walk/platform.h"
#include "workloads/schedules/schedule.h"

struct symmetry {
    int procs;
    int classes; /* ranks 0 ... classes - 1 stand for all; a divisor of procs */
    int bits;    /* 1: exclusive or */
    int *link;   /* the link that stands for each link; owned by the list */
};

struct symmetries; /* those of a platform, found when first asked for */

struct symmetries *symmetries_new(const struct platform *platform);
void symmetries_free(struct symmetries *list);

/* The one with the fewest classes under which all of these schedules are symmetric; NULL: none. It
 * is valid until the list is freed. */
const struct symmetry *symmetries_find(struct symmetries *list, const struct schedule *const *s,
                                       size_t n);

/* The rank that stands for a rank. */
static inline int symmetry_class(const struct symmetry *y, int rank)
{
    return rank % y->classes;
}

/* Where a rank is after the move that takes `peer` to its class. */
static inline int symmetry_seen(const struct symmetry *y, int rank, int peer)
{
    const int by = peer - peer % y->classes;
    return y->bits ? rank ^ by : rank >= by ? rank - by : rank - by + y->procs;
}
