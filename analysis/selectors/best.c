/* SPDX-License-Identifier: BSD-3-Clause */
/* best.c - the fastest measured candidate: what every other selector is compared with. */
#include <string.h>

#include "analysis/selectors/selector.h"

/* Everything that was measured of the study's candidates, held-out cells apart. */
static double core_s(const struct points *points, const struct spending *of)
{
    double sum = 0;
    for (size_t i = 0; i < points->n; i++) {
        const struct measured *m = &points->row[i];
        if (m->point.experiment == EXP_TIME && m->point.purpose == FOR_STUDY && spent_for(of, m))
            sum += m->core_s;
    }
    return sum;
}

static int choose(const struct cell_view *view, struct choice *choice)
{
    const struct measured *best = NULL;
    for (size_t i = 0; i < view->n; i++) {
        const struct measured *m = view->pool[i].measured;
        if (measured_usable(m) && (!best || m->time.mean < best->time.mean))
            best = m;
    }
    /* what others measured are a few of the algorithms that the default may use */
    const struct measured *d = view->facts->imported ? view->by_default : NULL;
    if (d && measured_usable(d) && (!best || d->time.mean < best->time.mean))
        best = d;
    if (best)
        return choose_measured(best, choice);
    snprintf(choice->reason, sizeof choice->reason, "no candidate was measured");
    return 0;
}

const struct selector selector_best = {
    .name = "best",
    .help = "the fastest measured candidate (exhaustive measurement)",
    .core_s = core_s,
    .choose = choose,
};
