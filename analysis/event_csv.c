/* SPDX-License-Identifier: BSD-3-Clause */
/* event_csv.c - fit/event.csv and fit/event_platform.csv on disk. */
#include "analysis/event_fit.h"
#include "analysis/fit_file.h"
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

static void write_fit(struct csvw *w, const struct event_fit *f)
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

static void write_curve(struct csvw *w, const struct event_platform *p, const char *cost,
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

int event_fits_write(const char *dir, const struct event_fits *fits, struct err *err)
{
    struct whole_file f;
    struct csvw w;
    if (fit_file_begin(dir, "event.csv", fit_columns, &f, &w, err) < 0)
        return -1;
    for (size_t i = 0; i < fits->n; i++)
        write_fit(&w, &fits->fit[i]);
    if (fs_commit(&f, err) < 0 ||
        fit_file_begin(dir, "event_platform.csv", platform_columns, &f, &w, err) < 0)
        return -1;
    for (size_t i = 0; i < fits->n_platforms; i++) {
        const struct event_platform *p = &fits->platform[i];
        write_curve(&w, p, "latency", &p->costs.latency);
        write_curve(&w, p, "send", &p->costs.send);
        write_curve(&w, p, "receive", &p->costs.receive);
    }
    return fs_commit(&f, err);
}
