/* SPDX-License-Identifier: BSD-3-Clause */
/* loggp: every message of the schedule in the order of time, with the latency and gaps of the
 * platform and two scales of the algorithm. */
#include "analysis/models/gamma/gamma_fit.h"
#include "analysis/models/loggp/loggp_fit.h"
#include "analysis/models/model.h"
#include "analysis/models/parameters.h"

static enum predict_status predict(const struct question *q, double *seconds)
{
    struct candidate runs = model_runs(q->candidate, q->s);
    struct loggp_result result;
    struct err err;
    const struct loggp_fits *fits = parameters_of(q->p, &loggp_set);
    if (!fits)
        return PREDICT_NO_FIT;
    const struct loggp_platform *at = loggp_platform_find(fits, q->cell->mpi, q->cell->mapping);
    const struct loggp_fit *fit = loggp_fit_find(fits, q->cell, &runs);
    if (!loggp_platform_usable(at) || !loggp_fit_usable(fit))
        return PREDICT_NO_FIT;
    if (model_too_many(q->s, MODEL_MOST_ROUNDS))
        return PREDICT_TOO_MANY;
    if (loggp_walk(model_schedule(q), &at->costs, loggp_place_of(q->cell), fit->scale, &result,
                   &err) < 0)
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
        if (m->point.experiment == EXP_TIME && measured_for(of, m) &&
            (m->point.purpose == FOR_FIT || (any && loggp_is_experiment(points, m))))
            sum += m->core_s;
    }
    return sum;
}

const struct model model_loggp = {
    .name = "loggp",
    .simulators = 1,
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

/* ---- its parameters ---- */

static int fit_set(const struct fit_from *from, const struct parameters *p, void *value,
                   struct err *err)
{
    (void)err;
    loggp_fit(from->points, from->facts, parameters_of(p, &gamma_set), from->facts->confidence,
              value);
    return 0;
}

PARAMETER_SET_FILES(loggp_fits_write, loggp_fits_clear)

static void print_set(FILE *out, const void *value)
{
    const struct loggp_fits *e = value;
    char text[CANDIDATE_TEXT];
    int width = 46;
    for (size_t i = 0; i < e->n; i++)
        width = candidate_width(&e->fit[i].candidate, width);
    fprintf(out, "%-10s %-8s %-7s %-12s %-*s %12s %14s %10s %3s %s\n", "collective", "mpi",
            "mapping", "model", width, "algorithm", "latency x", "gap x", "error %", "n", "status");
    for (size_t i = 0; i < e->n; i++) {
        const struct loggp_fit *f = &e->fit[i];
        fprintf(out, "%-10s %-8s %-7s %-12s %-*s ", f->collective, f->mpi, f->mapping, "loggp",
                width, candidate_text(&f->candidate, text, sizeof text));
        if (f->mean_error >= 0)
            fprintf(out, "%12.4f %14.4f %10.2f ", f->scale.latency, f->scale.gap,
                    100 * f->mean_error);
        else
            fprintf(out, "%12s %14s %10s ", "-", "-", "-");
        fprintf(out, "%3zu %s%s%s\n", f->n, fit_status_name(f->status), *f->reason ? ": " : "",
                f->reason);
    }
}

const struct parameter_set loggp_set = {
    .name = "loggp",
    .size = sizeof(struct loggp_fits),
    .fit = fit_set,
    .write = write_set,
    .print = print_set,
    .clear = clear_set,
};
