/* SPDX-License-Identifier: BSD-3-Clause */
/* regression, regression_ls, regression_mm: a regression over P of the times of
 * that very algorithm, mapping and size (regression.h). */
#include "analysis/measure/result_file.h"
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

/* regression_models.c - fit/regression.csv, fit/regression_terms.csv, fit/regression_residuals.csv.
 */

/* clang-format off */
/* What is fitted: points that differ by P alone. */
#define GROUP(row, of)                                                                             \
    COLUMN(row, NAME, "collective", of cell.collective, "", "the MPI collective"),                 \
        PLATFORM_COLUMNS(row, of cell.mpi, of cell.mapping),                                       \
        COLUMN(row, INT, "root", of cell.root, "", "the root's rank"),                             \
        COLUMN(row, COUNT, "bytes", of cell.bytes, "bytes", "per process, as the MPI call sees it"), \
        CANDIDATE_COLUMNS(row, of candidate),                                                      \
        COLUMN(row, NAME, "statistic", of statistic, "", "of the times: `max_rank` or `mean_rank`")
#define METHOD(row)                                                                                \
    COLUMN(row, NAME, "method", method, "", "`huber` (model `regression`), `plain` (least squares, " \
           "`regression_ls`), `mm` (`regression_mm`)")

static const struct schema_column fit_list[] = {
    GROUP(regression_row, fit.),
    METHOD(regression_row),
    COLUMN(regression_row, NAME, "x", x, "", "`procs` or `log2_procs`"),
    COLUMN(regression_row, NAME, "dummies", dummies, "", "what the dummies tell apart: `sockets`, `nodes` or `none`"),
    COLUMN(regression_row, COUNT, "columns", fit.design.columns, "", "coefficients"),
    COLUMN(regression_row, INT, "procs_low", fit.procs_low, "", "the fewest ranks fitted"),
    COLUMN(regression_row, INT, "procs_high", fit.procs_high, "", "the most ranks fitted"),
    COLUMN(regression_row, COUNT, "n", fit.r.n, "", "points"),
    COLUMN(regression_row, REAL, "sigma", fit.r.sigma, "s", "scale of the residuals"),
    COLUMN(regression_row, REAL, "r2", fit.r.r2, "", "with the weights that the residuals have"),
    COLUMN(regression_row, REAL, "condition", fit.r.condition, "", "condition number"),
    COLUMN(regression_row, REAL, "median_error", fit.median_error, "", "relative, over the points fitted; empty: there is no fit"),
    COLUMN(regression_row, REAL, "power", fit.power, "", "the spread grows with this power of the fitted time (0: not at all, 1: in proportion)"),
    COLUMN(regression_row, REAL, "confidence", confidence, "", "the study's"),
    COLUMN(regression_row, REAL, "covered", fit.covered, "", "share of the times within the interval of one measurement at this confidence, over every other P, fitted to the rest"),
    COLUMN(regression_row, WORD, "status", fit.r.status, "", "what came of the fit", .words = fit_status_words),
    COLUMN(regression_row, TEXT, "reason", fit.reason, "", "what was left out, or why there is no fit"),
};

static const struct schema_column term_list[] = {
    GROUP(regression_term, ),
    METHOD(regression_term),
    COLUMN(regression_term, NAME, "term", term, "", "`intercept`, `x`, `z1`, `x:z1`, ...: z1 is 1 where the second socket (node) is in use"),
    COLUMN(regression_term, REAL, "coefficient_s", coefficient_s, "s", "per unit of `x`, where it is a slope"),
    COLUMN(regression_term, REAL, "stderr_s", stderr_s, "s", "standard error"),
    COLUMN(regression_term, REAL, "low_s", low_s, "s", "Student t interval at the study's confidence"),
    COLUMN(regression_term, REAL, "high_s", high_s, "s", "its other end"),
};

static const struct schema_column residual_list[] = {
    GROUP(regression_point, ),
    COLUMN(regression_point, INT, "nodes", cell.nodes, "", "nodes used"),
    COLUMN(regression_point, INT, "ppn", cell.ppn, "", "the most ranks on one node"),
    COLUMN(regression_point, INT, "procs", cell.procs, "", "ranks"),
    COLUMN(regression_point, REAL, "measured_s", measured_s, "s", "what was measured"),
    COLUMN(regression_point, REAL, "huber_s", huber_s, "s", "fitted"),
    COLUMN(regression_point, REAL, "huber_low_s", huber_low_s, "s", "the interval that is to hold one new measurement"),
    COLUMN(regression_point, REAL, "huber_high_s", huber_high_s, "s", "its other end"),
    COLUMN(regression_point, REAL, "huber_weight", huber_weight, "", "in the last iteration, in (0, 1]; empty: the point was not fitted"),
    COLUMN(regression_point, REAL, "plain_s", plain_s, "s", "fitted by least squares"),
    COLUMN(regression_point, REAL, "mm_s", mm_s, "s", "fitted by `mm`"),
    COLUMN(regression_point, REAL, "mm_low_s", mm_low_s, "s", "the interval that is to hold one new measurement"),
    COLUMN(regression_point, REAL, "mm_high_s", mm_high_s, "s", "its other end"),
    COLUMN(regression_point, REAL, "mm_weight", mm_weight, "", "as `huber_weight`"),
};
/* clang-format on */

SCHEMA(regression_schema, regression_row, fit_list, "fit/regression.csv",
       "One row per regression over P (`analysis/models/regression/regression.h`), three "
       "estimators per group of points that differ by P alone.",
       .backend = 1);

SCHEMA(regression_term_schema, regression_term, term_list, "fit/regression_terms.csv",
       "One row per coefficient.", .backend = 1);

SCHEMA(regression_point_schema, regression_point, residual_list, "fit/regression_residuals.csv",
       "One row per point of a group.", .backend = 1);

/* What is written: the fits, of these groups. */
struct written {
    const struct regressions *fits;
    const struct point_groups *groups;
};

static void write_fit(struct csvw *w, const void *user, size_t i)
{
    const struct regressions *d = ((const struct written *)user)->fits;
    const struct regression_fit *f = &d->fit[i];
    struct regression_row r = { .fit = *f, .confidence = d->facts->confidence };
    snprintf(r.method, sizeof r.method, "%s", regression_method_name(f->method));
    snprintf(r.x, sizeof r.x, "%s", regression_x_name(&f->design));
    snprintf(r.dummies, sizeof r.dummies, "%s", regression_unit_name(f->design.unit));
    schema_row(w, &regression_schema, &r);
}

static void write_terms(struct csvw *w, const void *user, size_t i)
{
    const struct regression_fit *f = &((const struct written *)user)->fits->fit[i];
    struct regression_term r = { .cell = f->cell, .candidate = f->candidate };
    snprintf(r.statistic, sizeof r.statistic, "%s", f->statistic);
    snprintf(r.method, sizeof r.method, "%s", regression_method_name(f->method));
    for (size_t k = 0; f->median_error >= 0 && k < f->design.columns; k++) {
        char name[16];
        snprintf(r.term, sizeof r.term, "%s",
                 regression_column_name(&f->design, k, name, sizeof name));
        r.coefficient_s = f->r.coef[k];
        r.stderr_s = f->r.stderr_of[k];
        r.low_s = f->r.low[k];
        r.high_s = f->r.high[k];
        schema_row(w, &regression_term_schema, &r);
    }
}

/* The three estimators' word on one point; fit is the first of them. */
static void write_residual(struct csvw *w, const struct regressions *d,
                           const struct regression_fit *fit, const struct measured *m, size_t i)
{
    struct regression_prediction p[N_REGRESSION_METHODS];
    double weight[N_REGRESSION_METHODS];
    for (int k = 0; k < N_REGRESSION_METHODS; k++) {
        p[k] = (struct regression_prediction){ NAN, NAN, NAN, 0 };
        regression_predict(d, &fit[k], &m->point.cell, &p[k]);
        weight[k] = fit[k].weight ? fit[k].weight[i] : NAN;
    }
    struct regression_point r = { .cell = fit->cell,
                                  .candidate = fit->candidate,
                                  .measured_s = measured_seconds(m, d->statistic),
                                  .huber_s = p[REGRESSION_HUBER].seconds,
                                  .huber_low_s = p[REGRESSION_HUBER].low,
                                  .huber_high_s = p[REGRESSION_HUBER].high,
                                  .huber_weight = weight[REGRESSION_HUBER],
                                  .plain_s = p[REGRESSION_LS].seconds,
                                  .mm_s = p[REGRESSION_MM].seconds,
                                  .mm_low_s = p[REGRESSION_MM].low,
                                  .mm_high_s = p[REGRESSION_MM].high,
                                  .mm_weight = weight[REGRESSION_MM] };
    snprintf(r.statistic, sizeof r.statistic, "%s", fit->statistic);
    r.cell.nodes = m->point.cell.nodes;
    r.cell.ppn = m->point.cell.ppn;
    r.cell.procs = m->point.cell.procs;
    schema_row(w, &regression_point_schema, &r);
}

static void write_residuals(struct csvw *w, const void *user, size_t g)
{
    const struct written *of = user;
    const struct point_group *group = &of->groups->group[g];
    for (size_t i = 0; i < group->n; i++)
        write_residual(w, of->fits, &of->fits->fit[g * N_REGRESSION_METHODS], group->row[i], i);
}

int regressions_write(const char *dir, const struct regressions *d,
                      const struct point_groups *groups, struct err *err)
{
    const struct written all = { d, groups };
    if (result_write_each(dir, &regression_schema, d->facts->backend, d->n, write_fit, &all, err) <
            0 ||
        result_write_each(dir, &regression_term_schema, d->facts->backend, d->n, write_terms, &all,
                          err) < 0)
        return -1;
    return result_write_each(dir, &regression_point_schema, d->facts->backend, groups->n,
                             write_residuals, &all, err);
}
