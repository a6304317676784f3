/* SPDX-License-Identifier: BSD-3-Clause */
/* regression_csv.c - fit/regression.csv, fit/regression_terms.csv and fit/regression_residuals.csv on disk. */
#include <math.h>
#include <stdlib.h>

#include "analysis/models/regression/regression.h"
#include "analysis/measure/result_file.h"

/* clang-format off */
#define GROUP "collective", "mpi", "mapping", "root", "bytes", "algorithm", "segment_bytes", "fanout", "statistic"
static const char *const fit_columns[] = {
    GROUP, "method", "x", "dummies", "columns", "procs_low", "procs_high", "n", "sigma", "r2",
    "condition", "median_error", "power", "confidence", "covered", "status", "reason", NULL,
};
static const char *const term_columns[] = {
    GROUP, "method", "term", "coefficient_s", "stderr_s", "low_s", "high_s", NULL,
};
static const char *const residual_columns[] = {
    GROUP, "nodes", "ppn", "procs", "measured_s", "huber_s", "huber_low_s", "huber_high_s",
    "huber_weight", "plain_s", "mm_s", "mm_low_s", "mm_high_s", "mm_weight", NULL,
};
/* clang-format on */

static void write_group(struct csvw *w, const struct regression_fit *f)
{
    csvw_text(w, f->cell.collective);
    csvw_text(w, f->cell.mpi);
    csvw_text(w, f->cell.mapping);
    csvw_i64(w, f->cell.root);
    csvw_u64(w, f->cell.bytes);
    csvw_text(w, f->candidate.algorithm);
    csvw_u64(w, f->candidate.segment_bytes);
    csvw_i64(w, f->candidate.fanout);
    csvw_text(w, f->statistic);
}

static void write_fit(struct csvw *w, const struct regression_fit *f, double confidence)
{
    write_group(w, f);
    csvw_text(w, regression_method_name(f->method));
    csvw_text(w, regression_x_name(&f->design));
    csvw_text(w, regression_unit_name(f->design.unit));
    csvw_u64(w, f->design.columns);
    csvw_i64(w, f->procs_low);
    csvw_i64(w, f->procs_high);
    csvw_u64(w, f->r.n);
    csvw_f64(w, f->r.sigma);
    csvw_f64(w, f->r.r2);
    csvw_f64(w, f->r.condition);
    csvw_f64(w, f->median_error);
    csvw_f64(w, f->power);
    csvw_f64(w, confidence);
    csvw_f64(w, f->covered);
    csvw_text(w, fit_status_name(f->r.status));
    csvw_text(w, f->reason);
    csvw_end(w);
}

static void write_terms(struct csvw *w, const struct regression_fit *f)
{
    char name[16];
    for (size_t k = 0; f->median_error >= 0 && k < f->design.columns; k++) {
        write_group(w, f);
        csvw_text(w, regression_method_name(f->method));
        csvw_text(w, regression_column_name(&f->design, k, name, sizeof name));
        csvw_f64(w, f->r.coef[k]);
        csvw_f64(w, f->r.stderr_of[k]);
        csvw_f64(w, f->r.low[k]);
        csvw_f64(w, f->r.high[k]);
        csvw_end(w);
    }
}

/* The three estimators' word on one point; fit is the first of them. */
static void write_residual(struct csvw *w, const struct regressions *d, const struct regression_fit *fit,
                           const struct measured *m, size_t i)
{
    const struct cell *c = &m->point.cell;
    struct regression_prediction p[N_DUMMY_METHODS];
    double weight[N_DUMMY_METHODS];
    for (int k = 0; k < N_DUMMY_METHODS; k++) {
        p[k] = (struct regression_prediction){ NAN, NAN, NAN, 0 };
        regression_predict(d, &fit[k], c, &p[k]);
        weight[k] = fit[k].weight ? fit[k].weight[i] : NAN;
    }
    write_group(w, fit);
    csvw_i64(w, c->nodes);
    csvw_i64(w, c->ppn);
    csvw_i64(w, c->procs);
    csvw_f64(w, measured_seconds(m, d->statistic));
    csvw_f64(w, p[REGRESSION_HUBER].seconds);
    csvw_f64(w, p[REGRESSION_HUBER].low);
    csvw_f64(w, p[REGRESSION_HUBER].high);
    csvw_f64(w, weight[REGRESSION_HUBER]);
    csvw_f64(w, p[REGRESSION_LS].seconds);
    csvw_f64(w, p[REGRESSION_MM].seconds);
    csvw_f64(w, p[REGRESSION_MM].low);
    csvw_f64(w, p[REGRESSION_MM].high);
    csvw_f64(w, weight[REGRESSION_MM]);
    csvw_end(w);
}

int regressions_write(const char *dir, const struct regressions *d, const struct point_groups *groups,
                  struct err *err)
{
    struct whole_file f;
    struct csvw w;
    if (result_begin(dir, "fit/regression.csv", fit_columns, &f, &w, err) < 0)
        return -1;
    for (size_t i = 0; i < d->n; i++)
        write_fit(&w, &d->fit[i], d->facts->confidence);
    if (fs_commit(&f, err) < 0 ||
        result_begin(dir, "fit/regression_terms.csv", term_columns, &f, &w, err) < 0)
        return -1;
    for (size_t i = 0; i < d->n; i++)
        write_terms(&w, &d->fit[i]);
    if (fs_commit(&f, err) < 0 ||
        result_begin(dir, "fit/regression_residuals.csv", residual_columns, &f, &w, err) < 0)
        return -1;
    for (size_t g = 0; g < groups->n; g++)
        for (size_t i = 0; i < groups->group[g].n; i++)
            write_residual(&w, d, &d->fit[g * N_DUMMY_METHODS], groups->group[g].row[i], i);
    return fs_commit(&f, err);
}
