/* SPDX-License-Identifier: BSD-3-Clause */
/* stage: the stage walk of the schedule that runs, with gamma of the platform and the alpha and
 * beta of that algorithm (Nuriyev & Lastovetsky). */
#include "analysis/models/hockney/hockney.h"
#include "analysis/models/model.h"
#include "analysis/models/parameters.h"

/* The stages of the schedule: of an earlier question, or in *own; -1: they cannot be walked. */
static int stages_of(const struct question *q, struct stage_profile *own)
{
    struct err err;
    if (q->walks && q->walks->staged)
        return 0;
    if (stage_walk(model_schedule(q), own, &err) < 0)
        return -1;
    if (!q->walks)
        return 0;
    q->walks->staged = 1;
    q->walks->stages = *own;
    return 0;
}

/* Seconds from the walk, or a status. */
static enum predict_status walk(const struct question *q, const struct gamma *gamma, double alpha,
                                double beta, double *seconds)
{
    struct stage_profile own = { 0 };
    if (model_too_many(q->s, MODEL_MOST_ROUNDS))
        return PREDICT_TOO_MANY;
    if (stages_of(q, &own) < 0)
        return PREDICT_NO_SCHEDULE;
    *seconds = stage_time(q->walks ? &q->walks->stages : &own, gamma, alpha, beta);
    if (!q->walks)
        stage_profile_clear(&own);
    return PREDICT_OK;
}

static enum predict_status predict(const struct question *q, double *seconds)
{
    const struct cell *cell = q->cell;
    const struct candidate runs = model_runs(q->candidate, q->s);
    const struct gamma_models *gammas = parameters_of(q->p, &gamma_set);
    const struct hockneys *fits = parameters_of(q->p, &hockney_set);
    struct gamma gamma;
    if (!gammas || !gamma_for(gammas, cell->mpi, cell->mapping, cell->collective, &gamma))
        return PREDICT_NO_GAMMA;
    const struct hockney *fit =
        fits ? hockney_find(fits, cell->collective, cell->mpi, cell->mapping, &runs) : NULL;
    if (!hockney_usable(fit))
        return PREDICT_NO_FIT;
    const enum predict_status walked = walk(q, &gamma, fit->alpha, fit->beta, seconds);
    return walked == PREDICT_OK && fit->status == FIT_POOR ? PREDICT_POOR_FIT : walked;
}

/* The experiments for alpha and beta; for gamma the loops, their barriers, and the synchronised
 * broadcasts. */
static double core_s(const struct points *points, const struct spending *of)
{
    double sum = spent_on(points, of, EXP_GATHER) + spent_on(points, of, EXP_GAMMA) +
                 spent_on(points, of, EXP_BARRIER);
    const int any = points_have(points, EXP_GAMMA);
    for (size_t i = 0; i < points->n && any; i++) {
        const struct measured *m = &points->row[i];
        if (measured_for(of, m) && gamma_is_experiment(points, m))
            sum += m->core_s;
    }
    return sum;
}

const struct model model_stage = {
    .name = "stage",
    .help = "stage walk of the implementation's schedule; alpha and beta per algorithm",
    .label = "stage model",
    .prose = "the stages of the implementation’s own schedule, with γ(P) and α and β of that "
             "algorithm (the model of Nuriyev and Lastovetsky)",
    .colour = "#aa3377",
    .dash = 1,
    .marker = 7,
    .chosen_on = "sim:gros sim:grisou",
    .predict = predict,
    .core_s = core_s,
};
