/* SPDX-License-Identifier: BSD-3-Clause */
/* plan_replay.h - what an adaptive plan with a budget (harness/study/adaptive.h) measures,
 * replayed: a set that was measured whole stands in for the machine.
 *
 * Rounds, launches and money are those of a sweep: ranks that sit alike share a launch, which takes
 * its points in an order drawn with the set's seed, until its share is spent. A launch of a point
 * gives the set's time of it, as far off as the set's own repetitions of that point spread (drawn,
 * log-normal); without repetitions exactly this time. What was measured is the median of the
 * launches. A launch of a point costs ranks times the least calls, each of
 * this time; a full plan the study's launches of every point. Warm-ups and starts of jobs cost as
 * they do in `--budget`: the former count, the latter do not. */
#pragma once

#include "analysis/measure/points.h"

struct plan_replay {
    struct points measured;           /* by one launch or more. Owned */
    double (*took)[MOST_REPEATS + 1]; /* s, of each by repeat; NaN: not launched. Owned */
    double full_core_s, spent_core_s;
};

/* Plays once for each share of the cost of a full plan, above 0 to 1. dir: of the set, whose study
 * tells launches and calls; facts->costs: the cluster file that the prior walks. 0, or -1 with *err
 * and nothing to clear. */
int plan_replay_run(const char *dir, const struct points *points, const struct facts *facts,
                    const double *share, size_t n, struct plan_replay *out, struct err *err);

void plan_replay_clear(struct plan_replay *replay);
