/* SPDX-License-Identifier: BSD-3-Clause */
/* stopping.h - when a point has been timed often enough (DESIGN.md section 7).
 *
 * Stop when the half-width of the Student-t confidence interval of the mean is at most `precision`
 * times the mean, after at least min_reps and at most max_reps calls, or when the time budget is
 * spent. Pure arithmetic, no MPI; plain values, nothing owned. */
#ifndef WORKLOADS_STOPPING_H
#define WORKLOADS_STOPPING_H

struct stop_rule {
    double precision;  /* relative half-width, e.g. 0.025 */
    double confidence; /* e.g. 0.95 */
    int min_reps, max_reps;
    double budget_s; /* seconds per point; 0: no budget */
};

/* Running count, mean and sum of squared deviations (Welford 1962). */
struct stop_state {
    int n;
    double mean, m2;
};

/* Takes one timed call into account. */
void stop_add(struct stop_state *state, double seconds);

/* Half-width of the confidence interval of the mean over the mean; infinite below two calls. */
double stop_relative_width(const struct stop_state *state, double confidence);

/* How many calls to make next, at most block_max, or 0 to stop; elapsed_s: wall time spent on the
 * point. *converged tells, when it is 0, whether the precision was reached. */
int stop_next(const struct stop_rule *rule, const struct stop_state *state, double elapsed_s,
              int block_max, int *converged);

#endif
