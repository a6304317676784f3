/* SPDX-License-Identifier: BSD-3-Clause */
/* decision_mvapich.h - for two_level_mvapich.c: algorithms within nodes and between nodes. */
#pragma once

#include "workloads/schedules/decision_tables.h"

/* Names of algorithms: a reduction up to each node's first rank, the collective itself among these,
 * a broadcast down. NULL: none. A k-nomial tree has its usual fan-out. */
struct decision_levels {
    const char *up, *across, *down;
};

/* Those of a broadcast, reduction or allreduce whose ranks the rule takes by node. 1, or 0 where
 * the nodes are not known, or have different numbers of ranks. */
int decision_mvapich2_levels(const char *collective, const struct decision_call *call,
                             struct decision_levels *levels);
