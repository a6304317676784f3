/* SPDX-License-Identifier: BSD-3-Clause */
/* steady_state.h - selects the timings of a series that are in the steady state.
 *
 * The measuring program uses it to decide when to stop, and the analysis uses it on the timings
 * written, so both count the same calls. The files keep all timings unchanged. Pure
 * functions of arrays in the order of the calls. */
#pragma once

#include <stddef.h>

/* The number of initial calls that are slower than the rest and count as warm-up. 0, or at least 3,
 * with at least 5 behind them. A beginning counts as slower when its median is by more than 10 %
 * and by more than five robust standard errors above the median of the rest, three quarters of it
 * are above that median, and three quarters of the rest below its own. scratch: room for n. */
size_t steady_state_cut(const double *x, size_t n, double *scratch);

/* Sets keep[i] to 1 for the calls that count, else to 0, and returns how many those are. Left out
 * are calls that were disturbed (disturbed[i] != 0; NULL: none was), where at least 10 others and
 * at least a fifth of all are left, so that a machine on which everything is disturbed is measured
 * as it is; and then a slow beginning. scratch: room for 2 n. */
size_t steady_state_keep(const double *x, const char *disturbed, size_t n, double *scratch,
                         char *keep);
