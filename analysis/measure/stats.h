/* SPDX-License-Identifier: BSD-3-Clause */
/* stats.h - statistics of repeated timings: mean, interval and reliability tests, using GSL.
 *
 * Pure functions of arrays; nothing is kept. A statistic that does not exist (a spread of one
 * value, a correlation of a constant) is NaN or STAT_NA, never zero. GSL's aborting error handler
 * is turned off once by stats_gsl(), which every function here calls; every return code is
 * converted. */
#pragma once

#include "harness/base/launch_stats.h"

enum { STAT_NA = -1 }; /* a verdict (1 or 0) that does not apply */

/* Samples of one point, launch after launch. Borrowed. */
struct sample_set {
    const double *value;
    size_t n;
    const size_t *launch_end; /* launch l holds value[launch_end[l-1] .. launch_end[l]-1] */
    size_t launches;          /* 0: all in one */
};

struct summary {
    size_t n, launches;
    double value;                          /* the time that all later steps use (launch_stats.h) */
    double mean, median, min, max, stddev; /* of all samples; mean: of launch means from three on */
    double ci_low, ci_high;                /* of value, over launches; NaN below two */
    double rel_ci;                         /* half-width / value */
    double between_rel;      /* spread of the launches' times, relative; NaN below two */
    double within_rel;       /* spread of calls in a launch, relative: 1.4826 median absolute
                                deviations over the median; of the launches the median */
    enum over_method method; /* method of the interval */
    int independent;         /* lag-1 autocorrelation and runs test at 5 % together; or STAT_NA */
    int normal;              /* Anderson-Darling at 5 %; or STAT_NA */
};

/* Extra time of a over b, in percent of b: the common measure of losses and gains. A
 * loss compares the chosen with the best of the cell. A gain compares the alternative,
 * the library's default, with the choice. So both are in percent of the shorter time. */
double longer_pct(double a, double b);

/* The same in the geometric mean over n cells: log_sum is that of the logarithms of their ratios.
 * NaN of none. */
double mean_longer_pct(double log_sum, size_t n);

/* Turns GSL's aborting handler off, once per process. */
void stats_gsl(void);

/* Fills *s. With deterministic set (a simulation: one value is the value) interval, independence
 * and normality do not apply. */
void stats_summarize(const struct sample_set *set, enum statistic statistic, double confidence,
                     int deterministic, struct summary *s);

/* Lag-1 autocorrelation coefficient (NIST/SEMATECH handbook 1.3.5.12); NaN for a constant. */
double stats_lag1(const double *x, size_t n);

/* Wald-Wolfowitz runs test about the median, the values equal to it dropped: the standard normal
 * deviate of the number of runs; NaN where there are not two on either side. */
double stats_runs_z(const double *x, size_t n, double median);

/* Anderson-Darling A*^2 for normality, mean and variance estimated (Stephens 1974, case 3, with the
 * factor 1 + 0.75/n + 2.25/n^2). sorted ascends. NaN for n < 8 or a constant. 5 %: 0.752. */
double stats_anderson_darling(const double *sorted, size_t n);

/* Median of x, whose order is destroyed: it is sorted. NaN when empty. The middle: the same number
 * in a third of the time; x is in some other order then. */
double stats_median(double *x, size_t n);
double stats_middle(double *x, size_t n);

/* Puts x in ascending order. */
void stats_sort(double *x, size_t n);

/* Quantile q in [0, 1] of an ascending array, linear between order statistics (type 7 of Hyndman
 * and Fan 1996): the one definition behind every median and percentile of this program. NaN when
 * empty. */
double stats_quantile(const double *sorted, size_t n, double q);

/* Whether a series of repeated timings of one and the same call moved: there is a cut with at least
 * three values on either side whose medians differ by more than 10 % and by more than five robust
 * standard errors. *ratio (may be NULL) gets median after / median before of the strongest cut, 1
 * when there is none. Returns 1, 0, or STAT_NA below six values. */
int stats_drift(const double *x, size_t n, double *ratio);
