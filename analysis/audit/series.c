/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/audit/series.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measure/stats.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"

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

static void take_points(struct audit_data *d, const struct points *points)
{
    d->seen = memory_zeros(points->n + 1, sizeof *d->seen);
    d->curve = memory_zeros(points->n + 1, sizeof *d->curve);
    d->family = memory_zeros(points->n + 1, sizeof *d->family);
    for (size_t i = 0; i < points->n; i++)
        if (measured_usable(&points->row[i]) || measured_doubted(&points->row[i]))
            d->seen[d->n_seen++] = (struct seen){ &points->row[i], points->row[i].time.value, 0 };
    qsort(d->seen, d->n_seen, sizeof *d->seen, by_place);
}

static void sort_out(struct audit_data *d)
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

struct seen *series_curve_at(const struct curve *curve, uint64_t bytes)
{
    for (size_t i = 0; i < curve->n; i++)
        if (curve->seen[i].m->point.cell.bytes == bytes)
            return &curve->seen[i];
    return NULL;
}

struct curve *series_family_at(const struct family *family, int procs)
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

int series_is_timing(const struct family *family)
{
    return family->label->experiment == EXP_TIME;
}

const char *series_family_name(const struct family *family, char *buf, size_t size)
{
    const struct point *p = family->label;
    size_t n = 0;
    if (p->experiment != EXP_TIME)
        n += (size_t)snprintf(buf, size, "%s%s%s, ", experiment_words[p->experiment],
                              p->channel != CHANNEL_NONE ? " " : "", channel_words[p->channel]);
    n += (size_t)snprintf(buf + n, size - n, "%s, %s by %s, %s", p->cell.collective, p->cell.mpi,
                          p->cell.mapping, p->candidate.algorithm);
    if (n < size && p->candidate.segment_bytes)
        n += (size_t)snprintf(buf + n, size - n, ", segment %llu",
                              (unsigned long long)p->candidate.segment_bytes);
    if (n < size && p->candidate.fanout)
        snprintf(buf + n, size - n, ", fan-out %d", p->candidate.fanout);
    return buf;
}

/* ---- noise ---- */

enum { LEAST_RESIDUALS = 8 };

/* The mean range of n normal values, in standard deviations (Tippett 1925). */
static double usual_range(size_t n)
{
    static const double range[] = { 1, 1, 1.128, 1.693, 2.059, 2.326, 2.534, 2.704, 2.847, 2.970 };
    return n < sizeof range / sizeof *range ? range[n] : 3.078;
}

/* How far the times are from the geometric mean of those at the next fewer and more processes. */
static size_t residuals(const struct family *f, double *x)
{
    size_t n = 0;
    for (size_t c = 1; c + 1 < f->n; c++)
        for (size_t i = 0; i < f->curve[c].n; i++) {
            const struct seen *s = &f->curve[c].seen[i];
            const struct seen *a = series_curve_at(&f->curve[c - 1], s->m->point.cell.bytes);
            const struct seen *b = series_curve_at(&f->curve[c + 1], s->m->point.cell.bytes);
            if (a && b)
                x[n++] = fabs(log(s->time_s / sqrt(a->time_s * b->time_s)));
        }
    return n;
}

/* The range of the runs of each point over what is usual of so many runs: their standard deviation,
 * as a logarithm. */
static size_t ranges(const struct family *f, double *x)
{
    size_t n = 0;
    for (size_t c = 0; c < f->n; c++)
        for (size_t i = 0; i < f->curve[c].n; i++) {
            const struct summary *t = &f->curve[c].seen[i].m->time;
            if (t->launches > 1 && t->min > 0 && t->max >= t->min)
                x[n++] = log(t->max / t->min) / usual_range(t->launches);
        }
    return n;
}

double series_family_spread(const struct family *family, double *scratch)
{
    const size_t n = ranges(family, scratch);
    return n >= LEAST_RESIDUALS ? stats_median(scratch, n) : 0;
}

/* A time and the mean of two others differ by the square root of 1.5 times what one time does; half
 * of normal values are within 0.6745 standard deviations. */
static double noise_of(const struct family *f, double *scratch)
{
    const size_t n = residuals(f, scratch);
    return n >= LEAST_RESIDUALS ? stats_median(scratch, n) / 0.6745 / sqrt(1.5)
                                : series_family_spread(f, scratch);
}

static void find_noise(struct audit_data *d)
{
    double *scratch = memory_zeros(d->n_seen + 1, sizeof *scratch);
    for (size_t i = 0; i < d->n_families; i++)
        d->family[i].noise = noise_of(&d->family[i], scratch);
    free(scratch);
}

void series_find(struct audit_data *data, const struct points *points)
{
    take_points(data, points);
    sort_out(data);
    find_noise(data);
}

void series_free(struct audit_data *data)
{
    memory_free(data->seen, data->curve, data->family);
}

void audit_add(struct audit_data *data, enum severity severity, const char *subject, size_t points,
               double value, const char *fmt, ...)
{
    va_list args;
    struct finding *f = finding_new(data->audit, data->now);
    f->severity = severity;
    f->points = points;
    f->value = value;
    snprintf(f->subject, sizeof f->subject, "%s", subject);
    va_start(args, fmt);
    vsnprintf(f->evidence, sizeof f->evidence, fmt, args);
    text_disarm(f->evidence);
    va_end(args);
}
