/* SPDX-License-Identifier: BSD-3-Clause */
/* derived.c - the least prediction of the implementation-derived models (Nuriyev & Lastovetsky). */
#include <string.h>

#include "analysis/judge/selectors/selector.h"

/* The experiments for alpha and beta; for gamma the loops, their barriers, and the synchronised
 * broadcasts. */
static double core_s(const struct points *points, const struct spending *of)
{
    double sum = spent_on(points, of, EXP_GATHER) + spent_on(points, of, EXP_GAMMA) +
                 spent_on(points, of, EXP_BARRIER);
    const int any = points_have(points, EXP_GAMMA);
    for (size_t i = 0; i < points->n && any; i++) {
        const struct measured *m = &points->row[i];
        if (spent_for(of, m) && gamma_is_experiment(points, m))
            sum += m->core_s;
    }
    return sum;
}

static int choose(const struct cell_view *view, struct choice *choice)
{
    return choose_by_model(view, "stage", choice);
}

const struct selector selector_derived = {
    .name = "stage",
    .help = "the least prediction of the models derived from the implementation",
    .core_s = core_s,
    .choose = choose,
};
