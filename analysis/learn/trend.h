/* SPDX-License-Identifier: BSD-3-Clause */
/* trend.h - interpolation and extrapolation of gains over the library's default.
 *
 * Between measured processes and sizes a gain (neighbour_gains.h) is interpolated along their
 * logarithms. Beyond the largest measured P it starts from the gain there. A gain that fell over
 * the last doubling of P (or the nearest step) continues to fall at that rate; a gain that grew
 * stays constant. So a shrinking lead is given up in time. Outside the measured range of P or
 * sizes the gain is divided by 1 + the doublings beyond it. Nothing is known where the candidate
 * or the default was not measured next to the cell, where smaller P span no doubling and there
 * is no larger P, where the published decision takes another default than in the measured cells
 * (neighbour_gains.h), and on several nodes where all measurements ran on one. */
#ifndef ANALYSIS_LEARN_TREND_H
#define ANALYSIS_LEARN_TREND_H

#include "analysis/learn/training_set.h"

/* What a gain must be above to count: twice a tie (2.5 %), as a logarithm. */
#define TREND_LEAST 0.05

/* default_runs: as in safe_bound. The estimated gain of `runs` over the default in a
 * cell: the logarithm of default over candidate; NaN: not known. */
double trend_gain(const struct subject *subject, const struct candidate *runs,
                  const struct cell *cell, const struct candidate *default_runs);

#endif
