/* SPDX-License-Identifier: BSD-3-Clause */
/* stopping.h - decides when a point has enough timed calls.
 *
 * Stop when half the confidence interval of the study's statistic (harness/base/robust.h) is at
 * most `precision` times the statistic, after at least min_reps and at most max_reps calls, or when
 * the time budget is spent. Only steady calls count (harness/base/robust.h), those of the
 * analysis. Short calls are made a hundred times in any case, which costs at most a hundredth of
 * the budget: ten calls do not show the correlation of neighbours. Pure arithmetic, no MPI. */
#pragma once

#include "harness/base/robust.h"

struct stop_rule {
    double precision;  /* relative half-width, e.g. 0.025 */
    double confidence; /* e.g. 0.95 */
    int min_reps, max_reps;
    double budget_s; /* seconds per point; 0: no budget */
    enum statistic statistic;
};

/* The timed calls of a point. Owns its arrays, which serve one point after the other. */
struct stop_state {
    int n, room;
    double *value; /* seconds, in the order of the calls */
    char *disturbed;
    double total_s;
    int next_look; /* number of calls at which the rule is evaluated next */
    /* of the last look */
    int kept; /* calls that count */
    struct interval interval;
    double effective; /* effective number of independent calls */
    double *scratch;
    char *keep;
};

/* Room for so many calls. */
void stop_init(struct stop_state *state, int most);
void stop_clear(struct stop_state *state);

/* Forgets the calls: another point begins. */
void stop_restart(struct stop_state *state);

/* Adds one timed call; ignored when there is no room. */
void stop_add(struct stop_state *state, double seconds, int disturbed);

/* How many calls to make next, at most block_max, or 0 to stop; elapsed_s: wall time spent on the
 * point. *converged tells, when it is 0, whether the precision was reached. */
int stop_next(const struct stop_rule *rule, struct stop_state *state, double elapsed_s,
              int block_max, int *converged);

/* How many calls to make in a row that take call_s seconds each (0: not known): 1 to most, for
 * about a tenth of a second, so that a block of long calls ends soon. */
int stop_block(double call_s, int most);
