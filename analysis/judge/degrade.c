/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/measure/result_file.h"
#include "analysis/judge/degrade.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/csv.h"

static const char *const columns[] = {
    "selector",        "purpose",     "mpi",         "mapping",
    "cells",           "undecided",   "alone",       "mean_pct",
    "geomean_pct",     "median_pct",  "p95_pct",     "worst_pct",
    "worst_procs",     "worst_bytes", "substituted", "worst_unsubstituted_pct",
    "optimal_or_tied", "core_s",      "collective",  NULL,
};

/* 1 when the row is that of the selection. */
static int is_row_of(const struct degradation *r, const struct selection *s)
{
    return r->selector == s->selector && r->purpose == s->purpose &&
           strcmp(r->collective, s->cell.collective) == 0 && strcmp(r->mpi, s->cell.mpi) == 0 &&
           strcmp(r->mapping, s->cell.mapping) == 0;
}

static struct degradation *row_of(struct degradations *d, const struct selection *s)
{
    for (size_t i = 0; i < d->n; i++)
        if (is_row_of(&d->row[i], s))
            return &d->row[i];
    struct degradation *r = realloc(d->row, (d->n + 1) * sizeof *r);
    if (!r)
        return NULL;
    d->row = r;
    r = &r[d->n++];
    *r = (struct degradation){ .selector = s->selector,
                               .purpose = s->purpose,
                               .worst_pct = NAN,
                               .worst_unsubstituted_pct = NAN };
    memcpy(r->collective, s->cell.collective, sizeof r->collective);
    memcpy(r->mpi, s->cell.mpi, sizeof r->mpi);
    memcpy(r->mapping, s->cell.mapping, sizeof r->mapping);
    return r;
}

static void take(struct degradation *r, const struct selection *s)
{
    if (s->status != SELECT_OK) {
        r->alone += s->status == SELECT_ALONE;
        r->undecided += s->status != SELECT_ALONE;
        return;
    }
    r->cells++;
    r->substituted += (size_t)s->substituted;
    r->optimal_or_tied += s->tied == 1;
    if (!(r->worst_pct >= s->degradation_pct)) {
        r->worst_pct = s->degradation_pct;
        r->worst_procs = s->cell.procs;
        r->worst_bytes = s->cell.bytes;
    }
    if (!s->substituted)
        r->worst_unsubstituted_pct = fmax(r->worst_unsubstituted_pct, s->degradation_pct);
}

/* Means and quantiles of the row's cells; scratch has room for all selections. */
static void sum_up(struct degradation *r, const struct selection_table *table, double *scratch)
{
    size_t n = 0;
    double sum = 0, logs = 0;
    for (size_t i = 0; i < table->n; i++) {
        const struct selection *s = &table->row[i];
        if (s->status != SELECT_OK || !is_row_of(r, s))
            continue;
        sum += scratch[n++] = s->degradation_pct;
        logs += log(s->chosen_s / s->best_s);
    }
    r->mean_pct = n ? sum / (double)n : NAN;
    r->geomean_pct = n ? 100 * expm1(logs / (double)n) : NAN;
    r->median_pct = stats_median(scratch, n); /* sorts */
    r->p95_pct = stats_quantile(scratch, n, 0.95);
}

int degradations_make(const struct selection_table *table, const struct points *points,
                      struct degradations *out, struct err *err)
{
    double *scratch = malloc((table->n + 1) * sizeof *scratch);
    int failed = !scratch;
    *out = (struct degradations){ .n = 0 };
    for (size_t i = 0; i < table->n && !failed; i++) {
        struct degradation *r = row_of(out, &table->row[i]);
        if (r)
            take(r, &table->row[i]);
        failed = !r;
    }
    for (size_t i = 0; i < out->n && !failed; i++) {
        struct degradation *r = &out->row[i];
        sum_up(r, table, scratch);
        const struct spending of = { r->collective, r->mpi, r->mapping };
        r->core_s = r->selector->core_s ? r->selector->core_s(points, &of) : 0;
    }
    free(scratch);
    if (!failed)
        return 0;
    degradations_clear(out);
    return err_set(err, "out of memory");
}

static void write_row(struct csvw *w, const struct degradation *r)
{
    csvw_text(w, r->selector->name);
    csvw_text(w, purpose_name(r->purpose));
    csvw_text(w, r->mpi);
    csvw_text(w, r->mapping);
    csvw_u64(w, r->cells);
    csvw_u64(w, r->undecided);
    csvw_u64(w, r->alone);
    csvw_f64(w, r->mean_pct);
    csvw_f64(w, r->geomean_pct);
    csvw_f64(w, r->median_pct);
    csvw_f64(w, r->p95_pct);
    csvw_f64(w, r->worst_pct);
    if (r->cells) {
        csvw_i64(w, r->worst_procs);
        csvw_u64(w, r->worst_bytes);
    } else {
        csvw_text(w, "");
        csvw_text(w, "");
    }
    csvw_u64(w, r->substituted);
    csvw_f64(w, r->worst_unsubstituted_pct);
    csvw_u64(w, r->optimal_or_tied);
    csvw_f64(w, r->core_s);
    csvw_text(w, r->collective);
    csvw_end(w);
}

int degradations_write(const char *dir, const struct degradations *d, struct err *err)
{
    struct whole_file f;
    struct csvw w;
    if (result_begin(dir, "degradation.csv", columns, &f, &w, err) < 0)
        return -1;
    for (size_t i = 0; i < d->n; i++)
        write_row(&w, &d->row[i]);
    return fs_commit(&f, err);
}

void degradations_clear(struct degradations *d)
{
    free(d->row);
    *d = (struct degradations){ .n = 0 };
}
