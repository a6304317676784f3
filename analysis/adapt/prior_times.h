/* SPDX-License-Identifier: BSD-3-Clause */
/* prior_times.h - what an adaptive plan begins with (harness/study/prior.h): the time of each point
 * by a model that knows nothing but the cluster file.
 *
 * The schedule of what would run is walked in global stages (analysis/walk/stage_walk.h). A stage
 * takes what its longest load does: of a rank's first message the costs to send and to receive, the
 * latency and its bytes on the link, all by the cluster file at its size (on one node: of its
 * loopback); of each further one what starting it costs, or its bytes' turn on the link. What the
 * file leaves out is 5 us a message and 0.2 ns a byte. Links that are shared, and stages that
 * overlap, are not in it, and need not be: what the model is off is learnt from the first cells
 * measured. A stage of a pipeline begins only when all ranks have ended the one before. */
#ifndef ANALYSIS_ADAPT_PRIOR_TIMES_H
#define ANALYSIS_ADAPT_PRIOR_TIMES_H

#include "harness/study/plan.h"
#include "harness/study/prior.h"

/* Computes the rows of a plan's points that selectors compare. Several at a time. */
foresee_function foresee;

#endif
