/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/models/channel/channel_lines.h"

static const double CONFIDENCE = 0.95; /* of intervals that nobody asks for */

/* Equations y = c0 + c1 x, for both fits. */
struct equations {
    double *x, *y, *prior; /* x: rows of two */
    size_t n;
};

static void equations_init(struct equations *e, size_t most)
{
    *e = (struct equations){ .x = memory_zeros(4 * most + 1, sizeof *e->x) };
    e->y = e->x + 2 * most;
    e->prior = e->y + most;
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
        line.sign = fit_sign(r.low[0], r.high[0], r.low[1], r.high[1], r.r2, reason, sizeof reason);
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

static void fit_pingpongs(struct channel_platform *p, double confidence)
{
    struct equations e;
    double *scratch = memory_zeros(p->n_samples + 1, sizeof *scratch);
    equations_init(&e, p->n_samples);
    for (int c = CHANNEL_CACHE; c < N_CHANNELS; c++) {
        struct channel_hockney *h = &p->lines.hockney[c];
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
    memory_free(e.x, scratch);
}

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

static void fit_fanouts(struct channel_platform *p, double confidence)
{
    struct equations e;
    size_t n = 0;
    for (size_t i = 0; i < p->n_samples; i = end_of(p, i))
        n += p->sample[i].experiment != EXP_PINGPONG;
    p->lines.fanout = memory_zeros(n + 1, sizeof *p->lines.fanout);
    equations_init(&e, p->n_samples);
    for (size_t i = 0, end; i < p->n_samples; i = end) {
        const struct channel_sample *s = &p->sample[i];
        end = end_of(p, i);
        if (s->experiment == EXP_PINGPONG)
            continue;
        p->lines.fanout[p->lines.n_fanouts++] = (struct channel_fanout){
            .experiment = s->experiment,
            .channel = s->channel,
            .bytes = s->bytes,
            .most_procs = p->sample[end - 1].procs,
            .slowest = line_of_procs(p, i, end, 0, &e, confidence),
            .mean = line_of_procs(p, i, end, 1, &e, confidence),
        };
    }
    free(e.x);
}

void channel_lines_fit(struct channel_platform *p, double confidence)
{
    fit_pingpongs(p, confidence);
    fit_fanouts(p, confidence);
}

double channel_slope(const struct channel_platform *p, enum experiment experiment,
                     enum channel channel, uint64_t bytes, int from, int to)
{
    struct equations e;
    equations_init(&e, p->n_samples);
    for (size_t i = 0; i < p->n_samples; i++) {
        const struct channel_sample *s = &p->sample[i];
        if (s->experiment == experiment && s->channel == channel && s->bytes == bytes &&
            s->procs >= from && s->procs < to)
            equations_add(&e, s->procs - 1, s->slowest);
    }
    const struct channel_line line = fit_line(&e, CONFIDENCE);
    free(e.x);
    return line.status == FIT_OK ? line.robust_slope : NAN;
}
