/* SPDX-License-Identifier: BSD-3-Clause */
/* planted.h - points whose times are computed from known gamma, alpha and beta, with seeded noise,
 * for the tests of the fits and selectors. The expected times come from the stage walk itself: what
 * is tested is that the fit inverts it. Everything static; a test includes it once. */
#pragma once

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measure/equivalent.h"
#include "analysis/measure/points.h"
#include "analysis/walk/stage_walk.h"
#include "harness/base/rng.h"

/* What is planted. */
struct planted {
    struct gamma gamma;
    double alpha, beta;
    double noise;   /* relative standard deviation of one sample */
    double between; /* of a launch */
    int samples;    /* per point; 1: deterministic */
    int launches;   /* that share them; 0: one */
    struct rng rng;
};

/* gamma(k) = 1 + 0.12 (k - 2) in eleven discrete values, exactly linear. */
static __attribute__((unused)) struct planted planted_new(double alpha, double beta, double noise,
                                                          int samples, uint64_t seed)
{
    static int procs[] = { 2, 3, 4, 5, 6, 7, 8, 16, 32, 64, 124 };
    static double value[11];
    struct planted p = { .alpha = alpha, .beta = beta, .noise = noise, .samples = samples };
    for (int i = 0; i < 11; i++)
        value[i] = 1 + 0.12 * (procs[i] - 2);
    p.gamma =
        (struct gamma){ .n = 11, .procs = procs, .value = value, .intercept = 0.76, .slope = 0.12 };
    rng_init(&p.rng, seed);
    return p;
}

/* Receives overlap, too: r(k) = 1 + 0.2 (k - 1), exactly linear. */
static __attribute__((unused)) void planted_overlap(struct planted *p)
{
    static double value[11];
    static struct gamma fan_in;
    fan_in = p->gamma;
    fan_in.value = value;
    fan_in.intercept = 0.6;
    fan_in.slope = 0.2;
    for (size_t i = 0; i < fan_in.n; i++)
        value[i] = 0.6 + 0.2 * fan_in.procs[i];
    p->gamma.receives = &fan_in;
}

/* Seconds of the collective of a point by the walk. */
static double planted_collective(const struct planted *p, const struct point *point)
{
    struct schedule s;
    struct stage_profile profile;
    struct err err;
    if (equivalent_schedule(NULL, &point->cell, &point->candidate, &s, &err) < 0 ||
        stage_walk(&s, &profile, &err) < 0)
        return NAN;
    double seconds = stage_time(&profile, &p->gamma, p->alpha, p->beta);
    stage_profile_clear(&profile);
    return seconds;
}

/* Seconds of a point, whatever its experiment (eq. 7, 8). */
static __attribute__((unused)) double planted_seconds(const struct planted *p,
                                                      const struct point *point)
{
    const struct cell *c = &point->cell;
    double barrier = 3 * p->alpha * c->procs, others = c->procs - 1;
    if (strcmp(c->collective, "reduce") == 0)
        others = gamma_receives(&p->gamma, c->procs - 1);
    switch (point->experiment) {
    case EXP_GAMMA:
        return planted_collective(p, point) + barrier;
    case EXP_BARRIER:
        return barrier;
    case EXP_PINGPONG:
        return p->alpha + p->beta * (double)c->bytes;
    case EXP_GATHER:
        return planted_collective(p, point) +
               others * (p->alpha + p->beta * (double)point->gather_bytes);
    default:
        return planted_collective(p, point);
    }
}

static struct point planted_point(enum experiment experiment, const char *algorithm, int procs,
                                  uint64_t bytes, uint64_t segment, int fanout,
                                  uint64_t gather_bytes)
{
    struct point point = { .experiment = experiment,
                           .purpose = experiment == EXP_TIME ? FOR_STUDY : FOR_FIT,
                           .cell = { .collective = "bcast",
                                     .mpi = "smpi",
                                     .mapping = "node",
                                     .nodes = 124,
                                     .ppn = 1,
                                     .procs = procs,
                                     .bytes = bytes },
                           .candidate = { .segment_bytes = segment, .fanout = fanout },
                           .gather_bytes = gather_bytes };
    snprintf(point.candidate.algorithm, NAME_SIZE, "%s", algorithm);
    point_identify(&point);
    return point;
}

/* Appends a point with samples about `seconds`. */
static __attribute__((unused)) struct measured *planted_add(struct points *points,
                                                            struct planted *p,
                                                            const struct point *point,
                                                            double seconds)
{
    struct measured *row = realloc(points->row, (points->n + 1) * sizeof *row);
    double *x = malloc((size_t)p->samples * sizeof *x), launch_s = seconds;
    size_t *end = malloc((size_t)p->samples * sizeof *end), launches = 0;
    const int calls = p->launches ? p->samples / p->launches : p->samples;
    points->row = row;
    row = &row[points->n++];
    memset(row, 0, sizeof *row);
    row->point = *point;
    row->converged = STAT_NA;
    row->ran_segment_bytes = row->ran_fanout = -1;
    for (int i = 0; i < p->samples; i++) {
        if (p->between > 0 && i % calls == 0)
            launch_s = seconds * (1 + p->between * rng_normal(&p->rng));
        x[i] = launch_s * (p->noise > 0 ? 1 + p->noise * rng_normal(&p->rng) : 1);
        if (p->launches && (i + 1) % calls == 0)
            end[launches++] = (size_t)i + 1;
    }
    struct sample_set set = {
        .value = x, .n = (size_t)p->samples, .launch_end = end, .launches = launches
    };
    stats_summarize(&set, launches ? STATISTIC_MEDIAN : STATISTIC_MEAN, 0.95, p->samples == 1,
                    &row->time);
    free(end);
    free(x);
    return row;
}

/* The ten sizes of the paper, 8 KiB to 4 MiB. */
static uint64_t planted_bytes(int i)
{
    return (uint64_t)8192 << i;
}

static const uint64_t planted_gather[] = { 1024, 4096, 16384, 2048 };

/* All experiments of one algorithm's alpha and beta. */
static __attribute__((unused)) void planted_fit_points(struct points *points, struct planted *p,
                                                       const char *algorithm, int procs,
                                                       uint64_t segment, int fanout)
{
    for (int i = 0; i < 10; i++) {
        struct point point = planted_point(EXP_GATHER, algorithm, procs, planted_bytes(i), segment,
                                           fanout, planted_gather[i % 4]);
        planted_add(points, p, &point, planted_seconds(p, &point));
    }
}

/* The loop of a linear collective and, returned, the point of one alone. */
static struct point planted_loop(struct points *points, struct planted *p, const char *collective,
                                 const char *algorithm, int procs)
{
    struct point point = planted_point(EXP_GAMMA, algorithm, procs, 8192, 0, 0, 0);
    snprintf(point.cell.collective, NAME_SIZE, "%s", collective);
    point_identify(&point);
    planted_add(points, p, &point, planted_seconds(p, &point));
    point.experiment = EXP_TIME;
    point.purpose = FOR_FIT;
    point_identify(&point);
    return point;
}

/* All experiments of gamma: per number of processes the loop, its barrier, the broadcast alone. */
static __attribute__((unused)) void planted_gamma_points(struct points *points, struct planted *p)
{
    for (size_t i = 0; i < p->gamma.n; i++) {
        int q = p->gamma.procs[i];
        struct point alone = planted_loop(points, p, "bcast", "portable:basic_linear", q);
        struct point barrier = planted_point(EXP_BARRIER, "portable:central", q, 0, 0, 0, 0);
        planted_add(points, p, &barrier, planted_seconds(p, &barrier));
        planted_add(points, p, &alone, planted_seconds(p, &alone));
    }
}

/* Those of fan-ins, in which combining a segment takes so many seconds more: per number of
 * processes a gather's loop and gather, a reduction's loop and reduction. */
static __attribute__((unused)) void planted_fan_in_points(struct points *points, struct planted *p,
                                                          double combine)
{
    static const char *const linear[2][2] = { { "gather", "portable:basic_linear" },
                                              { "reduce", "portable:linear" } };
    for (size_t i = 0; i < p->gamma.n; i++)
        for (int k = 0; k < 2; k++) {
            int q = p->gamma.procs[i];
            struct point alone = planted_loop(points, p, linear[k][0], linear[k][1], q);
            planted_add(points, p, &alone, planted_seconds(p, &alone) + k * combine * (q - 1));
        }
}

/* The ping-pong experiments. */
static __attribute__((unused)) void planted_pingpong_points(struct points *points,
                                                            struct planted *p)
{
    for (int i = 0; i < 10; i++) {
        struct point point =
            planted_point(EXP_PINGPONG, "portable:pingpong", 2, planted_bytes(i), 0, 0, 0);
        planted_add(points, p, &point, planted_seconds(p, &point));
    }
}
