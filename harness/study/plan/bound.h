/* SPDX-License-Identifier: BSD-3-Clause */
/* bound.h - upper bounds of the work of a point, from the cluster and study files
 * only: messages, and seconds. Plans cut launches into chunks by these bounds;
 * the expected times, from earlier results, are in harness/run/estimate.h. */
#pragma once

#include "harness/study/point.h"
#include "harness/study/study.h"

#define BOUND_SAFETY 1.5     /* the time limit of a job is this times its estimate, ... */
enum { BOUND_START_S = 60 }; /* ... and this, for the launcher to start (docs/slurm.md) */

/* The schedule of a point's algorithm: 0, or -1 where it has none, or cannot run. */
struct schedule;
int bound_schedule(const struct point *p, const struct cluster *cluster, struct schedule *s);

/* Estimated messages that one call of a point on a cluster sends; inner: calls between two clock
 * reads, of the experiments that have several. */
double bound_messages(const struct point *point, const struct cluster *cluster, int inner);

/* Calls of the collective between two clock reads of an experiment. */
double bound_calls_inside(enum experiment experiment, const struct study *study);

/* Upper bound of one timed call in seconds. With a root: every rank gets its part one
 * after another over one link. Without a root: all ranks of a node send the messages of
 * the schedule (or of an algorithm with log P steps) over its link, and then all nodes of
 * a leaf switch send their share for other switches over its trunk. On emulated nodes the
 * bytes also take time of this machine's cores. From the cluster's rates and latency. */
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

/* 1 when the cluster file has its link rate, which the bound needs. */
int bound_known(const struct cluster *cluster);

/* The bound in seconds above which a launch is cut into chunks: from the study's
 * launch_limit and the cluster's most_time. The same for all commands that plan. */
double bound_most_launch(const struct cluster *cluster, const struct study *study);
