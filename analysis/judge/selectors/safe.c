/* SPDX-License-Identifier: BSD-3-Clause */
/* safe.c - the library's default, but where it is known that something else is faster
 * (analysis/learn/safe.h). */
#include "analysis/learn/safe.h"

#include <math.h>

#include "analysis/judge/selectors/selector.h"

static int choose(const struct selector *self, const struct cell_view *view, struct choice *choice)
{
    const struct safe *safe = self->safe;
    const struct subject *subject = problem_subject(safe->problem, &view->cell);
    struct choice by_default = { .predicted_s = NAN };
    const struct measured *best = NULL;
    double most = -INFINITY;
    float x[N_FEATURES];
    if (!selector_default.choose(&selector_default, view, &by_default)) {
        *choice = by_default;
        return 0;
    }
    const struct candidate falls_back =
        problem_runs(view->facts, &view->cell, &by_default.candidate);
    problem_features(&view->cell, view->facts, x);
    for (size_t i = 0; subject && i < view->n; i++) {
        const struct measured *m = view->pool[i].measured;
        const struct candidate runs = problem_runs(view->facts, &view->cell, &m->point.candidate);
        const double bound = candidate_equal(&runs, &falls_back)
                                 ? -INFINITY
                                 : safe_bound(subject, &runs, &view->cell, 0);
        if (bound > most && safe_may(safe, &view->cell, x, bound, &runs, &falls_back)) {
            most = bound;
            best = m;
        }
    }
    choice->compared = view->n;
    if (best)
        snprintf(choice->reason, sizeof choice->reason,
                 "gained %.3g %% or more over the default in the cells about it",
                 100 * expm1(most));
    else
        snprintf(choice->reason, sizeof choice->reason,
                 "the default: no gain over it is known well enough");
    return choose_measured(best ? best : by_default.measured, choice);
}

struct selector selector_of_safe(const struct safe *safe)
{
    return (struct selector){ .name = "safe",
                              .help = "the library's default, but where measured cells about it "
                                      "and most learners know something faster",
                              .label = "safe",
                              .in_sample = 1,
                              .safe = safe,
                              .core_s = spent_on_grid,
                              .choose = choose };
}
