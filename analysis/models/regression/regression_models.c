/* SPDX-License-Identifier: BSD-3-Clause */
/* regression, regression_ls, regression_mm: a regression over P of the times of
 * that very algorithm, mapping and size (regression.h). */
#include "analysis/models/model.h"
#include "analysis/models/parameters.h"
#include "analysis/models/regression/regression.h"

static enum predict_status predict(const struct question *q, double *seconds)
{
    const struct candidate runs = model_runs(q->candidate, q->s);
    const struct regressions *all = parameters_of(q->p, &regression_set);
    const struct regression_fit *fit =
        all ? regressions_find(all, (enum regression_method)q->model->variant, q->cell, &runs)
            : NULL;
    struct regression_prediction prediction;
    if (!fit || regression_predict(all, fit, q->cell, &prediction) < 0)
        return PREDICT_NO_FIT;
    *seconds = prediction.seconds;
    return prediction.extrapolated ? PREDICT_EXTRAPOLATED : PREDICT_OK;
}

static int has_regressions(const struct parameters *p)
{
    const struct regressions *all = parameters_of(p, &regression_set);
    return all && regressions_usable(all);
}

/* What the three estimators' rows have in common. */
#define REGRESSION_MODEL                                                                           \
    .in_sample = 1, .without_schedule = 1, .fitted = 1, .applies = has_regressions,                \
    .chosen_on = "imported:tallone", .predict = predict, .core_s = spent_on_grid

/* clang-format off */
const struct model model_regression = {
    REGRESSION_MODEL, .name = "regression", .label = "regression",
    .prose = "a regression over P of the measured times of that very algorithm, mapping and size, "
            "with steps where another socket or node comes into use (Tallone)",
    .colour = "#0072B2", .dash = 1, .marker = 9, .variant = REGRESSION_HUBER,
    .help = "regression over P with dummies for sockets or nodes, Huber"
};

const struct model model_regression_ls = {
    REGRESSION_MODEL, .name = "regression_ls", .label = "regression, least squares",
    .prose = "the same regression by least squares", .colour = "#56B4E9", .dash = 2, .marker = 10,
    .only_predicts = 1, .variant = REGRESSION_LS,
    .help = "the same by least squares"
};

const struct model model_regression_mm = {
    REGRESSION_MODEL, .name = "regression_mm", .label = "regression, MM",
    .prose = "the same regression by an MM-estimator, for times with many outliers",
    .colour = "#CC79A7", .dash = 4, .marker = 4, .only_predicts = 1, .variant = REGRESSION_MM,
    .help = "the same by an MM-estimator, for times with many outliers"
};
/* clang-format on */

/* ---- their parameters ---- */

static int fit_set(const struct fit_from *from, const struct parameters *p, void *value,
                   struct err *err)
{
    (void)p;
    (void)err;
    regressions_fit(from->groups, from->facts, from->statistic, from->split, value);
    return 0;
}

static int write_set(const char *dir, const struct fit_from *from, const struct parameters *p,
                     void *value, struct err *err)
{
    (void)p;
    regressions_cover(from->groups, value);
    return regressions_write(dir, value, from->groups, err);
}

static void clear_set(void *value)
{
    regressions_clear(value);
}

/* clang-format off */
const struct parameter_set regression_set = {
    .name = "regression", .size = sizeof(struct regressions), .by_split = 1, .fit = fit_set,
    .write = write_set, .clear = clear_set
};
/* clang-format on */
