/* SPDX-License-Identifier: BSD-3-Clause */
/* hockney_csv.c - fit/hockney.csv and fit/residuals.csv on disk. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/models/hockney/hockney.h"
#include "analysis/measure/result_file.h"
#include "harness/base/csv.h"
#include "harness/base/fs.h"

static const char *const fit_columns[] = {
    "collective", "mpi",        "mapping",  "model",           "algorithm",    "segment_bytes",
    "fanout",     "procs",      "alpha_s",  "beta_s_per_byte", "alpha_stderr", "beta_stderr",
    "alpha_low",  "alpha_high", "beta_low", "beta_high",       "ls_alpha_s",   "ls_beta_s_per_byte",
    "condition",  "r2",         "n",        "excluded",        "status",       "reason",
    NULL,
};
static const char *const residual_columns[] = {
    "collective", "model", "mpi",      "mapping",      "algorithm", "segment_bytes",
    "fanout",     "procs", "bytes",    "gather_bytes", "a",         "b",
    "x",          "y",     "fitted_y", "residual",     "weight",    "used",
    "reason",     NULL,
};

/* The numbers of a row, in the order of the columns alpha_s … r2. */
enum { FIRST_NUMBER = 8, N_NUMBERS = 12 };

static void numbers(struct hockney *f, double **v)
{
    double *all[N_NUMBERS] = { &f->alpha,     &f->beta,       &f->alpha_stderr, &f->beta_stderr,
                               &f->alpha_low, &f->alpha_high, &f->beta_low,     &f->beta_high,
                               &f->ls_alpha,  &f->ls_beta,    &f->condition,    &f->r2 };
    memcpy(v, all, sizeof all);
}

static void write_fit(struct csvw *w, const struct hockney *fit)
{
    struct hockney f = *fit;
    double *v[N_NUMBERS];
    numbers(&f, v);
    csvw_text(w, f.collective);
    csvw_text(w, f.mpi);
    csvw_text(w, f.mapping);
    csvw_text(w, f.model);
    csvw_text(w, f.candidate.algorithm);
    csvw_u64(w, f.candidate.segment_bytes);
    csvw_i64(w, f.candidate.fanout);
    csvw_i64(w, f.procs);
    for (int i = 0; i < N_NUMBERS; i++)
        csvw_f64(w, isfinite(*v[i]) ? *v[i] : NAN);
    csvw_u64(w, f.n);
    csvw_u64(w, f.excluded);
    csvw_text(w, fit_status_name(f.status));
    csvw_text(w, f.reason);
    csvw_end(w);
}

static void write_equation(struct csvw *w, const struct hockney *f, const struct equation *e)
{
    csvw_text(w, f->collective);
    csvw_text(w, f->model);
    csvw_text(w, f->mpi);
    csvw_text(w, f->mapping);
    csvw_text(w, f->candidate.algorithm);
    csvw_u64(w, f->candidate.segment_bytes);
    csvw_i64(w, f->candidate.fanout);
    csvw_i64(w, e->point.cell.procs);
    csvw_u64(w, e->point.cell.bytes);
    csvw_u64(w, e->point.gather_bytes);
    csvw_f64(w, e->a);
    csvw_f64(w, e->b);
    csvw_f64(w, e->x);
    csvw_f64(w, e->y);
    csvw_f64(w, e->fitted);
    csvw_f64(w, e->y - e->fitted);
    csvw_f64(w, e->weight);
    csvw_i64(w, e->used);
    csvw_text(w, e->reason);
    csvw_end(w);
}

int hockneys_write(const char *dir, const struct hockneys *fits, struct err *err)
{
    struct whole_file f;
    struct csvw w;
    if (result_begin(dir, "fit/hockney.csv", fit_columns, &f, &w, err) < 0)
        return -1;
    for (size_t i = 0; i < fits->n; i++)
        write_fit(&w, &fits->fit[i]);
    if (fs_commit(&f, err) < 0 ||
        result_begin(dir, "fit/residuals.csv", residual_columns, &f, &w, err) < 0)
        return -1;
    for (size_t i = 0; i < fits->n_equations; i++)
        write_equation(&w, &fits->fit[fits->equation[i].fit], &fits->equation[i]);
    return fs_commit(&f, err);
}

static int copy(const struct csv *csv, const char *column, char *buf, size_t size, struct err *err)
{
    return csv_copy(csv, csv_column(csv, column), buf, size, err);
}

static int read_fit(const struct csv *csv, struct hockney *f, struct err *err)
{
    double *v[N_NUMBERS];
    uint64_t n, excluded;
    *f = (struct hockney){ .n = 0 };
    numbers(f, v);
    if (copy(csv, "collective", f->collective, sizeof f->collective, err) < 0 ||
        copy(csv, "mpi", f->mpi, sizeof f->mpi, err) < 0 ||
        copy(csv, "mapping", f->mapping, sizeof f->mapping, err) < 0 ||
        copy(csv, "model", f->model, sizeof f->model, err) < 0 ||
        copy(csv, "algorithm", f->candidate.algorithm, NAME_SIZE, err) < 0 ||
        copy(csv, "reason", f->reason, sizeof f->reason, err) < 0 ||
        csv_u64(csv, csv_column(csv, "segment_bytes"), &f->candidate.segment_bytes, err) < 0 ||
        csv_int(csv, csv_column(csv, "fanout"), &f->candidate.fanout, err) < 0 ||
        csv_int(csv, csv_column(csv, "procs"), &f->procs, err) < 0 ||
        csv_u64(csv, csv_column(csv, "n"), &n, err) < 0 ||
        csv_u64(csv, csv_column(csv, "excluded"), &excluded, err) < 0)
        return -1;
    for (int i = 0; i < N_NUMBERS; i++)
        if (csv_f64(csv, csv_column(csv, fit_columns[FIRST_NUMBER + i]), v[i], err) < 0)
            return -1;
    f->n = n;
    f->excluded = excluded;
    const char *status = csv_text(csv, csv_column(csv, "status"));
    if (fit_status_parse(status, &f->status) < 0)
        return csv_fail(csv, err, "status: '%s' is not the status of a fit", status);
    return 0;
}

int hockneys_read(const char *dir, struct hockneys *fits, struct err *err)
{
    char path[PATH_SIZE];
    int got = -1;
    *fits = (struct hockneys){ .n = 0 };
    if (fs_path(path, sizeof path, err, "%s/fit/hockney.csv", dir) < 0)
        return -1;
    struct csv *csv = csv_open(path, fit_columns, err);
    while (csv && (got = csv_next(csv, err)) == 1) {
        struct hockney *more = realloc(fits->fit, (fits->n + 1) * sizeof *more);
        if (!more) {
            got = err_set(err, "%s: out of memory", path);
            break;
        }
        fits->fit = more;
        if (read_fit(csv, &more[fits->n], err) < 0) {
            got = -1;
            break;
        }
        fits->n++;
    }
    if (csv)
        got = csv_end(csv, got, err);
    csv_close(csv);
    if (got < 0)
        hockneys_clear(fits);
    return got;
}
