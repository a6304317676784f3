/* SPDX-License-Identifier: BSD-3-Clause */
/* loggp: every message of the schedule in the order of time, with the latency and gaps of the
 * platform and two scales of the algorithm. */
#include "analysis/models/parameters.h"

static enum predict_status predict(const struct parameters *p, const struct cell *cell,
                                   const struct candidate *candidate, const struct schedule *s,
                                   double *seconds)
{
    struct candidate runs = model_runs(candidate, s);
    struct loggp_result result;
    struct err err;
    if (!p->events)
        return PREDICT_NO_FIT;
    const struct loggp_platform *at = loggp_platform_find(p->events, cell->mpi, cell->mapping);
    const struct loggp_fit *fit = loggp_fit_find(p->events, cell, &runs);
    if (!loggp_platform_usable(at) || !loggp_fit_usable(fit))
        return PREDICT_NO_FIT;
    if (loggp_walk(s, &at->costs, loggp_place_of(cell), fit->scale, &result, &err) < 0)
        return PREDICT_NO_SCHEDULE;
    *seconds = result.clock.time;
    return PREDICT_OK;
}

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

const struct model model_loggp = {
    .name = "loggp",
    .help = "walk of the implementation's messages; latency and gap apart, scales per algorithm",
    .label = "LogGP model",
    .carries = 3,
    .prose = "the same schedules, walked message by message, with latency, sending and receiving "
             "apart as functions of the message size, and two scales per algorithm (ours, after "
             "the LogGP model)",
    .colour = "#332288",
    .dash = 2,
    .marker = 12,
    .predict = predict,
    .core_s = core_s,
};
