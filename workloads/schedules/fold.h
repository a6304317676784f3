/* SPDX-License-Identifier: BSD-3-Clause */
/* fold.h - how algorithms for a power of two treat the ranks beyond it: of the first 2 x extra
 * ranks each odd one and the even one before it make a pair, of which one leaves. Those who stay
 * and the ranks behind the pairs are numbered anew, v = 0 … size - 1, in the order of ranks. */
#pragma once

#include "workloads/schedules/trees.h"

struct fold {
    int size, levels; /* size = 2^levels, the largest power of two among the ranks */
    int extra;        /* ranks beyond it */
    int odd_stays;    /* of a pair the odd one stays, else the even one */
};

static inline struct fold fold_of(int procs, int odd_stays)
{
    const int levels = floor_log2((unsigned)procs);
    return (struct fold){ 1 << levels, levels, procs - (1 << levels), odd_stays };
}

static inline int fold_is_paired(const struct fold *f, int rank)
{
    return rank < 2 * f->extra;
}

/* The other one of its pair. */
static inline int fold_twin(int rank)
{
    return rank ^ 1;
}

/* The number of a rank that stays; -1: it leaves. */
static inline int fold_number(const struct fold *f, int rank)
{
    if (!fold_is_paired(f, rank))
        return rank - f->extra;
    return rank % 2 == f->odd_stays ? rank / 2 : -1;
}

/* The rank of a number. */
static inline int fold_rank(const struct fold *f, int v)
{
    return v < f->extra ? 2 * v + f->odd_stays : v + f->extra;
}

/* The first of the ranks for which v stands: of its pair the even one. v may be size: one past the
 * last rank. */
static inline int fold_first(const struct fold *f, int v)
{
    return v < f->extra ? 2 * v : v + f->extra;
}
