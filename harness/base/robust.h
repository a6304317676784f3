/* SPDX-License-Identifier: BSD-3-Clause */
/* robust.h - robust location of repeated timings, with an interval insensitive to outliers.
 *
 * Successive timings of the same call are not independent, and some are a hundred times the others.
 * So the median or the trimmed mean represents a series, and the interval uses the effective number
 * of independent values (robust_effective). Pure functions of arrays; nothing is kept. */
#pragma once

#include "harness/base/base.h"

/* The statistic that represents a series. */
enum statistic { STATISTIC_MEDIAN, STATISTIC_TRIMMED, STATISTIC_MEAN, N_STATISTICS };

/* "median", "trimmed", "mean"; ended by NULL. */
extern const char *const statistic_words[];

/* The statistic of this name; -1: there is none. */
int statistic_find(const char *name);

/* A middle and its confidence interval, in the unit of the values. low and high are NaN where there
 * are too few values for an interval. */
struct interval {
    double centre, low, high;
};

/* Half of the interval's width over its centre; infinite where there is no interval, 0 where all
 * values are 0. */
double interval_relative(const struct interval *interval);

/* The k-th smallest of n values, k from 0. Reorders x so that no earlier value is larger
 * and no later one smaller. Hoare's quickselect: linear time. */
double robust_select(double *x, size_t n, size_t k);

/* Median: with an even number the mean of the two in the middle. NaN when empty. Order is lost. */
double robust_median(double *x, size_t n);

/* The statistic of n values. NaN when empty. The values are changed. */
double robust_centre(enum statistic statistic, double *x, size_t n);

/* Effective sample size of these n values in time order: n over 1 + 2 times the sum of the
 * autocorrelations of the terms of the statistic's variance: for the median the signs about it, for
 * the trimmed mean the values with clipped ends. The sum stops where a pair of neighbouring lags is
 * no longer positive (Geyer 1992, initial positive sequence). Between 1 and n; n for the mean,
 * whose interval assumes independence. scratch: room for 2 n. */
double robust_effective(enum statistic statistic, const double *x, size_t n, double *scratch);

/* The interval of a statistic. effective: as robust_effective says. The order of x is lost.
 * Median: order statistics, by the binomial distribution of effective values. Trimmed mean: a tenth
 * of the values cut off at either end, Tukey and McLaughlin's interval (Wilcox 2012, section
 * 4.3). Mean: Student's t of n values, as if they were independent. */
struct interval robust_interval(enum statistic statistic, double *x, size_t n, double effective,
                                double confidence);

/* Two-sided Student quantile: the t with P(|T| <= t) = confidence for df >= 1 degrees of freedom,
 * by bisection of the finite series of Abramowitz & Stegun 26.7.3 and 26.7.4. */
double student_quantile(double confidence, int df);

/* Selects the timings of a series that are in the steady state.
 *
 * The measuring program uses it to decide when to stop, and the analysis uses it on the timings
 * written, so both count the same calls. The files keep all timings unchanged. Pure
 * functions of arrays in the order of the calls. */

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
