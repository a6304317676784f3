/* SPDX-License-Identifier: BSD-3-Clause */
/* adaptive.h - selects the points of a study worth a launch: those that may still change the
 * choice in a cell (study key plan = adaptive). Successive elimination, round by round.
 *
 * The logarithm of every point's time is estimated:
 *   - measured: by the median of its launches, each of which may be an outlier
 *     (remeasure_value.h). The rate and size of outliers, and the normal spread of launches,
 *     are estimated from all points with several launches. A simulated time is exact.
 *   - not measured: the prior (prior.h) times the candidate's ratio to its prior in
 *     the cells nearest to this one. The half-width is the doublings of processes, nodes and bytes
 *     from the nearest of these, times an error per doubling: nine of ten of the measured points,
 *     each predicted as if it were not measured, are that close (of its own
 *     candidate where eight are known, else of the context). Where launches of a measured point
 *     are few this is weighed beside them.
 * A cell's best is the least measured time. For each other candidate the expected gain is
 * E[max(best - candidate, 0)]. It is launched (again) while that gain exceeds a threshold. The
 * threshold is a fifth of tie_pct for a point of the plan's mean price, proportional to the
 * price, and between a tenth of tie_pct and tie_pct. So a single outlier does not eliminate a
 * candidate, and candidates within tie_pct of the best are not separated when that is expensive.
 *
 * Round 1 considers every fourth size and number of processes of a context, round 2
 * every other, and from round 3 on all cells. So cells are dense only where the choice
 * changes between neighbours. A new cell first measures the default and the predicted
 * fastest candidate, later the candidates in doubt and the chosen one. The first round
 * also measures cheap points of all candidates, up to a share of the cost of all points,
 * to estimate the model's error. With a real library a choice has at least two launches,
 * and a third if these disagree. Choice and default have two or three launches to
 * measure the gain; a default that costs more than the mean and is no rival has one.
 *
 * With a budget below the cost of all points, cells whose points all fit an equal share of the
 * first round's part are considered from round 1 on. A round takes its points by worth per
 * core-second while their expected cost fits; worth is the expected gain of the choice times the
 * weight of its cell (prior.h).
 *
 * A round is decided only from earlier rounds. Pure functions; no file is read.
 */
#pragma once

#include "harness/study/remeasure_value.h"
#include "harness/study/prior.h"

/* Rounds that an adaptive plan has beyond the launches of a point, and in all where times are
 * exact. */
enum { ADAPTIVE_MORE_ROUNDS = 4, ADAPTIVE_EXACT_ROUNDS = 8 };

struct adaptive_rule {
    int repeats, most; /* launches of a point that is not eliminated: least, most */
    double confidence, tie_pct;
    int calls;            /* least calls of a point in a launch, with the warm-up */
    double point_s;       /* budget of a point in its first launches together */
    double core_budget_s; /* core-seconds in all; INFINITY: no limit */
};

/* A plan's points with the knowledge about them. Borrows the plan. */
struct adaptive {
    struct adaptive_rule rule;
    int exact;           /* one call is the value: a simulation */
    int rounds;          /* of the plan */
    struct contender *v; /* points that selectors compare, each once, by cell */
    size_t n;
    struct arena_cell *cell;
    size_t n_cells;
    size_t *by_id;   /* indices into v */
    double *numbers; /* room of v's times and costs, and of its marks */
    char *marks;
    size_t n_series, n_contexts;
    double mean_price;            /* of a point's next launch, by what was measured before it */
    double full_core_s;           /* all points, as expected before anything is measured */
    double spent_core_s;          /* by the rounds before the one decided last */
    double error;                 /* the model's error per doubling, as estimated by then */
    struct launch_error launches; /* as estimated by then, or assumed */
    int learnt;                   /* 0: assumed */
};

/* Takes the points of a plan. */
void adaptive_make(const struct plan *plan, const struct prior *prior,
                   const struct adaptive_rule *rule, struct adaptive *adaptive);

/* Core-seconds of all reported points, of any round. */
double adaptive_spent(const struct adaptive *a);

/* Index of a point; adaptive->n: selectors do not compare it. */
size_t adaptive_find(const struct adaptive *a, const char *point);
const struct point *adaptive_point(const struct adaptive *a, size_t i);

/* Reports the time of a point in a round (NaN: it failed and is not retried) and its cost in
 * core-seconds (0: it was timed with another point). With exact times the cost is computed. */
void adaptive_took(struct adaptive *a, size_t i, int round, double seconds, double core_s);

/* Decides a round from the reports of earlier rounds. Returns the number of wanted points. */
size_t adaptive_round(struct adaptive *a, int round);

/* 1: the point is wanted in a round that was decided. */
int adaptive_wants(const struct adaptive *a, size_t i, int round);

/* Core-seconds of the budget that the round decided last may take; INFINITY: no limit. */
double adaptive_left(const struct adaptive *a, int round);

/* Core-seconds that a point is expected to cost in the round decided last. */
double adaptive_price(const struct adaptive *a, size_t i);

/* Core-seconds of a point with this time: ranks times launches times
 * calls, each of this time, at most the study's budget of a point. */
double adaptive_cost(const struct adaptive_rule *rule, int exact, int procs, double seconds);

/* Uses all reports, of any round. Call it before adaptive_reason. */
void adaptive_sum_up(struct adaptive *a);

/* Why a point gets no more launches: "not measured: predicted at least 3.1
 * times slower than the best". "": it is among the best. Returns buf. */
const char *adaptive_reason(const struct adaptive *a, size_t i, char buf[REASON_SIZE]);

/* Forecast of a plan, before it is measured. */
struct adaptive_outlook {
    size_t points, first;       /* all points; points of the next round */
    double full_core_s;         /* what all points cost */
    double core_s;              /* what the plan costs: mean over draws */
    double core_low, core_high; /* least and largest of them */
    double loss_pct;            /* degradation over cells, mean over draws */
    double loss_low, loss_high;
    double left_pct; /* cells without a measured point */
    double error;    /* of the model, per doubling ... */
    int learnt;      /* ... 1: estimated from measurements; 0: assumed */
    int draws;
};

/* Simulates the measurement of the plan from this round on (earlier rounds were reported).
 * The time of an unmeasured point is drawn around its prediction with the assumed or
 * estimated error; four fifths of the variance are shared by a candidate's points in a
 * context. With a real library each launch deviates from it by the spread of launches. */
void adaptive_rehearse(struct adaptive *a, int round, uint64_t seed,
                       struct adaptive_outlook *outlook);

void adaptive_free(struct adaptive *a);
