/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/audit/audit.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/audit/series.h"
#include "analysis/measure/result_file.h"
#include "harness/base/array.h"
#include "harness/base/number.h"

/* Outliers first: the others leave them out. */
static const struct audit_check *const checks[] = {
    &check_outliers, &check_copied, &check_ratio,   &check_columns, &check_same,
    &check_falls,    &check_nodes,  &check_binding, &check_runs,    &check_repeated,
    &check_tails,    &check_ranks,  &check_unnamed, NULL,
};

static const char *const severities[N_SEVERITY] = {
    [AUDIT_NOTE] = "note",
    [AUDIT_DOUBTFUL] = "doubtful",
    [AUDIT_WRONG] = "wrong",
};

const char *severity_name(enum severity severity)
{
    return severities[severity];
}

const char *audit_check_name(const struct audit_check *check)
{
    return check->name;
}

/* ---- series ---- */

static int by_label(const struct point *a, const struct point *b)
{
    int c = (int)a->experiment - (int)b->experiment;
    c = c ? c : strcmp(a->cell.collective, b->cell.collective);
    c = c ? c : strcmp(a->cell.mpi, b->cell.mpi);
    c = c ? c : strcmp(a->cell.mapping, b->cell.mapping);
    c = c ? c : (int)a->channel - (int)b->channel;
    c = c ? c : strcmp(a->candidate.algorithm, b->candidate.algorithm);
    c = c ? c
          : (a->candidate.segment_bytes > b->candidate.segment_bytes) -
                (a->candidate.segment_bytes < b->candidate.segment_bytes);
    c = c ? c : a->candidate.fanout - b->candidate.fanout;
    c = c ? c : (a->gather_bytes > b->gather_bytes) - (a->gather_bytes < b->gather_bytes);
    return c ? c : a->cell.root - b->cell.root;
}

static int by_place(const void *left, const void *right)
{
    const struct seen *x = left, *y = right;
    const struct point *a = &x->m->point, *b = &y->m->point;
    int c = by_label(a, b);
    c = c ? c : a->cell.procs - b->cell.procs;
    return c ? c : (a->cell.bytes > b->cell.bytes) - (a->cell.bytes < b->cell.bytes);
}

static int take_points(struct audit_data *d, const struct points *points)
{
    d->seen = malloc((points->n + 1) * sizeof *d->seen);
    d->curve = malloc((points->n + 1) * sizeof *d->curve);
    d->family = malloc((points->n + 1) * sizeof *d->family);
    if (!d->seen || !d->curve || !d->family)
        return -1;
    for (size_t i = 0; i < points->n; i++)
        if (measured_usable(&points->row[i]))
            d->seen[d->n_seen++] = (struct seen){ &points->row[i], points->row[i].time.mean, 0 };
    qsort(d->seen, d->n_seen, sizeof *d->seen, by_place);
    return 0;
}

static void find_series(struct audit_data *d)
{
    for (size_t i = 0; i < d->n_seen; i++) {
        const struct point *p = &d->seen[i].m->point;
        const struct point *before = i ? &d->seen[i - 1].m->point : NULL;
        const int same = before && by_label(before, p) == 0;
        if (!same || before->cell.procs != p->cell.procs)
            d->curve[d->n_curves++] = (struct curve){ .seen = &d->seen[i], .procs = p->cell.procs };
        d->curve[d->n_curves - 1].n++;
        if (!same)
            d->family[d->n_families++] =
                (struct family){ .curve = &d->curve[d->n_curves - 1], .label = p };
        struct family *f = &d->family[d->n_families - 1];
        f->n = (size_t)(&d->curve[d->n_curves] - f->curve);
    }
}

struct seen *curve_at(const struct curve *curve, uint64_t bytes)
{
    for (size_t i = 0; i < curve->n; i++)
        if (curve->seen[i].m->point.cell.bytes == bytes)
            return &curve->seen[i];
    return NULL;
}

struct curve *family_at(const struct family *family, int procs)
{
    size_t low = 0, high = family->n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (family->curve[middle].procs < procs)
            low = middle + 1;
        else
            high = middle;
    }
    return low < family->n && family->curve[low].procs == procs ? &family->curve[low] : NULL;
}

int is_timing(const struct family *family)
{
    return family->label->experiment == EXP_TIME;
}

const char *size_name(uint64_t bytes, char *buf, size_t size)
{
    return format_bytes(bytes, buf, size);
}

const char *family_name(const struct family *family, char *buf, size_t size)
{
    const struct point *p = family->label;
    size_t n = 0;
    if (p->experiment != EXP_TIME)
        n += (size_t)snprintf(buf, size, "%s%s%s, ", experiment_name(p->experiment),
                              p->channel != CHANNEL_NONE ? " " : "", channel_name(p->channel));
    n += (size_t)snprintf(buf + n, size - n, "%s, %s by %s, %s", p->cell.collective, p->cell.mpi,
                          p->cell.mapping, p->candidate.algorithm);
    if (n < size && p->candidate.segment_bytes)
        n += (size_t)snprintf(buf + n, size - n, ", segment %llu",
                              (unsigned long long)p->candidate.segment_bytes);
    if (n < size && p->candidate.fanout)
        snprintf(buf + n, size - n, ", fan-out %d", p->candidate.fanout);
    return buf;
}

/* ---- findings ---- */

void audit_add(struct audit_data *data, enum severity severity, const char *subject, size_t points,
               double value, const char *fmt, ...)
{
    va_list args;
    struct audit *a = data->audit;
    struct finding *f = array_add(&a->finding, &a->n);
    if (!f) {
        data->failed = 1;
        return;
    }
    *f = (struct finding){
        .check = data->now, .severity = severity, .points = points, .value = value
    };
    snprintf(f->subject, sizeof f->subject, "%s", subject);
    va_start(args, fmt);
    vsnprintf(f->evidence, sizeof f->evidence, fmt, args);
    va_end(args);
}

/* The gravest first, then check by check, what concerns most first. */
static int by_gravity(const void *left, const void *right)
{
    const struct finding *a = left, *b = right;
    if (a->severity != b->severity)
        return a->severity > b->severity ? -1 : 1;
    const int c = strcmp(a->check->name, b->check->name);
    if (c)
        return c;
    return a->points != b->points ? (a->points > b->points ? -1 : 1)
                                  : strcmp(a->subject, b->subject);
}

int audit_run(const struct points *points, const struct facts *facts, const char *dir,
              struct audit *audit, struct err *err)
{
    struct audit_data d = { .facts = facts, .dir = dir, .audit = audit };
    *audit = (struct audit){ .facts = facts };
    d.failed = take_points(&d, points) < 0;
    if (!d.failed) {
        find_series(&d);
        for (const struct audit_check *const *c = checks; *c && !d.failed; c++) {
            d.now = *c;
            (*c)->run(&d);
        }
    }
    free(d.seen);
    free(d.curve);
    free(d.family);
    if (d.failed) {
        audit_clear(audit);
        return *d.err.text ? err_set(err, "%s", d.err.text) : err_set(err, "out of memory");
    }
    if (audit->n)
        qsort(audit->finding, audit->n, sizeof *audit->finding, by_gravity);
    return 0;
}

/* ---- audit.csv ---- */

static const char *const columns[] = { "check", "severity", "subject", "points",
                                       "value", "evidence", NULL };

static void write_rows(struct csvw *w, const struct audit *audit)
{
    for (size_t i = 0; i < audit->n; i++) {
        const struct finding *f = &audit->finding[i];
        csvw_text(w, f->check->name);
        csvw_text(w, severity_name(f->severity));
        csvw_text(w, f->subject);
        csvw_u64(w, f->points);
        csvw_f64(w, f->value);
        csvw_text(w, f->evidence);
        csvw_end(w);
    }
}

void audit_print_csv(FILE *out, const struct audit *audit)
{
    struct csvw w = { .file = out, .last_name = "backend" };
    snprintf(w.last_value, sizeof w.last_value, "%.31s", audit->facts->backend);
    csvw_header(&w, columns);
    write_rows(&w, audit);
}

int audit_write(const char *dir, const struct audit *audit, struct err *err)
{
    struct whole_file f;
    struct csvw w;
    if (result_begin(dir, "audit.csv", columns, &f, &w, err) < 0)
        return -1;
    write_rows(&w, audit);
    return fs_commit(&f, err);
}

void audit_clear(struct audit *audit)
{
    free(audit->finding);
    *audit = (struct audit){ .n = 0 };
}
