/* SPDX-License-Identifier: BSD-3-Clause */
/* remeasure_value.h - what may still be gained by measuring a candidate again, where launches go
 * wrong.
 *
 * A launch of a point takes its true time, times an error: of most launches a normal one of the
 * logarithm (`core`); a share of them (`slow`) is slower by a factor whose logarithm is exponential
 * with mean `by`, a share (`fast`) faster likewise. So a candidate that one bad launch made slow is
 * in doubt until it has more launches, as often as launches are seen to go wrong.
 *
 * The true time of a point is then a mixture: for each j and k, its j fastest launches went wrong
 * one way, its k slowest the other, and what is left is about the truth. Each is weighed by how
 * well it explains the launches and what was expected of the point; of the cases in which all went
 * wrong, all slow is the one that matters.
 *
 * Times are logarithms. Pure functions; nothing is kept. */
#ifndef HARNESS_STUDY_REMEASURE_VALUE_H
#define HARNESS_STUDY_REMEASURE_VALUE_H

#include <stddef.h>

struct launch_error {
    double core;       /* standard deviation */
    double slow, fast; /* shares of all launches, above 0 */
    double by;         /* mean logarithm of the factor */
};

/* Before launches were repeated. */
extern const struct launch_error launch_error_assumed;

/* What E[max(best - c, 0)] is where c is `slower` than the best in the mean, with this standard
 * deviation. */
double remeasure_value_normal(double slower, double sd);

/* The same of a candidate with n > 0 launches, sorted, whose core is `core`. Before them its time
 * was expected about `expected`, with a standard deviation of expected_sd (INFINITY: nobody knew).
 * best, best_sd: the best of its cell. */
double remeasure_value_of_launches(const double *x, int n, double core, double expected,
                                   double expected_sd, const struct launch_error *error,
                                   double best, double best_sd);

/* The launches of points that were launched more than once, as they are told. */
struct launch_lesson {
    double *apart, *off; /* between a point's neighbours in time; from its lower median */
    size_t n_apart, n_off;
};

/* Adds a point's launches, in the order in which they were made. */
void launch_lesson_add(struct launch_lesson *lesson, const double *x, int n);

/* Learns from what was added, the assumed error weighing as a few launches. Frees the lesson.
 * Returns 1, or 0 where nothing was told. */
int launch_error_learn(struct launch_lesson *lesson, struct launch_error *error);

#endif
