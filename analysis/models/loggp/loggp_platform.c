/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/models/loggp/loggp_platform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

int loggp_is_experiment(const struct points *points, const struct measured *m)
{
    return m->point.experiment == EXP_TIME && points_has(points, EXP_GATHER, &m->point);
}

int loggp_platform_usable(const struct loggp_platform *platform)
{
    return platform && platform->costs.latency.n > 0 && platform->costs.send.n > 0;
}

static int is_here(const struct loggp_platform *p, const struct measured *m)
{
    return strcmp(m->point.cell.mpi, p->mpi) == 0 && strcmp(m->point.cell.mapping, p->mapping) == 0;
}

/* A usable experiment of our own schedule of this name, here. */
static int is_own(const struct points *points, const struct loggp_platform *p,
                  const struct measured *m, const char *algorithm)
{
    return is_here(p, m) && strcmp(m->point.candidate.algorithm, algorithm) == 0 &&
           m->status == POINT_OK && measured_usable(m) && loggp_is_experiment(points, m);
}

static void fit_latency(const struct points *points, struct loggp_platform *p)
{
    for (size_t i = 0; i < points->n; i++) {
        const struct measured *m = &points->row[i];
        if (m->point.experiment == EXP_PINGPONG && m->point.channel == CHANNEL_NONE &&
            is_here(p, m) && measured_usable(m))
            curve_add(&p->costs.latency, (double)m->point.cell.bytes, m->time.value);
    }
}

/* ---- slopes ---- */

/* Equations t = a + b x, of which b is wanted. */
struct line {
    double *x, *t, *prior; /* x: rows of two */
    size_t n;
};

static void line_init(struct line *l, size_t most)
{
    *l = (struct line){ .x = memory_zeros(4 * (most + 1), sizeof *l->x) };
    l->t = l->x + 2 * most;
    l->prior = l->t + most;
}

static void line_add(struct line *l, double x, double t)
{
    l->x[2 * l->n] = 1;
    l->x[2 * l->n + 1] = x;
    l->t[l->n] = t;
    l->prior[l->n++] = 1 / (t * t);
}

/* NaN where there is none. */
static double line_slope(struct line *l)
{
    struct regression r;
    int failed = regress_huber(l->x, l->t, l->prior, l->n, 2, 0.95, &r, NULL) < 0;
    free(l->x);
    return failed ? NAN : r.coef[1];
}

/* ---- sends ---- */

/* The segment of the gamma experiments; 0: none. */
static uint64_t gamma_bytes(const struct points *points, const struct loggp_platform *p)
{
    for (size_t i = 0; i < points->n; i++)
        if (points->row[i].point.experiment == EXP_GAMMA && is_here(p, &points->row[i]))
            return points->row[i].point.cell.bytes;
    return 0;
}

/* From the linear broadcast at the fits' process count. */
static void send_of_sizes(const struct points *points, struct loggp_platform *p)
{
    for (size_t i = 0; i < points->n; i++) {
        const struct measured *m = &points->row[i];
        double bytes = (double)m->point.cell.bytes;
        if (m->point.cell.procs < 3 || !is_own(points, p, m, "portable:basic_linear"))
            continue;
        double gap =
            (m->time.value - curve_value(&p->costs.latency, bytes)) / (m->point.cell.procs - 2);
        if (gap > 0)
            curve_add(&p->costs.send, bytes, gap);
    }
}

/* From the linear broadcasts of one segment among 2, 3, … ranks. */
static void send_of_segment(const struct points *points, const struct gamma_models *gammas,
                            struct loggp_platform *p)
{
    const struct gamma_model *g = gamma_models_find(gammas, p->mpi, p->mapping, GAMMA_SEND);
    uint64_t bytes = gamma_bytes(points, p);
    struct line l;
    if (!g || !bytes)
        return;
    line_init(&l, g->n);
    for (size_t i = 0; i < g->n; i++)
        if (g->point[i].alone_s > 0)
            line_add(&l, g->point[i].procs, g->point[i].alone_s);
    double gap = line_slope(&l);
    if (gap > 0)
        curve_add(&p->costs.send, (double)bytes, gap);
}

/* ---- receives ---- */

/* Seconds per segment of the pipeline, and the segment; NaN where there is no pipeline. */
static double relay_interval(const struct points *points, const struct loggp_platform *p,
                             uint64_t *segment)
{
    struct line l;
    *segment = 0;
    line_init(&l, points->n);
    for (size_t i = 0; i < points->n; i++) {
        const struct measured *m = &points->row[i];
        uint64_t s = m->point.candidate.segment_bytes;
        if (m->point.cell.procs < 3 || !s || (*segment && s != *segment) ||
            !is_own(points, p, m, "portable:pipeline"))
            continue;
        *segment = s;
        line_add(&l, ceil((double)m->point.cell.bytes / (double)s), m->time.value);
    }
    return line_slope(&l);
}

static void fit_receive(const struct points *points, struct loggp_platform *p)
{
    const struct curve *send = &p->costs.send;
    uint64_t segment;
    const double interval = relay_interval(points, p, &segment);
    double more = interval - 2 * curve_value(send, (double)segment);
    p->has_pipeline = isfinite(interval);
    if (!p->has_pipeline)
        more = 0;
    for (size_t i = 0; i < send->n; i++)
        curve_add(&p->costs.receive, send->bytes[i], fmax(0, send->seconds[i] + more));
}

/* Seconds per byte of the largest sends. */
static void loggp_platform_port(struct loggp_platform *p)
{
    const struct curve *c = &p->costs.send;
    if (c->n > 1)
        p->costs.port = fmax(0, (c->seconds[c->n - 1] - c->seconds[c->n - 2]) /
                                    (c->bytes[c->n - 1] - c->bytes[c->n - 2]));
}

/* ---- a study of reductions: the linear one shows receives, as a linear broadcast shows sends ----
 */

/* From the linear reduction at the fits' process count; combining is in it. */
static void receive_of_sizes(const struct points *points, struct loggp_platform *p)
{
    for (size_t i = 0; i < points->n; i++) {
        const struct measured *m = &points->row[i];
        double bytes = (double)m->point.cell.bytes;
        if (m->point.cell.procs < 3 || !is_own(points, p, m, "portable:linear"))
            continue;
        double gap =
            (m->time.value - curve_value(&p->costs.latency, bytes)) / (m->point.cell.procs - 2);
        if (gap > 0)
            curve_add(&p->costs.receive, bytes, gap);
    }
}

/* Sends of other sizes than the segment differ from receives as those of the segment do. */
static void send_like_receive(const struct points *points, struct loggp_platform *p)
{
    const struct curve *receive = &p->costs.receive;
    double segment = (double)gamma_bytes(points, p);
    double more =
        p->costs.send.n ? curve_value(&p->costs.send, segment) - curve_value(receive, segment) : 0;
    for (size_t i = 0; i < receive->n; i++)
        curve_add(&p->costs.send, receive->bytes[i], fmax(0, receive->seconds[i] + more));
    p->has_pipeline = 1;
}

void loggp_platform_fit(const struct points *points, const struct gamma_models *gammas,
                        struct loggp_platform *platform)
{
    fit_latency(points, platform);
    send_of_sizes(points, platform);
    const int has_sends = platform->costs.send.n > 0;
    send_of_segment(points, gammas, platform);
    if (!has_sends)
        receive_of_sizes(points, platform);
    const int by_receives = platform->costs.receive.n > 0;
    if (by_receives)
        send_like_receive(points, platform);
    loggp_platform_port(platform);
    if (!by_receives)
        fit_receive(points, platform);
}
