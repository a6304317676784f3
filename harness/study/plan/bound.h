/* SPDX-License-Identifier: BSD-3-Clause */
/* bound.h - how much work a point is, by the cluster and study files alone: messages, and the
 * seconds that it takes at most. By these a plan cuts launches in chunks; what is expected of them,
 * with what was seen before, is harness/run/estimate.h. */
#ifndef HARNESS_STUDY_PLAN_BOUND_H
#define HARNESS_STUDY_PLAN_BOUND_H

#include "harness/study/cluster.h"
#include "harness/study/point.h"
#include "harness/study/study.h"

#define BOUND_SAFETY 1.5     /* the time limit of a job is this times its estimate, ... */
enum { BOUND_START_S = 60 }; /* ... and this, for the launcher to start (docs/slurm.md) */

/* Estimated messages that one call of a point on a cluster sends; inner: calls between two clock
 * reads, of the experiments that have several. */
double bound_messages(const struct point *point, const struct cluster *cluster, int inner);

/* Calls of the collective between two clock reads of an experiment. */
double bound_calls_inside(enum experiment experiment, const struct study *study);

/* Seconds that one timed call takes at most, if every rank gets its part one after another over one
 * link; without a root, if all ranks of a node send over its link what the schedule (or an
 * algorithm of log P steps) says, and then all nodes of a leaf switch over its trunk what of it
 * goes to others. Where nodes are emulated, their bytes take time of this machine's cores, too.
 * From the cluster's rates and latency. */
double bound_call(const struct point *point, const struct cluster *cluster,
                  const struct study *study);

/* Seconds of the budget that a point has in one of its first launches. */
double bound_share(const struct study *study);

/* Seconds of a point whose calls take call_s: a probe, the warm-up, the least number of calls or
 * the budget, whichever is longer, and one call in which the budget runs out. */
double bound_point_of_call(double call_s, const struct study *study);

/* Both together: seconds that a point takes on a real machine at most. */
double bound_point(const struct point *point, const struct cluster *cluster,
                   const struct study *study);

/* 1 when the cluster file states its link rate, so that the bound means something. */
int bound_known(const struct cluster *cluster);

/* The seconds (by bound) from which on a launch is cut in chunks: what the study's launch_limit and
 * the cluster's most_time leave room for. The same for everybody who plans. */
double bound_most_launch(const struct cluster *cluster, const struct study *study);

#endif
