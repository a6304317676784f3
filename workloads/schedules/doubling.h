/* SPDX-License-Identifier: BSD-3-Clause */
/* doubling.h - recursive doubling among any number of ranks, as MPICH does it and Open MPI after
 * it: at distance d, groups of d ranks exchange with the group beside them, rank with rank. Where
 * that group is incomplete only the first ranks of this one have a partner; they pass what they got
 * on to the others, by halving. */
#pragma once

#include "workloads/schedules/parts.h"
#include "workloads/schedules/steps.h"

/* The number of ranks of v's group with a partner in the neighbouring
 * group, if that group is incomplete; 0: it is complete, or missing. */
static inline int doubling_informed(int procs, int v, int distance)
{
    const int mine = v & -distance, beside = mine ^ distance, informed = procs - beside;
    return beside < mine || informed <= 0 || informed >= distance ? 0 : informed;
}

/* The partner of v when data from the neighbouring group are passed
 * on at distance `half`, a power of two below `distance`; -1: none.
 * A higher rank receives it from v; a lower one sends it to v. */
static inline int doubling_passes_on(int procs, int v, int distance, int half)
{
    const int informed = doubling_informed(procs, v, distance);
    if (!informed)
        return -1;
    const int peer = v ^ half, border = (v & -(2 * half)) + informed;
    const int low = v < peer ? v : peer, high = v ^ peer ^ low;
    return low < border && high >= border ? peer : -1;
}

/* A rank in an allgather of rows, one for each rank, by its number v and those of others. */
struct doubling {
    const struct schedule *s;
    int v;
    int (*rank)(const struct schedule *s, int v);
    enum op_buffer buf; /* where the rows are gathered */
    struct part (*rows)(const struct schedule *s, int first, int n); /* those that there are */
    int has_own; /* its own row is in SEND alone */
    struct steps steps;
};

/* Its rounds. */
void doubling_gather(struct doubling *d);
