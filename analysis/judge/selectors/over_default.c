/* SPDX-License-Identifier: BSD-3-Clause */
/* over_default.c - the library's default, but where something gains over it: `safe` asks for
 * evidence all about the cell (analysis/learn/safe.h), `trend` carries gains on
 * (analysis/learn/trend.h). */
#include <math.h>

#include "analysis/judge/selectors/selector.h"
#include "analysis/learn/safe.h"
#include "analysis/learn/trend.h"

/* A cell, and what the default runs in it. */
struct asking {
    const struct subject *subject;
    const struct cell *cell;
    float x[N_FEATURES];
    struct candidate falls_back;
    struct candidate default_runs; /* as published (problem_default_runs) */
};

/* What counts for a candidate over the default, as a logarithm; -INFINITY: nothing does. */
typedef double gain_of(const struct selector *self, const struct asking *a,
                       const struct candidate *runs);

static double safe_gain_of(const struct selector *self, const struct asking *a,
                           const struct candidate *runs)
{
    return safe_gain(self->safe, a->cell, a->x, runs, &a->falls_back, &a->default_runs);
}

static double trend_gain_of(const struct selector *self, const struct asking *a,
                            const struct candidate *runs)
{
    const double gain = trend_gain(a->subject, runs, a->cell, &a->default_runs);
    (void)self;
    return gain > TREND_LEAST ? gain : -INFINITY;
}

/* Why `safe` overrides the default, with the percentage in the middle. */
static const char *why_safe(const struct selector *self, const struct asking *a)
{
    return self->safe && safe_leader(self->safe, a->cell, &a->default_runs)
               ? "%.3g %% over the default are expected by the learner that gained over it in such "
                 "cells"
               : "gained %.3g %% or more over the default in the cells about it";
}

static const char *why_trend(const struct selector *self, const struct asking *a)
{
    (void)self;
    (void)a;
    return "is taken to gain %.3g %% over the default, as in the cells about it";
}

/* Takes the candidate that most counts for; the default where nothing does. */
static int choose(const struct selector *self, const struct cell_view *view, gain_of *gain,
                  const char *(*why)(const struct selector *self, const struct asking *a),
                  struct selected *choice)
{
    struct asking a = { .subject = problem_subject(self->problem, &view->cell),
                        .cell = &view->cell };
    struct selected by_default = { .predicted_s = NAN };
    const struct measured *best = NULL;
    double most = -INFINITY;
    if (!selector_default.choose(&selector_default, view, &by_default)) {
        *choice = by_default;
        return 0;
    }
    a.falls_back = problem_runs(view->facts, &view->cell, &by_default.candidate);
    a.default_runs = problem_default_runs(view->facts, &view->cell);
    problem_features(&view->cell, view->facts, a.x);
    for (size_t i = 0; a.subject && i < view->n; i++) {
        const struct measured *m = view->pool[i].measured;
        const struct candidate runs = problem_runs(view->facts, &view->cell, &m->point.candidate);
        const double counts =
            candidate_equal(&runs, &a.falls_back) ? -INFINITY : gain(self, &a, &runs);
        if (counts > most) {
            most = counts;
            best = m;
        }
    }
    choice->compared = view->n;
    if (best)
        snprintf(choice->reason, sizeof choice->reason, why(self, &a), 100 * expm1(most));
    else
        snprintf(choice->reason, sizeof choice->reason,
                 "the default: no gain over it is known well enough");
    return choose_measured(best ? best : by_default.measured, choice);
}

/* Of the points that were measured to decide in the cell the faster one. 1, or 0: there are none.
 */
static int choose_confirmed(const struct safe *safe, const struct cell_view *view,
                            struct selected *choice)
{
    const struct subject *s;
    const struct lesson *l = safe_confirmed(safe, &view->cell, &s);
    const struct measured *best = NULL;
    double least = INFINITY;
    for (size_t i = 0; l && i < view->n; i++) {
        const struct measured *m = view->pool[i].measured;
        const struct candidate runs = problem_runs(view->facts, &view->cell, &m->point.candidate);
        const double took = lesson_log(l, subject_kind(s, &runs));
        if (took < least) {
            least = took;
            best = m;
        }
    }
    if (!best)
        return 0;
    choice->compared = view->n;
    snprintf(choice->reason, sizeof choice->reason,
             "confirmed: of %zu points measured to decide here the fastest", l->n);
    return choose_measured(best, choice);
}

static int choose_safe(const struct selector *self, const struct cell_view *view,
                       struct selected *choice)
{
    if (choose_confirmed(self->safe, view, choice))
        return 1;
    return choose(self, view, safe_gain_of, why_safe, choice);
}

static int choose_trend(const struct selector *self, const struct cell_view *view,
                        struct selected *choice)
{
    return choose(self, view, trend_gain_of, why_trend, choice);
}

struct selector selector_of_safe(const struct safe *safe)
{
    return (struct selector){ .name = "safe",
                              .help = "the library's default, but where measured cells about it "
                                      "and most learners know something faster",
                              .label = "safe",
                              .in_sample = 1,
                              .problem = safe->problem,
                              .safe = safe,
                              .core_s = spent_on_grid,
                              .choose = choose_safe };
}

struct selector selector_of_trend(const struct problem *problem)
{
    return (struct selector){ .name = "trend",
                              .help = "gains over the default in the cells about it, carried on",
                              .label = "gains carried on",
                              .in_sample = 1,
                              .problem = problem,
                              .core_s = spent_on_grid,
                              .choose = choose_trend };
}
