/* SPDX-License-Identifier: BSD-3-Clause */
/* loggp_csv.c - fit/loggp.csv and fit/loggp_platform.csv on disk. */
#include <stdlib.h>
#include <string.h>

#include "analysis/models/loggp/loggp_platform.h"
#include "analysis/measure/result_file.h"
#include "harness/base/csv.h"
#include "harness/base/fs.h"

static const char *const fit_columns[] = {
    "mpi",           "mapping",        "collective", "algorithm",
    "segment_bytes", "fanout",         "procs",      "latency_scale",
    "gap_scale",     "latency_stderr", "gap_stderr", "latency_low",
    "latency_high",  "gap_low",        "gap_high",   "condition",
    "mean_error",    "worst_error",    "n",          "excluded",
    "status",        "reason",         NULL,
};
static const char *const platform_columns[] = {
    "mpi", "mapping", "cost", "bytes", "seconds", NULL
};

static void write_fit(struct csvw *w, const struct loggp_fit *f)
{
    csvw_text(w, f->mpi);
    csvw_text(w, f->mapping);
    csvw_text(w, f->collective);
    csvw_text(w, f->candidate.algorithm);
    csvw_u64(w, f->candidate.segment_bytes);
    csvw_i64(w, f->candidate.fanout);
    csvw_i64(w, f->procs);
    csvw_f64(w, f->scale.latency);
    csvw_f64(w, f->scale.gap);
    csvw_f64(w, f->stderr_of.latency);
    csvw_f64(w, f->stderr_of.gap);
    csvw_f64(w, f->low.latency);
    csvw_f64(w, f->high.latency);
    csvw_f64(w, f->low.gap);
    csvw_f64(w, f->high.gap);
    csvw_f64(w, f->condition);
    csvw_f64(w, f->mean_error);
    csvw_f64(w, f->worst_error);
    csvw_u64(w, f->n);
    csvw_u64(w, f->excluded);
    csvw_text(w, fit_status_name(f->status));
    csvw_text(w, f->reason);
    csvw_end(w);
}

static void write_curve(struct csvw *w, const struct loggp_platform *p, const char *cost,
                        const struct curve *curve)
{
    for (size_t i = 0; i < curve->n; i++) {
        csvw_text(w, p->mpi);
        csvw_text(w, p->mapping);
        csvw_text(w, cost);
        csvw_u64(w, (uint64_t)curve->bytes[i]);
        csvw_f64(w, curve->seconds[i]);
        csvw_end(w);
    }
}

int loggp_fits_write(const char *dir, const struct loggp_fits *fits, struct err *err)
{
    struct whole_file f;
    struct csvw w;
    if (result_begin(dir, "fit/loggp.csv", fit_columns, &f, &w, err) < 0)
        return -1;
    for (size_t i = 0; i < fits->n; i++)
        write_fit(&w, &fits->fit[i]);
    if (fs_commit(&f, err) < 0 ||
        result_begin(dir, "fit/loggp_platform.csv", platform_columns, &f, &w, err) < 0)
        return -1;
    for (size_t i = 0; i < fits->n_platforms; i++) {
        const struct loggp_platform *p = &fits->platform[i];
        write_curve(&w, p, "latency", &p->costs.latency);
        write_curve(&w, p, "send", &p->costs.send);
        write_curve(&w, p, "receive", &p->costs.receive);
    }
    return fs_commit(&f, err);
}

/* ---- reading ---- */

static int read_size(const struct csv *csv, const char *column, size_t *value, struct err *err)
{
    uint64_t v;
    if (csv_u64(csv, csv_column(csv, column), &v, err) < 0)
        return -1;
    *value = v;
    return 0;
}

static int read_numbers(const struct csv *csv, struct loggp_fit *f, struct err *err)
{
    double *const at[] = { &f->scale.latency, &f->scale.gap,   &f->stderr_of.latency,
                           &f->stderr_of.gap, &f->low.latency, &f->high.latency,
                           &f->low.gap,       &f->high.gap,    &f->condition,
                           &f->mean_error,    &f->worst_error };
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        if (csv_f64(csv, csv_column(csv, fit_columns[7 + i]), at[i], err) < 0)
            return -1;
    return 0;
}

static int read_fit(const struct csv *csv, struct loggp_fit *f, struct err *err)
{
    struct candidate *c = &f->candidate;
    *f = (struct loggp_fit){ .n = 0 };
    if (csv_copy(csv, csv_column(csv, "mpi"), f->mpi, sizeof f->mpi, err) < 0 ||
        csv_copy(csv, csv_column(csv, "mapping"), f->mapping, sizeof f->mapping, err) < 0 ||
        csv_copy(csv, csv_column(csv, "collective"), f->collective, sizeof f->collective, err) <
            0 ||
        csv_copy(csv, csv_column(csv, "algorithm"), c->algorithm, sizeof c->algorithm, err) < 0 ||
        csv_u64(csv, csv_column(csv, "segment_bytes"), &c->segment_bytes, err) < 0 ||
        csv_int(csv, csv_column(csv, "fanout"), &c->fanout, err) < 0 ||
        csv_int(csv, csv_column(csv, "procs"), &f->procs, err) < 0 ||
        read_numbers(csv, f, err) < 0 || read_size(csv, "n", &f->n, err) < 0 ||
        read_size(csv, "excluded", &f->excluded, err) < 0 ||
        csv_copy(csv, csv_column(csv, "reason"), f->reason, sizeof f->reason, err) < 0)
        return -1;
    const char *status = csv_text(csv, csv_column(csv, "status"));
    if (fit_status_parse(status, &f->status) < 0)
        return csv_fail(csv, err, "status: '%s' is not the status of a fit", status);
    return 0;
}

static int read_fits(struct csv *csv, struct loggp_fits *fits, struct err *err)
{
    int got;
    while ((got = csv_next(csv, err)) == 1) {
        struct loggp_fit *more = realloc(fits->fit, (fits->n + 1) * sizeof *more);
        if (!more)
            return err_set(err, "%s: out of memory", csv_path(csv));
        fits->fit = more;
        if (read_fit(csv, &more[fits->n], err) < 0)
            return -1;
        fits->n++;
    }
    return csv_end(csv, got, err);
}

/* The platform of a row, begun where there is none yet; NULL when out of memory. */
static struct loggp_platform *platform_for(struct loggp_fits *fits, const struct csv *csv)
{
    const char *mpi = csv_text(csv, csv_column(csv, "mpi"));
    const char *mapping = csv_text(csv, csv_column(csv, "mapping"));
    for (size_t i = 0; i < fits->n_platforms; i++)
        if (strcmp(fits->platform[i].mpi, mpi) == 0 &&
            strcmp(fits->platform[i].mapping, mapping) == 0)
            return &fits->platform[i];
    struct loggp_platform *p =
        realloc(fits->platform, (fits->n_platforms + 1) * sizeof *fits->platform);
    if (!p)
        return NULL;
    fits->platform = p;
    p = &p[fits->n_platforms++];
    *p = (struct loggp_platform){ .has_pipeline = 0 };
    snprintf(p->mpi, sizeof p->mpi, "%s", mpi);
    snprintf(p->mapping, sizeof p->mapping, "%s", mapping);
    return p;
}

static int read_cost(const struct csv *csv, struct loggp_fits *fits, struct err *err)
{
    struct loggp_platform *p = platform_for(fits, csv);
    const char *cost = csv_text(csv, csv_column(csv, "cost"));
    uint64_t bytes;
    double seconds;
    if (!p)
        return err_set(err, "%s: out of memory", csv_path(csv));
    struct curve *curve = strcmp(cost, "latency") == 0   ? &p->costs.latency
                          : strcmp(cost, "send") == 0    ? &p->costs.send
                          : strcmp(cost, "receive") == 0 ? &p->costs.receive
                                                         : NULL;
    if (!curve)
        return csv_fail(csv, err, "cost: '%s' is not known (want latency, send or receive)", cost);
    if (csv_u64(csv, csv_column(csv, "bytes"), &bytes, err) < 0 ||
        csv_f64(csv, csv_column(csv, "seconds"), &seconds, err) < 0)
        return -1;
    return curve_add(curve, (double)bytes, seconds) == 0
               ? 0
               : err_set(err, "%s: out of memory", csv_path(csv));
}

static int read_costs(struct csv *csv, struct loggp_fits *fits, struct err *err)
{
    int got;
    while ((got = csv_next(csv, err)) == 1)
        if (read_cost(csv, fits, err) < 0)
            return -1;
    for (size_t i = 0; i < fits->n_platforms; i++)
        loggp_platform_port(&fits->platform[i]);
    return csv_end(csv, got, err);
}

/* Opens DIR/fit/NAME; NULL with 0 in *status where there is none. */
static struct csv *open_fit(const char *dir, const char *name, const char *const *columns,
                            int *status, struct err *err)
{
    char path[PATH_SIZE];
    *status = fs_path(path, sizeof path, err, "%s/fit/%s", dir, name);
    if (*status < 0 || !fs_exists(path))
        return NULL;
    struct csv *csv = csv_open(path, columns, err);
    *status = csv ? 0 : -1;
    return csv;
}

int loggp_fits_read(const char *dir, struct loggp_fits *fits, struct err *err)
{
    int status;
    *fits = (struct loggp_fits){ .n = 0 };
    struct csv *csv = open_fit(dir, "loggp.csv", fit_columns, &status, err);
    if (csv)
        status = read_fits(csv, fits, err);
    csv_close(csv);
    csv = status == 0 ? open_fit(dir, "loggp_platform.csv", platform_columns, &status, err) : NULL;
    if (csv)
        status = read_costs(csv, fits, err);
    csv_close(csv);
    if (status < 0)
        loggp_fits_clear(fits);
    return status;
}
