/* SPDX-License-Identifier: BSD-3-Clause */
/* halving.h - the first part of Rabenseifner's reduction and allreduce. The ranks beyond a power of
 * two are folded into others (halving.h), which is phase 0. Then, in phase 1, two ranks at distance
 * 1, 2, 4 … of those that stay exchange halves of what they have, and each combines its own, until
 * v has a part of the result. The libraries differ in how they fold and where they cut.
 *
 * For an operation that commutes: operands are not in the order of ranks. */
#pragma once

#include "workloads/schedules/parts.h"
#include "workloads/schedules/steps.h"

/* How algorithms for a power of two treat the ranks beyond it: of the first 2 x extra
 * ranks each odd one and the even one before it make a pair, of which one leaves. Those who stay
 * and the ranks behind the pairs are numbered anew, v = 0 … size - 1, in the order of ranks. */

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

struct halving_scheme {
    int odd_stays;    /* of a pair */
    int folds_halves; /* a pair exchanges halves; else who leaves sends all it has */

    /* The part that v combines after this many halvings. */
    struct part (*window)(const struct schedule *s, const struct fold *fold, int v, int halvings);
};

/* Recipes of rows: Open MPI's, of reduction and allreduce; MPICH's of a reduction and of an
 * allreduce. */
extern const struct halving_scheme halving_openmpi, halving_mpich_reduce, halving_mpich_allreduce;

/* Progress of a rank. */
struct halving {
    const struct schedule *s;
    const struct halving_scheme *scheme;
    struct fold fold;
    int rank, v;        /* v -1: it has left */
    enum op_buffer sum; /* where its sum is made, at the place of the message */
    uint64_t inbox;     /* TEMP is free from here on, for a message */
    struct steps steps;
};

/* At the start: its rounds are counted, or one is written (steps.h). */
struct halving halving_of(const struct schedule *s, int rank, enum op_buffer sum, uint64_t inbox,
                          uint64_t wanted, struct round *out);

/* The rounds of the fold, and of all halvings. */
void halving_fold(struct halving *h);
void halving_scatter(struct halving *h);

/* The part of v after so many halvings. */
struct part halving_window(const struct halving *h, int v, int halvings);

/* Fewer elements than ranks that stay cannot be halved so often. */
int halving_is_too_short(const struct schedule *s);
