/* SPDX-License-Identifier: BSD-3-Clause */
/* trend.h - gains over the library's default, carried on.
 *
 * Between measured processes and sizes a gain (neighbour_gains.h) is interpolated along their
 * logarithms. Beyond the largest P that was measured it is the gain there: one that fell over the
 * last doubling of P (or the step that is next to one) is taken to fall on as it did, one that grew
 * is not taken to grow on. So a lead that melts is given up in time. Beyond the largest or least P
 * or size it is divided by one and the doublings from there. Nothing is known where a candidate or
 * the default was not measured about the cell, where the P below it span no doubling and none lies
 * above, where the library's published decision takes another default than in the measured cells
 * (neighbour_gains.h), and on several nodes where all that was measured ran on one. */
#ifndef ANALYSIS_LEARN_TREND_H
#define ANALYSIS_LEARN_TREND_H

#include "analysis/learn/training_set.h"

/* What a gain must be above to count: twice a tie (2.5 %), as a logarithm. */
#define TREND_LEAST 0.05

/* default_runs: as in safe_bound. The gain over the default that what runs is taken to have in a
 * cell: the logarithm of default over candidate; NaN: nothing is known. */
double trend_gain(const struct subject *subject, const struct candidate *runs,
                  const struct cell *cell, const struct candidate *default_runs);

#endif
