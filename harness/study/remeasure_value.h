/* SPDX-License-Identifier: BSD-3-Clause */
/* remeasure_value.h - expected gain of measuring a
 * candidate again, with launches that may be outliers.
 *
 * The time of a launch is the point's true time times an error. The logarithm of the error is
 * normal (`core`) for most launches. A share (`slow`) is slower by a factor whose logarithm
 * is exponential with mean `by`; a share (`fast`) is faster likewise. So a candidate with one
 * slow launch stays in doubt until it has more launches, by the observed rate of outliers.
 *
 * The true time of a point is then a mixture: for each j and k, its j fastest launches
 * are outliers of one kind, its k slowest of the other, and the rest scatter about the
 * truth. Each case is weighted by its likelihood for the launches and the prior of the
 * point. Of the cases with outliers only, only the one with all slow matters.
 *
 * Times are logarithms. Pure functions; nothing is kept. */
#pragma once

#include "harness/base/base.h"

struct launch_error {
    double core;       /* standard deviation */
    double slow, fast; /* shares of all launches, above 0 */
    double by;         /* mean logarithm of the factor */
};

/* The error assumed before there are repeated launches. */
extern const struct launch_error launch_error_assumed;

/* What E[max(best - c, 0)] is where c is `slower` than the best in the mean, with this standard
 * deviation. */
double remeasure_value_normal(double slower, double sd);

/* The same for a candidate with n > 0 launches, sorted, whose core is `core`.
 * Before them its time was expected at `expected` with standard deviation
 * expected_sd (INFINITY: no expectation). best, best_sd: the best of its cell. */
double remeasure_value_of_launches(const double *x, int n, double core, double expected,
                                   double expected_sd, const struct launch_error *error,
                                   double best, double best_sd);

/* Statistics of the launches of points with several launches. */
struct launch_samples {
    double *apart, *off; /* between a point's neighbours in time; from its lower median */
    size_t n_apart, n_off;
};

/* Adds a point's launches, in the order in which they were made. */
void launch_samples_add(struct launch_samples *samples, const double *x, int n);

/* Estimates the error from the added launches; the assumed error counts
 * like a few launches. Empties the samples. Returns 1, or 0 without data. */
int launch_error_learn(struct launch_samples *samples, struct launch_error *error);
