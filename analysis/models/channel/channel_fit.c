/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/models/channel/channel_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/models/channel/channel_costs.h"
#include "harness/base/array.h"

static const double CONFIDENCE = 0.95; /* of intervals that nobody asks for */

/* ---- samples ---- */

static int is_channel_point(const struct measured *m)
{
    const enum experiment e = m->point.experiment;
    return m->point.channel != CHANNEL_NONE && measured_usable(m) && m->time.mean > 0 &&
           (e == EXP_PINGPONG || e == EXP_FANOUT || e == EXP_FANIN);
}

/* A ping-pong's median: what others measured has a point's receivers in it, one wild one among
 * them. A fan-out's mean, since its other number is a mean, too. */
static struct channel_sample sample_of(const struct measured *m)
{
    const int median = m->point.experiment == EXP_PINGPONG && m->time.median > 0;
    return (struct channel_sample){ .experiment = m->point.experiment,
                                    .channel = m->point.channel,
                                    .procs = m->point.cell.procs,
                                    .bytes = m->point.cell.bytes,
                                    .slowest = median ? m->time.median : m->time.mean,
                                    .mean = m->mean_rank_s,
                                    .points = 1 };
}

static int by_place(const void *a, const void *b)
{
    const struct channel_sample *x = a, *y = b;
    if (x->experiment != y->experiment)
        return x->experiment < y->experiment ? -1 : 1;
    if (x->channel != y->channel)
        return x->channel < y->channel ? -1 : 1;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    return (x->procs > y->procs) - (x->procs < y->procs);
}

/* One sample for n that are alike: medians. */
static int merge(const struct channel_sample *s, size_t n, struct channel_sample *out)
{
    double *t = malloc(2 * n * sizeof *t), *mean = t ? t + n : NULL;
    size_t n_mean = 0;
    if (!t)
        return -1;
    for (size_t i = 0; i < n; i++) {
        t[i] = s[i].slowest;
        if (isfinite(s[i].mean))
            mean[n_mean++] = s[i].mean;
    }
    struct channel_sample merged = s[0];
    merged.slowest = stats_median(t, n);
    merged.mean = n_mean ? stats_median(mean, n_mean) : NAN;
    merged.points = n;
    *out = merged;
    free(t);
    return 0;
}

static int merge_alike(struct channel_platform *p)
{
    size_t n = 0;
    if (p->n_samples)
        qsort(p->sample, p->n_samples, sizeof *p->sample, by_place);
    for (size_t i = 0, j; i < p->n_samples; i = j) {
        for (j = i + 1; j < p->n_samples && by_place(&p->sample[i], &p->sample[j]) == 0;)
            j++;
        if (merge(&p->sample[i], j - i, &p->sample[n++]) < 0)
            return -1;
    }
    p->n_samples = n;
    return 0;
}

const struct channel_platform *channel_platform_find(const struct channel_fits *fits,
                                                     const char *mpi)
{
    for (size_t i = 0; fits && i < fits->n; i++)
        if (strcmp(fits->platform[i].mpi, mpi) == 0)
            return &fits->platform[i];
    return NULL;
}

/* The platform of a library, begun with room for `most` samples where there is none. */
static struct channel_platform *platform_for(struct channel_fits *fits, const char *mpi,
                                             size_t most)
{
    for (size_t i = 0; i < fits->n; i++)
        if (strcmp(fits->platform[i].mpi, mpi) == 0)
            return &fits->platform[i];
    struct channel_platform *p = array_add(&fits->platform, &fits->n);
    if (!p)
        return NULL;
    p->sample = malloc(most * sizeof *p->sample);
    snprintf(p->mpi, sizeof p->mpi, "%s", mpi);
    return p->sample ? p : NULL;
}

static int collect(const struct points *points, struct channel_fits *fits)
{
    size_t most = 0;
    for (size_t i = 0; i < points->n; i++)
        most += (size_t)is_channel_point(&points->row[i]);
    for (size_t i = 0; i < points->n; i++) {
        const struct measured *m = &points->row[i];
        if (!is_channel_point(m))
            continue;
        struct channel_platform *p = platform_for(fits, m->point.cell.mpi, most);
        if (!p)
            return -1;
        p->sample[p->n_samples++] = sample_of(m);
    }
    for (size_t i = 0; i < fits->n; i++)
        if (merge_alike(&fits->platform[i]) < 0)
            return -1;
    return 0;
}

const struct channel_sample *channel_sample_find(const struct channel_platform *p,
                                                 enum experiment experiment, enum channel channel,
                                                 int procs, uint64_t bytes)
{
    const struct channel_sample key = {
        .experiment = experiment, .channel = channel, .procs = procs, .bytes = bytes
    };
    return p->n_samples ? bsearch(&key, p->sample, p->n_samples, sizeof key, by_place) : NULL;
}

/* ---- lines ---- */

/* Equations y = c0 + c1 x, for both fits. */
struct equations {
    double *x, *y, *prior; /* x: rows of two */
    size_t n;
};

static int equations_init(struct equations *e, size_t most)
{
    *e = (struct equations){ .x = malloc((4 * most + 1) * sizeof *e->x) };
    e->y = e->x + 2 * most;
    e->prior = e->y + most;
    return e->x ? 0 : -1;
}

static void equations_add(struct equations *e, double x, double y)
{
    if (!(y > 0))
        return;
    e->x[2 * e->n] = 1;
    e->x[2 * e->n + 1] = x;
    e->prior[e->n] = 1 / (y * y);
    e->y[e->n++] = y;
}

static struct channel_line fit_line(const struct equations *e, double confidence)
{
    struct regression r;
    struct channel_line line = { .n = e->n };
    regress_least_squares(e->x, e->y, NULL, e->n, 2, confidence, &r);
    line.status = line.sign = r.status;
    if (r.status == FIT_OK) {
        char reason[REASON_SIZE];
        line.sign = fit_sign(r.low[0], r.high[0], r.low[1], r.high[1], reason, sizeof reason);
    }
    line.intercept = r.coef[0];
    line.slope = r.coef[1];
    line.intercept_stderr = r.stderr_of[0];
    line.slope_stderr = r.stderr_of[1];
    line.r2 = r.r2;
    regress_huber(e->x, e->y, e->prior, e->n, 2, confidence, &r, NULL);
    line.robust_intercept = r.coef[0];
    line.robust_slope = r.coef[1];
    return line;
}

/* ---- ping-pong ---- */

/* Median and largest relative error of a line at its own equations. */
static void errors_of(const struct equations *e, double intercept, double slope, double *median,
                      double *worst, double *scratch)
{
    *worst = e->n ? 0 : NAN;
    for (size_t i = 0; i < e->n; i++) {
        scratch[i] = fabs((intercept + slope * e->x[2 * i + 1]) / e->y[i] - 1);
        *worst = fmax(*worst, scratch[i]);
    }
    *median = stats_median(scratch, e->n);
}

static int fit_pingpongs(struct channel_platform *p, double confidence)
{
    struct equations e;
    double *scratch = malloc((p->n_samples + 1) * sizeof *scratch);
    if (!scratch || equations_init(&e, p->n_samples) < 0) {
        free(scratch);
        return -1;
    }
    for (int c = CHANNEL_CACHE; c < N_CHANNELS; c++) {
        struct channel_hockney *h = &p->hockney[c];
        e.n = 0;
        for (size_t i = 0; i < p->n_samples; i++) {
            const struct channel_sample *s = &p->sample[i];
            if (s->channel != (enum channel)c)
                continue;
            if (s->experiment == EXP_PINGPONG)
                equations_add(&e, (double)s->bytes, s->slowest);
            else if (s->experiment == EXP_FANOUT && s->procs > h->most_procs)
                h->most_procs = s->procs;
        }
        h->line = fit_line(&e, confidence);
        if (h->line.sign == FIT_BETA_NEGATIVE)
            h->line.status = FIT_BETA_NEGATIVE;
        errors_of(&e, h->line.intercept, h->line.slope, &h->median_error, &h->worst_error, scratch);
        errors_of(&e, h->line.robust_intercept, h->line.robust_slope, &h->robust_median,
                  &h->robust_worst, scratch);
    }
    free(e.x);
    free(scratch);
    return 0;
}

double channel_pingpong(const struct channel_platform *p, enum channel channel, double bytes)
{
    const struct channel_line *line = &p->hockney[channel].line;
    const double t = line->intercept + line->slope * bytes;
    if (line->status != FIT_OK)
        return NAN;
    return t > 0 ? t : line->robust_intercept + line->robust_slope * bytes;
}

double channel_ratio(const struct channel_platform *p, enum channel a, enum channel b, double bytes,
                     enum channel *slow)
{
    const double x = channel_pingpong(p, a, bytes), y = channel_pingpong(p, b, bytes);
    if (slow)
        *slow = x > y ? a : b;
    return x > y ? x / y : y / x;
}

/* ---- fan-out and fan-in ---- */

/* Where the samples of one experiment, channel and size end. */
static size_t end_of(const struct channel_platform *p, size_t i)
{
    size_t j = i;
    while (j < p->n_samples && p->sample[j].experiment == p->sample[i].experiment &&
           p->sample[j].channel == p->sample[i].channel && p->sample[j].bytes == p->sample[i].bytes)
        j++;
    return j;
}

static struct channel_line line_of_procs(const struct channel_platform *p, size_t from, size_t to,
                                         int of_mean, struct equations *e, double confidence)
{
    e->n = 0;
    for (size_t i = from; i < to; i++) {
        const struct channel_sample *s = &p->sample[i];
        equations_add(e, s->procs - 1, of_mean ? s->mean : s->slowest);
    }
    return fit_line(e, confidence);
}

static int fit_fanouts(struct channel_platform *p, double confidence)
{
    struct equations e;
    size_t n = 0;
    for (size_t i = 0; i < p->n_samples; i = end_of(p, i))
        n += p->sample[i].experiment != EXP_PINGPONG;
    p->fanout = malloc((n + 1) * sizeof *p->fanout);
    if (!p->fanout || equations_init(&e, p->n_samples) < 0)
        return -1;
    for (size_t i = 0, end; i < p->n_samples; i = end) {
        const struct channel_sample *s = &p->sample[i];
        end = end_of(p, i);
        if (s->experiment == EXP_PINGPONG)
            continue;
        p->fanout[p->n_fanouts++] = (struct channel_fanout){
            .experiment = s->experiment,
            .channel = s->channel,
            .bytes = s->bytes,
            .most_procs = p->sample[end - 1].procs,
            .slowest = line_of_procs(p, i, end, 0, &e, confidence),
            .mean = line_of_procs(p, i, end, 1, &e, confidence),
        };
    }
    free(e.x);
    return 0;
}

static double line_at(const struct channel_fanout *f, double procs, int of_mean)
{
    const struct channel_line *line = of_mean ? &f->mean : &f->slowest;
    return line->status == FIT_OK ? line->intercept + line->slope * (procs - 1) : NAN;
}

/* The measured sizes around this one (or twice the same); 0: there are none. */
static int fanouts_around(const struct channel_platform *p, enum experiment experiment,
                          enum channel channel, double bytes,
                          const struct channel_fanout *around[2])
{
    around[0] = around[1] = NULL;
    for (size_t i = 0; i < p->n_fanouts && !around[1]; i++) {
        const struct channel_fanout *f = &p->fanout[i];
        if (f->experiment != experiment || f->channel != channel)
            continue;
        if ((double)f->bytes <= bytes)
            around[0] = f;
        if ((double)f->bytes >= bytes)
            around[1] = f;
    }
    return around[0] && around[1];
}

double channel_fanout_time(const struct channel_platform *p, enum experiment experiment,
                           enum channel channel, double procs, double bytes, int of_mean)
{
    const struct channel_fanout *at[2];
    if (!fanouts_around(p, experiment, channel, bytes, at))
        return NAN;
    const double low = line_at(at[0], procs, of_mean), high = line_at(at[1], procs, of_mean);
    if (at[0] == at[1])
        return low;
    const double step = (double)(at[1]->bytes - at[0]->bytes);
    return low + (high - low) * (bytes - (double)at[0]->bytes) / step;
}

int channel_fanout_procs(const struct channel_platform *p, enum experiment experiment,
                         enum channel channel, double bytes)
{
    const struct channel_fanout *at[2];
    if (!fanouts_around(p, experiment, channel, bytes, at))
        return 0;
    return at[0]->most_procs < at[1]->most_procs ? at[0]->most_procs : at[1]->most_procs;
}

/* ---- all ---- */

double channel_slope(const struct channel_platform *p, enum experiment experiment,
                     enum channel channel, uint64_t bytes, int from, int to)
{
    struct equations e;
    double slope = NAN;
    if (equations_init(&e, p->n_samples) < 0)
        return NAN;
    for (size_t i = 0; i < p->n_samples; i++) {
        const struct channel_sample *s = &p->sample[i];
        if (s->experiment == experiment && s->channel == channel && s->bytes == bytes &&
            s->procs >= from && s->procs < to)
            equations_add(&e, s->procs - 1, s->slowest);
    }
    const struct channel_line line = fit_line(&e, CONFIDENCE);
    slope = line.status == FIT_OK ? line.robust_slope : NAN;
    free(e.x);
    return slope;
}

const struct place_costs *channel_costs_of(const struct channel_platform *p, enum channel_use use,
                                           int procs)
{
    return p->many_procs && procs >= p->many_procs ? &p->many[use] : &p->costs[use];
}

/* Who times the calls, and how. */
static enum barrier barrier_of(const struct facts *facts, const char *mpi)
{
    const char *version = facts_version(facts, mpi);
    if (strcmp(facts->backend, "sim") == 0)
        return BARRIER_NONE;
    const int is_41 = strncmp(version, "4.1", 3) == 0 && (version[3] == '\0' || version[3] == '.');
    return facts->imported && strcmp(mpi, "openmpi") == 0 && is_41 ? BARRIER_OPENMPI41
                                                                   : BARRIER_DISSEMINATION;
}

static int fit_platform(struct channel_platform *p, const struct facts *facts)
{
    const double confidence = facts->confidence;
    if (fit_pingpongs(p, confidence) < 0 || fit_fanouts(p, confidence) < 0)
        return -1;
    return channel_many_fit(p, facts);
}

int channel_fit(const struct points *points, const struct facts *facts, struct channel_fits *fits,
                struct err *err)
{
    *fits = (struct channel_fits){ .n = 0 };
    int status = collect(points, fits);
    for (size_t i = 0; i < fits->n && status == 0; i++) {
        fits->platform[i].barrier = barrier_of(facts, fits->platform[i].mpi);
        status = fit_platform(&fits->platform[i], facts);
    }
    if (status == 0)
        return 0;
    channel_fits_clear(fits);
    return err_set(err, "out of memory");
}

void channel_fits_clear(struct channel_fits *fits)
{
    for (size_t i = 0; i < fits->n; i++) {
        free(fits->platform[i].sample);
        free(fits->platform[i].fanout);
        for (int k = 0; k < N_CHANNEL_USES; k++) {
            place_costs_clear(&fits->platform[i].costs[k]);
            place_costs_clear(&fits->platform[i].many[k]);
        }
    }
    free(fits->platform);
    *fits = (struct channel_fits){ .n = 0 };
}
