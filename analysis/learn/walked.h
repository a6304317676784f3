/* SPDX-License-Identifier: BSD-3-Clause */
/* walked.h - the time of an algorithm on a machine that nobody measured: its schedule, replayed
 * (analysis/walk/replay.h) with the costs of the machine's cluster file, as `collsel cluster new`
 * writes it from presets.
 *
 * A call of many ranks or segments takes long to replay, so that it is extrapolated: from two
 * numbers of nodes (of ranks, on one node), a half and all of what WALKED_PROCS ranks fill, along
 * the logarithms; from two sizes, along the line through both, where there are more than
 * WALKED_SEGMENTS segments. */
#ifndef ANALYSIS_LEARN_WALKED_H
#define ANALYSIS_LEARN_WALKED_H

#include "harness/study/cluster.h"
#include "harness/study/point.h"

enum { WALKED_PROCS = 64, WALKED_SEGMENTS = 32 };

/* The logarithm of the seconds that the slowest rank takes, from the call of all ranks together;
 * NaN: the algorithm has no schedule, or the cluster file no costs of messages. */
double walked_log(const struct cluster *cluster, const struct cell *cell,
                  const struct candidate *candidate);

#endif
