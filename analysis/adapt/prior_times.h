/* SPDX-License-Identifier: BSD-3-Clause */
/* prior_times.h - first estimate for an adaptive plan (harness/study/prior.h): time of each point
 * by a model that uses the cluster file only.
 *
 * Where a library runs and the file states all costs, a point's time is that of the first answer:
 * the walk of its schedule (analysis/learn/walked_trust.h).
 *
 * Else its schedule is walked in global stages (analysis/walk/stage_walk.h). A stage
 * takes as long as its most loaded rank or link. A rank's first message costs the send
 * and receive overheads, the latency and its bytes over the bandwidth, from the cluster
 * file (on one node: its loopback). Each further message costs its start or its bytes on
 * the link. Values missing from the file are 5 us a message and 0.2 ns a byte. Shared
 * links and the overlap of stages are ignored: the first measured cells correct the
 * model. A stage of a pipeline begins when all ranks have finished the stage before.
 *
 * A library's default sends what the published decision of its release takes, or that of the
 * nearest release that has one; where the plan does not know the release, 4.1's of Open MPI. */
#pragma once

#include "harness/study/prior.h"

/* Computes the rows of a plan's points that selectors compare. Several at a time. */
prior_function prior_compute;
