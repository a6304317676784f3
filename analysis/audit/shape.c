/* SPDX-License-Identifier: BSD-3-Clause */
/* shape.c - times among their neighbours: isolated outliers, times that fall as the size
 * grows, runs that differ. */
#include "analysis/audit/series.h"

enum { LEAST_CURVES = 3 };

/* A finding is beyond what so many standard deviations of its own noise explain. */
static const double beyond_noise = 6, clear = 3;

static const double out_factor = 3, fall = 0.10, deep_fall = 0.30, share_of_curves = 0.30,
                    run_factor = 3;

/* The range in which the neighbours let expect a time: two on either side where there are so many,
 * of which one may be an outlier itself. At an edge of the grid the two of one side. */
struct range {
    double low, high;
    int edge;
};

static const struct range anything = { 0, INFINITY, 1 };

/* below and above: times on either side, 0: none; without two neighbours, anything. */
static struct range range_of(const double below[2], const double above[2])
{
    if (!(below[0] > 0) || !(above[0] > 0)) {
        const double *side = below[0] > 0 ? below : above;
        if (!(side[0] > 0) || !(side[1] > 0))
            return anything;
        return (struct range){ fmin(side[0], side[1]), fmax(side[0], side[1]), 1 };
    }
    const double b = below[1] > 0 ? below[1] : below[0], a = above[1] > 0 ? above[1] : above[0];
    return (struct range){ fmin(fmax(below[0], b), fmax(above[0], a)),
                           fmax(fmin(below[0], b), fmin(above[0], a)), 0 };
}

/* An edge's range, widened by what a time that is proportional to x may grow from the neighbour's x
 * to its own. */
static struct range widen(struct range r, double own, double neighbour)
{
    if (r.edge && own > neighbour)
        r.high *= own / neighbour;
    else if (r.edge && own > 0)
        r.low *= own / neighbour;
    return r;
}

static double bytes_at(const struct audit_curve *c, size_t at)
{
    return (double)c->seen[at].m->point.cell.bytes;
}

static struct range by_size(const struct audit_curve *c, size_t at)
{
    const double below[2] = { at > 0 ? c->seen[at - 1].time_s : 0,
                              at > 1 ? c->seen[at - 2].time_s : 0 };
    const double above[2] = { at + 1 < c->n ? c->seen[at + 1].time_s : 0,
                              at + 2 < c->n ? c->seen[at + 2].time_s : 0 };
    const struct range r = range_of(below, above);
    return c->n < 2 ? r : widen(r, bytes_at(c, at), bytes_at(c, at ? at - 1 : 1));
}

static double time_at(const struct family *f, size_t curve, uint64_t bytes)
{
    const struct seen *s = curve < f->n ? series_curve_at(&f->curve[curve], bytes) : NULL;
    return s ? s->time_s : 0;
}

static struct range by_procs(const struct family *f, size_t curve, uint64_t bytes)
{
    const double below[2] = { curve > 0 ? time_at(f, curve - 1, bytes) : 0,
                              curve > 1 ? time_at(f, curve - 2, bytes) : 0 };
    const double above[2] = { time_at(f, curve + 1, bytes), time_at(f, curve + 2, bytes) };
    const struct range r = range_of(below, above);
    const size_t next = below[0] > 0 ? curve - 1 : curve + 1;
    return next >= f->n ? r : widen(r, f->curve[curve].procs, f->curve[next].procs);
}

/* How many times a time is above (or below, then less than 1) the range; 1 within it. */
static double beyond(double t, struct range r)
{
    const double high = fmax(r.low, r.high), low = fmin(r.low, r.high);
    return t > high ? t / high : t < low ? t / low : 1;
}

/* How far a time is from its neighbours: the smaller of its ratios to those in size and in
 * processes, where both point the same way; 1 where they do not, or there are none. At a corner
 * times may go on as they did, in either direction: 1. */
static double distance(const struct family *f, size_t curve, size_t at)
{
    const struct audit_curve *c = &f->curve[curve];
    const double t = c->seen[at].time_s;
    const struct range size = by_size(c, at);
    const struct range procs = by_procs(f, curve, c->seen[at].m->point.cell.bytes);
    if (size.edge && procs.edge)
        return 1;
    const double a = beyond(t, size), b = beyond(t, procs);
    return a > 1 && b > 1 ? fmin(a, b) : a < 1 && b < 1 ? fmax(a, b) : 1;
}

static void check_family_outliers(struct audit_data *d, const struct family *f)
{
    char name[256], bytes[32];
    size_t n = 0, all = 0;
    double worst = 1;
    const struct seen *at = NULL;
    const double least = fmax(out_factor, exp(beyond_noise * f->noise));
    for (size_t i = 0; i < f->n; i++)
        for (size_t k = 0; k < f->curve[i].n; k++) {
            const double r = distance(f, i, k), far = r > 1 ? r : 1 / r;
            all++;
            if (far < least)
                continue;
            f->curve[i].seen[k].outlier = 1;
            n++;
            if (far > (worst > 1 ? worst : 1 / worst)) {
                worst = r;
                at = &f->curve[i].seen[k];
            }
        }
    if (!at)
        return;
    const int grave = n * 100 > all || worst > 10;
    audit_add(d, grave ? AUDIT_DOUBTFUL : AUDIT_NOTE, series_family_name(f, name, sizeof name), n,
              worst,
              "%zu of %zu times differ%s from those of the next sizes and processes by a factor of "
              "%.2g or more; the farthest, P = %d, %s: %.4g s, %.3g times as long",
              n, all, of_number(n, "s", ""), least, at->m->point.cell.procs,
              format_bytes(at->m->point.cell.bytes, bytes, sizeof bytes), at->time_s, worst);
}

static void find_outliers(struct audit_data *d)
{
    for (size_t i = 0; i < d->n_families; i++)
        check_family_outliers(d, &d->family[i]);
}

/* What happens between two neighbouring sizes, over the curves of a family. */
struct step {
    uint64_t from, to;
    size_t curves, falls;
    double *fallen; /* to / from of the falls */
};

static void take_step(const struct family *f, struct step *s)
{
    s->curves = s->falls = 0;
    for (size_t i = 0; i < f->n; i++) {
        const struct seen *a = series_curve_at(&f->curve[i], s->from),
                          *b = series_curve_at(&f->curve[i], s->to);
        if (!a || !b || a->outlier || b->outlier)
            continue;
        s->curves++;
        if (b->time_s < a->time_s * (1 - fall))
            s->fallen[s->falls++] = b->time_s / a->time_s;
    }
}

/* How many of n times that do not grow fall by noise alone, where it is much. */
static double falls_by_noise(double noise, size_t n)
{
    const double p = noise > 0 ? erfc(-log(1 - fall) / (noise * sqrt(2)) / sqrt(2)) / 2 : 0;
    return (double)n * p + clear * sqrt((double)n * p * (1 - p));
}

static void check_step(struct audit_data *d, const struct family *f, struct step *s)
{
    char name[256], from[32], to[32];
    take_step(f, s);
    if (s->curves < LEAST_CURVES || (double)s->falls < share_of_curves * (double)s->curves ||
        (double)s->falls <= falls_by_noise(f->noise, s->curves))
        return;
    const double median = stats_median(s->fallen, s->falls);
    const char *algorithm = algorithm_base_name(f->label->candidate.algorithm);
    const int may_change = algorithm_is_default(algorithm); /* from size to size */
    audit_add(
        d, median < 1 - deep_fall && !may_change ? AUDIT_DOUBTFUL : AUDIT_NOTE,
        series_family_name(f, name, sizeof name), s->falls, median,
        "from %s to %s times fall at %zu of %zu process counts, to %.2f of what they were in the "
        "median (a protocol or an algorithm changes there, or the sizes are not what they say)",
        format_bytes(s->from, from, sizeof from), format_bytes(s->to, to, sizeof to), s->falls,
        s->curves, median);
}

/* The sizes of the longest curve serve for all. */
static void check_family_falls(struct audit_data *d, const struct family *f, double *scratch)
{
    const struct audit_curve *longest = &f->curve[0];
    for (size_t i = 1; i < f->n; i++)
        if (f->curve[i].n > longest->n)
            longest = &f->curve[i];
    for (size_t k = 1; k < longest->n; k++) {
        struct step s = { .from = longest->seen[k - 1].m->point.cell.bytes,
                          .to = longest->seen[k].m->point.cell.bytes,
                          .fallen = scratch };
        check_step(d, f, &s);
    }
}

static void find_falls(struct audit_data *d)
{
    double *scratch = memory_zeros(d->n_curves + 1, sizeof *scratch);
    for (size_t i = 0; i < d->n_families; i++)
        if (series_is_timing(&d->family[i]))
            check_family_falls(d, &d->family[i], scratch);
    free(scratch);
}

static void check_family_runs(struct audit_data *d, const struct family *f, double *scratch)
{
    char name[256], bytes[32];
    size_t n = 0, all = 0;
    double worst = 1;
    const double spread = series_family_spread(f, scratch);
    const double least = fmax(run_factor, exp(beyond_noise * spread));
    const struct measured *at = NULL;
    for (size_t i = 0; i < f->n; i++)
        for (size_t k = 0; k < f->curve[i].n; k++) {
            const struct measured *m = f->curve[i].seen[k].m;
            if (m->time.launches < 2 || !(m->time.min > 0))
                continue;
            const double r = m->time.max / m->time.min;
            all++;
            n += r >= least;
            if (r > worst) {
                worst = r;
                at = m;
            }
        }
    if (!n || !at)
        return;
    audit_add(
        d, n * 20 > all ? AUDIT_DOUBTFUL : AUDIT_NOTE, series_family_name(f, name, sizeof name), n,
        worst,
        "at %zu of %zu point%s with several runs these differ by %.2g times or more; the most, "
        "P = %d, %s: %.4g s to %.4g s",
        n, COUNTED(all), least, at->point.cell.procs,
        format_bytes(at->point.cell.bytes, bytes, sizeof bytes), at->time.min, at->time.max);
}

static void find_runs(struct audit_data *d)
{
    double *scratch = memory_zeros(d->n_seen + 1, sizeof *scratch);
    for (size_t i = 0; d->facts->imported && i < d->n_families; i++)
        if (series_is_timing(&d->family[i]))
            check_family_runs(d, &d->family[i], scratch);
    free(scratch);
}

/* Isolated points, off their neighbours in size and in processes alike. */
const struct audit_check check_outliers = { .name = "outliers", .run = find_outliers };

/* Times that fall as the size grows, at many process counts. */
const struct audit_check check_falls = { .name = "falling", .run = find_falls };

/* Runs of one point that differ widely. */
const struct audit_check check_runs = { .name = "runs", .run = find_runs };
