/* SPDX-License-Identifier: BSD-3-Clause */
/* hockney_csv.c - fit/hockney.csv and fit/residuals.csv on disk. */
#include "analysis/measure/result_file.h"
#include "analysis/models/hockney/hockney.h"
#include "analysis/models/parameters.h"

/* clang-format off */
static const struct schema_column fit_columns[] = {
    COLUMN(hockney, NAME, "collective", collective, "", "empty: any, of the textbook model"),
    PLATFORM_COLUMNS(hockney, mpi, mapping),
    COLUMN(hockney, NAME, "model", model, "", "the model that it is of"),
    CANDIDATE_COLUMNS(hockney, candidate),
    COLUMN(hockney, INT, "procs", procs, "", "the most ranks in any equation"),
    COLUMN(hockney, REAL, "alpha_s", alpha, "s", "alpha by Huber regression"),
    COLUMN(hockney, REAL, "beta_s_per_byte", beta, "s/byte", "beta by Huber regression"),
    COLUMN(hockney, REAL, "alpha_stderr", alpha_stderr, "s", "standard error"),
    COLUMN(hockney, REAL, "beta_stderr", beta_stderr, "s/byte", "standard error"),
    COLUMN(hockney, REAL, "alpha_low", alpha_low, "s", "interval at the study's confidence"),
    COLUMN(hockney, REAL, "alpha_high", alpha_high, "s", "its other end"),
    COLUMN(hockney, REAL, "beta_low", beta_low, "s/byte", "interval at the study's confidence"),
    COLUMN(hockney, REAL, "beta_high", beta_high, "s/byte", "its other end"),
    COLUMN(hockney, REAL, "ls_alpha_s", ls_alpha, "s", "alpha by least squares"),
    COLUMN(hockney, REAL, "ls_beta_s_per_byte", ls_beta, "s/byte", "beta by least squares"),
    COLUMN(hockney, REAL, "condition", condition, "", "condition number of the scaled, weighted equations"),
    COLUMN(hockney, REAL, "r2", r2, "", "share of the weighted variance that is explained"),
    COLUMN(hockney, COUNT, "n", n, "", "equations used"),
    COLUMN(hockney, COUNT, "excluded", excluded, "", "equations left out"),
    COLUMN(hockney, WORD, "status", status, "", "what came of the fit", .words = fit_status_words),
    COLUMN(hockney, TEXT, "reason", reason, "", "why, where it is not ok"),
};

static const struct schema_column residual_columns[] = {
    COLUMN(residual_row, NAME, "collective", fit.collective, "", "empty: any, of the textbook model"),
    COLUMN(residual_row, NAME, "model", fit.model, "", "the model that the fit is of"),
    PLATFORM_COLUMNS(residual_row, fit.mpi, fit.mapping),
    CANDIDATE_COLUMNS(residual_row, fit.candidate),
    COLUMN(residual_row, INT, "procs", of.point.cell.procs, "", "ranks"),
    COLUMN(residual_row, COUNT, "bytes", of.point.cell.bytes, "bytes", "of the experiment"),
    COLUMN(residual_row, COUNT, "gather_bytes", of.point.gather_bytes, "bytes", "that each rank sends back"),
    COLUMN(residual_row, REAL, "a", of.a, "", "T = a alpha + b beta, the gather included"),
    COLUMN(residual_row, REAL, "b", of.b, "bytes", "factor of beta"),
    COLUMN(residual_row, REAL, "x", of.x, "bytes", "b / a"),
    COLUMN(residual_row, REAL, "y", of.y, "s", "T / a"),
    COLUMN(residual_row, REAL, "fitted_y", of.fitted, "s", "alpha + beta x"),
    COLUMN(residual_row, REAL, "residual", residual, "s", "y - fitted_y"),
    COLUMN(residual_row, REAL, "weight", of.weight, "", "Huber's, in (0, 1]"),
    COLUMN(residual_row, INT, "used", of.used, "", "0: left out, with the reason, and no numbers", .most = 1),
    COLUMN(residual_row, TEXT, "reason", of.reason, "", "why it was left out"),
};
/* clang-format on */

SCHEMA(hockney_schema, hockney, fit_columns, "fit/hockney.csv",
       "One row per fit of alpha and beta (`analysis/models/hockney/hockney.h`).", .backend = 1);

SCHEMA(residual_schema, residual_row, residual_columns, "fit/residuals.csv",
       "One row per experiment and fit of `fit/hockney.csv`.", .backend = 1);

static void write_residual(struct csvw *w, const void *user, size_t i)
{
    const struct hockneys *fits = user;
    const struct equation *e = &fits->equation[i];
    const struct residual_row r = { fits->fit[e->fit], *e, e->y - e->fitted };
    schema_row(w, &residual_schema, &r);
}

int hockneys_write(const char *dir, const char *backend, const struct hockneys *fits,
                   struct err *err)
{
    if (result_write(dir, &hockney_schema, backend, fits->fit, fits->n, err) < 0)
        return -1;
    return result_write_each(dir, &residual_schema, backend, fits->n_equations, write_residual,
                             fits, err);
}

static int fit(const struct fit_from *from, const struct parameters *p, void *value,
               struct err *err)
{
    (void)err;
    hockney_fit(from->points, from->facts, parameters_of(p, &gamma_set), from->facts->confidence,
                value);
    return 0;
}

PARAMETER_SET_FILES(hockneys_write, hockneys_clear)

const struct parameter_set hockney_set = {
    .name = "hockney",
    .size = sizeof(struct hockneys),
    .fit = fit,
    .write = write_set,
    .clear = clear_set,
};
