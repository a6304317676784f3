/* SPDX-License-Identifier: BSD-3-Clause */
/* learn.c - learn DIR ROWS [FILE]: how fast 100 trees are trained on the times of broadcasts in a
 * data set that was imported, and asked. A row is a timed point: features of its cell and the
 * number of its candidate, the logarithm of its time. Fewer rows than asked for are taken again,
 * with a little noise on their sizes. Prints rows, seconds of processor time for training and for
 * asking about every row once, peak memory in MiB, and the mean absolute error as CSV; writes the
 * rows to FILE, for others to learn from. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "analysis/learn/learner.h"
#include "analysis/measure/imported_points.h"
#include "harness/base/memory.h"
#include "harness/base/number.h"
#include "harness/base/rng.h"

enum { K = 6 }; /* logarithms of processes, nodes, ppn, bytes, bytes per process; candidate */

struct rows {
    float *x;
    double *y;
    size_t n;
};

static double processor_s(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_utime.tv_sec + (double)u.ru_stime.tv_sec +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static double peak_mib(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_maxrss / 1024;
}

/* The place of a candidate among those that were met. */
static size_t number_of(struct candidate *kind, size_t *n, size_t most, const struct candidate *c)
{
    for (size_t i = 0; i < *n; i++)
        if (candidate_equal(&kind[i], c))
            return i;
    if (*n == most)
        return most;
    kind[*n] = *c;
    return (*n)++;
}

/* All timed broadcasts. */
static struct rows take_points(const struct points *points, const struct facts *facts)
{
    enum { MOST = 256 };
    struct candidate kind[MOST];
    size_t kinds = 0;
    struct rows r = { .x = memory_zeros((points->n + 1) * K, sizeof *r.x),
                      .y = memory_zeros(points->n + 1, sizeof *r.y) };
    for (size_t i = 0; i < points->n; i++) {
        const struct measured *m = &points->row[i];
        float x[N_FEATURES];
        if (m->point.experiment != EXP_TIME || !measured_usable(m) || !(m->time.value > 0) ||
            strcmp(m->point.cell.collective, "bcast") != 0)
            continue;
        problem_features(&m->point.cell, facts, x);
        memcpy(r.x + r.n * K, x, (K - 1) * sizeof *x);
        r.x[r.n * K + K - 1] = (float)number_of(kind, &kinds, MOST, &m->point.candidate);
        r.y[r.n++] = log(m->time.value);
    }
    return r;
}

/* So many rows of these: each once, in another order, then again with noise. */
static struct rows draw(const struct rows *from, size_t n)
{
    struct rng rng;
    size_t *order = memory_zeros(from->n, sizeof *order);
    struct rows r = { memory_zeros(n * K, sizeof *r.x), memory_zeros(n, sizeof *r.y), n };
    rng_init(&rng, 1);
    for (size_t i = 0; i < from->n; i++)
        order[i] = i;
    rng_shuffle(&rng, order, from->n, sizeof *order);
    for (size_t i = 0; i < n; i++) {
        const size_t at = order[i % from->n];
        memcpy(r.x + i * K, from->x + at * K, K * sizeof *r.x);
        r.y[i] = from->y[at];
        if (i >= from->n)
            r.x[i * K + FEATURE_BYTES] += (float)(0.5 * rng_unit(&rng) - 0.25);
    }
    free(order);
    return r;
}

static void write_rows(const char *path, const struct rows *r)
{
    FILE *f = fopen(path, "we");
    for (size_t i = 0; f && i < r->n; i++) {
        for (size_t k = 0; k < K; k++)
            fprintf(f, "%.9g,", (double)r->x[i * K + k]);
        fprintf(f, "%.17g\n", r->y[i]);
    }
    if (f)
        fclose(f);
}

static int bench(const struct rows *r, struct err *err)
{
    const struct examples e = { .x = r->x, .n = r->n, .k = K, .y = r->y };
    struct fitted f;
    double off = 0;
    const double start = processor_s();
    if (fitted_make(&method_forest, &e, 0, 1, &f, err) < 0)
        return -1;
    const double trained = processor_s();
    for (size_t i = 0; i < r->n; i++)
        off += fabs(fitted_predict(&f, r->x + i * K) - r->y[i]);
    printf("%zu,%.4g,%.4g,%.4g,%.4g\n", r->n, trained - start, processor_s() - trained, peak_mib(),
           off / (double)r->n);
    fitted_clear(&f);
    return 0;
}

int main(int argc, char **argv)
{
    struct err err = { 0 };
    struct facts facts;
    struct points points = { .n = 0 };
    uint64_t n;
    if (argc < 3 || parse_u64(argv[2], &n, &err) < 0 || n < 1) {
        fprintf(stderr, "usage: learn DIR ROWS [FILE]\n");
        return 2;
    }
    if (facts_read(argv[1], &facts, &err) < 0 ||
        imported_points(argv[1], &facts, &points, &err) < 0) {
        fprintf(stderr, "learn: %s\n", err.text);
        return 1;
    }
    struct rows all = take_points(&points, &facts);
    points_clear(&points);
    if (!all.n) {
        fprintf(stderr, "learn: %s has no timed broadcast\n", argv[1]);
        return 1;
    }
    struct rows some = draw(&all, (size_t)n);
    if (argc > 3)
        write_rows(argv[3], &some);
    const int status = bench(&some, &err);
    if (status < 0)
        fprintf(stderr, "learn: %s\n", err.text);
    free(all.x);
    free(all.y);
    free(some.x);
    free(some.y);
    return status < 0;
}
