/* SPDX-License-Identifier: BSD-3-Clause */
/* adaptive.h - which points of a study are worth a launch: those that may still change what is
 * chosen in a cell (study key plan = adaptive). Successive elimination, round by round.
 *
 * Of the logarithm of every point's time is known:
 *   - measured: its launches, whose median stands for it, and of which each may have gone wrong
 *     (remeasure_value.h): how often that happens, by how much, and how far launches are apart
 * otherwise is learnt from all points that were launched more than once. A simulated time is exact.
 *   - not measured: the prior (prior.h) times what the same candidate was slower than its prior in
 *     the cells nearest to this one. The half-width is the doublings of processes, nodes and bytes
 *     from the nearest of these, times an error per doubling: nine of ten of the measured points,
 *     each predicted as if it were not measured, are that close (of its own
 *     candidate where eight are known, else of the context). Where launches of a measured point
 *     are few this is weighed beside them.
 * A cell's best is the least measured time. Of each other candidate follows what it may be expected
 * to gain, E[max(best - candidate, 0)]. It is launched again, or at all, as long as that is more
 * than it is worth: of a point of the plan's mean price a fifth of tie_pct, in proportion to its
 * price, between a tenth of tie_pct and the whole. So no launch ends a candidate that a wrong
 * launch may hide; what lies within tie_pct of the best is not told apart where that is dear.
 *
 * Round 1 looks at every fourth size and number of processes of a context, round 2 at every other,
 * from round 3 on at all cells: so what is dense is measured where the choice changes between the
 * cells about it. In a cell that is looked at first the default is measured and what is predicted
 * to be the fastest, afterwards what is in doubt, and what is chosen beside it. In the first round
 * cheap points of all candidates are measured, too, up to a share of what all points cost: by these
 * the model's error is known. Where the library itself runs a choice has two launches at least, a
 * third where these disagree. It and the default have two or three by which the gain is told; a
 * default that is dearer than the mean and no rival has one.
 *
 * With a budget the points that a round wants are taken by their worth per core-second as long as
 * what they are expected to cost fits: worth is what the choice may gain by them.
 *
 * What is decided of a round rests on the rounds before it alone. Pure functions; no file is read.
 */
#ifndef HARNESS_STUDY_ADAPTIVE_H
#define HARNESS_STUDY_ADAPTIVE_H

#include "harness/study/remeasure_value.h"
#include "harness/study/plan.h"
#include "harness/study/prior.h"

/* Rounds that an adaptive plan has beyond the launches of a point, and in all where times are
 * exact. */
enum { ADAPTIVE_MORE_ROUNDS = 4, ADAPTIVE_EXACT_ROUNDS = 8 };

struct adaptive_rule {
    int repeats, most; /* launches of a point that stays: at least, at most */
    double confidence, tie_pct;
    int calls;            /* least calls of a point in a launch, with the warm-up */
    double point_s;       /* budget of a point in its first launches together */
    double core_budget_s; /* core-seconds in all; INFINITY: no matter */
};

/* What a plan's points are, and what is known of them. Borrows the plan. */
struct adaptive {
    struct adaptive_rule rule;
    int exact;           /* one call is the value: a simulation */
    int rounds;          /* of the plan */
    struct contender *v; /* what selectors compare, each once, by cell */
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
    double error;                 /* per doubling: the model's, as learnt by then */
    struct launch_error launches; /* as learnt by then, or assumed */
    int learnt;                   /* 0: assumed */
};

/* Takes the points of a plan. */
void adaptive_make(const struct plan *plan, const struct prior *prior,
                   const struct adaptive_rule *rule, struct adaptive *adaptive);

/* Core-seconds of all that was told, of whatever round. */
double adaptive_spent(const struct adaptive *a);

/* Index of a point; adaptive->n: it is none that selectors compare. */
size_t adaptive_find(const struct adaptive *a, const char *point);
const struct point *adaptive_point(const struct adaptive *a, size_t i);

/* A point took so long in a round (NaN: it failed, and is not tried again), and cost so many
 * core-seconds (0: it was timed with another one). Where times are exact what it would cost is
 * reckoned. */
void adaptive_took(struct adaptive *a, size_t i, int round, double seconds, double core_s);

/* Decides a round by what was told of those before it. Returns how many points it wants. */
size_t adaptive_round(struct adaptive *a, int round);

/* 1: the point is wanted in a round that was decided. */
int adaptive_wants(const struct adaptive *a, size_t i, int round);

/* Core-seconds that a point is expected to cost in the round decided last. */
double adaptive_price(const struct adaptive *a, size_t i);

/* Core-seconds of one that takes so long: ranks times launches times calls, each as long, and no
 * longer than the study gives a point. */
double adaptive_cost(const struct adaptive_rule *rule, int exact, int procs, double seconds);

/* Looks at all that was told, of whatever round: before adaptive_reason. */
void adaptive_sum_up(struct adaptive *a);

/* Why a point is measured no further: "not measured: predicted at least 3.1
 * times slower than the best". "": it is among the best. Returns buf. */
const char *adaptive_reason(const struct adaptive *a, size_t i, char buf[REASON_SIZE]);

/* What is to be expected of a plan, before it is measured. */
struct adaptive_outlook {
    size_t points, first;       /* all that there are; that the next round wants */
    double full_core_s;         /* what all points cost */
    double core_s;              /* what the plan costs: mean over draws */
    double core_low, core_high; /* least and largest of them */
    double loss_pct;            /* degradation over cells, mean over draws */
    double loss_low, loss_high;
    double left_pct; /* cells without a measured point */
    double error;    /* of the model, per doubling ... */
    int learnt;      /* ... 1: learnt from what was measured; 0: assumed */
    int draws;
};

/* Measures the plan in thought from the round on (those before it were told): the time of a point
 * that was not measured is drawn about what is predicted, with the error that is assumed or was
 * learnt, four fifths of its variance shared by a candidate's points in a context; where the
 * library runs each launch is as far from it as launches are from each other. */
void adaptive_rehearse(struct adaptive *a, int round, uint64_t seed,
                       struct adaptive_outlook *outlook);

/* Frees what it holds. */
void adaptive_free(struct adaptive *a);

#endif
