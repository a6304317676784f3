/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/audit/series.h"

static int by_label(const struct point *a, const struct point *b)
{
    return by_keys((int)a->experiment - (int)b->experiment,
                   strcmp(a->cell.collective, b->cell.collective), strcmp(a->cell.mpi, b->cell.mpi),
                   strcmp(a->cell.mapping, b->cell.mapping), (int)a->channel - (int)b->channel,
                   strcmp(a->candidate.algorithm, b->candidate.algorithm),
                   ascending(a->candidate.segment_bytes, b->candidate.segment_bytes),
                   a->candidate.fanout - b->candidate.fanout,
                   ascending(a->gather_bytes, b->gather_bytes), a->cell.root - b->cell.root);
}

static int by_place(const void *left, const void *right)
{
    const struct seen *x = left, *y = right;
    const struct point *a = &x->m->point, *b = &y->m->point;
    return by_keys(by_label(a, b), a->cell.procs - b->cell.procs,
                   ascending(a->cell.bytes, b->cell.bytes));
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
            d->curve[d->n_curves++] =
                (struct audit_curve){ .seen = &d->seen[i], .procs = p->cell.procs };
        d->curve[d->n_curves - 1].n++;
        if (!same)
            d->family[d->n_families++] =
                (struct family){ .curve = &d->curve[d->n_curves - 1], .label = p };
        struct family *f = &d->family[d->n_families - 1];
        f->n = (size_t)(&d->curve[d->n_curves] - f->curve);
    }
}

struct seen *series_curve_at(const struct audit_curve *curve, uint64_t bytes)
{
    return find_below(curve->seen, i, curve->n, curve->seen[i].m->point.cell.bytes == bytes);
}

struct audit_curve *series_family_at(const struct family *family, int procs)
{
    const size_t at = sorted_below(i, family->n, family->curve[i].procs >= procs);
    return at < family->n && family->curve[at].procs == procs ? &family->curve[at] : NULL;
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

const char *const severity_words[N_SEVERITY + 1] = {
    [AUDIT_NOTE] = "note",
    [AUDIT_DOUBTFUL] = "doubtful",
    [AUDIT_WRONG] = "wrong",
};

const char *audit_check_name(const struct audit_check *check)
{
    return check->name;
}

struct finding *finding_new(struct audit *audit, const struct audit_check *check)
{
    struct finding *f = array_add(&audit->finding, &audit->n);
    f->check = check;
    return f;
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
    return by_keys(ascending(b->points, a->points), strcmp(a->subject, b->subject),
                   strcmp(a->evidence, b->evidence));
}

/* From how many on findings about the same labels are one fact. */
enum { MANY = 4 };

static int same_fact(const struct finding *a, const struct finding *b)
{
    return a->check == b->check && a->severity == b->severity &&
           strcmp(a->subject, b->subject) == 0;
}

static int by_fact(const void *left, const void *right)
{
    const struct finding *a = left, *b = right;
    return by_keys(strcmp(a->check->name, b->check->name), (int)a->severity - (int)b->severity,
                   strcmp(a->subject, b->subject), ascending(b->points, a->points),
                   strcmp(a->evidence, b->evidence));
}

/* The first of n findings tells all. */
static void tell_all(struct finding *f, size_t n)
{
    char one[sizeof f->evidence];
    size_t points = 0;
    for (size_t i = 0; i < n; i++)
        points += f[i].points;
    snprintf(one, sizeof one, "%s", f->evidence);
    f->points = points;
    snprintf(f->evidence, sizeof f->evidence, "%zu time%s, %zu point%s; the most: %.300s",
             COUNTED(n), COUNTED(points), one);
}

void findings_settle(struct audit *audit)
{
    size_t kept = 0;
    if (!audit->n)
        return;
    qsort(audit->finding, audit->n, sizeof *audit->finding, by_fact);
    for (size_t i = 0, end; i < audit->n; i = end) {
        for (end = i + 1; end < audit->n && same_fact(&audit->finding[i], &audit->finding[end]);)
            end++;
        const size_t n = end - i >= MANY ? 1 : end - i;
        if (end - i >= MANY)
            tell_all(&audit->finding[i], end - i);
        for (size_t k = 0; k < n; k++)
            audit->finding[kept++] = audit->finding[i + k];
    }
    audit->n = kept;
    qsort(audit->finding, audit->n, sizeof *audit->finding, by_gravity);
}

CLEARS(audit_clear, audit, it->finding)
