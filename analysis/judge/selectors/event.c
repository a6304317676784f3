/* SPDX-License-Identifier: BSD-3-Clause */
/* event.c - the least prediction of the event walk, latency and gap apart. */
#include <string.h>

#include "analysis/models/loggp/loggp_fit.h"
#include "analysis/judge/selectors/selector.h"

/* Ping-pong, the linear broadcasts, and each algorithm at the fits' process count. */
static double core_s(const struct points *points, const struct spending *of)
{
    double sum = spent_on(points, of, EXP_PINGPONG);
    const int any = points_have(points, EXP_GATHER);
    for (size_t i = 0; i < points->n; i++) {
        const struct measured *m = &points->row[i];
        if (m->point.experiment == EXP_TIME && spent_for(of, m) &&
            (m->point.purpose == FOR_FIT || (any && loggp_is_experiment(points, m))))
            sum += m->core_s;
    }
    return sum;
}

static int choose(const struct cell_view *view, struct choice *choice)
{
    return choose_by_model(view, "loggp", choice);
}

const struct selector selector_event = {
    .name = "loggp",
    .help = "the least prediction of the implementation's schedule with latency and gap apart",
    .core_s = core_s,
    .choose = choose,
};
