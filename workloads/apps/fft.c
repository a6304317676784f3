/* SPDX-License-Identifier: BSD-3-Clause */
/* fft.c - Fourier transforms of a square of n x n complex numbers, of which each rank has rows: a
 * transform of each row, a transposition by an all-to-all, a transform of each row. One is forward,
 * the next one back.
 *
 * A block of the all-to-all is (n / P)^2 x 16 bytes: n = 1,504 on 16 ranks are the 141,376 bytes of
 * the STAR-MPI paper's Table 2, topology (a), 1,472 on 32 the 33,856 of (b). Rows are
 * transformed here, so that the program wants MPI alone; fftw.c is the same on FFTW.
 *
 * Every step is the same to the bit, whatever the algorithm. Check: after an even number of
 * transforms the square is the one from before. */
#include <complex.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

#include "workloads/apps/app.h"

struct square {
    long n, transforms, rows;
    double complex *values, *blocks, *row, *sums;
    double complex *roots; /* of 1: exp(-2 pi i k / n) */
};

static long smallest_factor(long n)
{
    for (long f = 2; f * f <= n; f++)
        if (n % f == 0)
            return f;
    return n;
}

/* Cooley and Tukey's, of any n: of n values that stand `stride` apart, to n in a row. turn: 1
 * forward, -1 back. */
static void transform(const struct square *s, const double complex *in, long stride, long n,
                      long turn, double complex *out)
{
    const long f = n > 1 ? smallest_factor(n) : 1, m = n / f;
    if (n == 1) {
        *out = *in;
        return;
    }
    for (long i = 0; i < f; i++)
        transform(s, in + i * stride, stride * f, m, turn, out + i * m);
    for (long j = 0; j < m; j++) {
        for (long k = 0; k < f; k++) {
            const long angle = turn > 0 ? j + k * m : n - j - k * m;
            s->sums[k] = 0;
            for (long i = 0; i < f; i++)
                s->sums[k] += out[j + i * m] * s->roots[i * angle % n * (s->n / n)];
        }
        for (long k = 0; k < f; k++)
            out[j + k * m] = s->sums[k];
    }
}

static void transform_rows(struct square *s, long turn)
{
    const double scale = turn > 0 ? 1 : 1 / (double)s->n;
    for (long r = 0; r < s->rows; r++) {
        transform(s, s->values + r * s->n, 1, s->n, turn, s->row);
        for (long c = 0; c < s->n; c++)
            s->values[r * s->n + c] = s->row[c] * scale;
    }
}

/* What stood in row r and column c of the square stands in row c and column r then. */
static void transpose(struct square *s)
{
    const long n = s->n, rows = s->rows, block = rows * rows;
    const int doubles = (int)(2 * block);
    for (long r = 0; r < rows; r++)
        for (long c = 0; c < n; c++)
            s->blocks[c / rows * block + c % rows * rows + r] = s->values[r * n + c];
    MPI_Alltoall(s->blocks, doubles, MPI_DOUBLE, s->values, doubles, MPI_DOUBLE, MPI_COMM_WORLD);
    for (long i = 0; i < rows * n; i++)
        s->blocks[i] = s->values[i];
    for (long r = 0; r < rows; r++)
        for (long c = 0; c < n; c++)
            s->values[r * n + c] = s->blocks[c / rows * block + r * rows + c % rows];
}

static double complex first_value(const struct square *s, long i)
{
    const unsigned long number = (unsigned long)(app_rank() * s->rows * s->n + i);
    return app_random(2 * number) - 0.5 + (app_random(2 * number + 1) - 0.5) * I;
}

static void fill(struct square *s)
{
    const size_t n = (size_t)s->n, all = (size_t)s->rows * n;
    s->values = app_memory(all, sizeof *s->values);
    s->blocks = app_memory(all, sizeof *s->blocks);
    s->row = app_memory(n, sizeof *s->row);
    s->sums = app_memory(n, sizeof *s->sums);
    s->roots = app_memory(n, sizeof *s->roots);
    for (long k = 0; k < s->n; k++)
        s->roots[k] = cexp(-2 * acos(-1.0) * I * (double)k / (double)s->n);
    for (size_t i = 0; i < all; i++)
        s->values[i] = first_value(s, (long)i);
}

/* The square's own energy, which a transform keeps but for a factor of n x n (Parseval). */
static double energy(const struct square *s)
{
    double sum = 0;
    for (long i = 0; i < s->rows * s->n; i++)
        sum +=
            creal(s->values[i]) * creal(s->values[i]) + cimag(s->values[i]) * cimag(s->values[i]);
    return sum;
}

static int has_changed(const struct square *s)
{
    for (long i = 0; i < s->rows * s->n; i++)
        if (!(cabs(s->values[i] - first_value(s, i)) < 1e-9))
            return 1;
    return 0;
}

int main(int argc, char **argv)
{
    struct square s = { .n = 128, .transforms = 100 };
    const struct app_option options[] = {
        { "n", &s.n, 1, LONG_MAX, "rows and columns; whole rows for each rank" },
        { "transforms", &s.transforms, 1, LONG_MAX, "calls of alltoall" },
        { 0 },
    };
    int changed;
    app_begin(argc, argv, options);
    s.n -= s.n % app_procs();
    s.rows = s.n / app_procs();
    fill(&s);
    app_steps_begin();
    for (long i = 0; i < s.transforms; i++) {
        transform_rows(&s, i % 2 ? -1 : 1);
        transpose(&s);
        transform_rows(&s, i % 2 ? -1 : 1);
    }
    app_steps_end();
    app_result_sum("energy", energy(&s));
    app_result_digest("square", s.values, (size_t)(s.rows * s.n) * sizeof *s.values);
    changed = s.transforms % 2 == 0 && has_changed(&s);
    free(s.values);
    free(s.blocks);
    free(s.row);
    free(s.sums);
    free(s.roots);
    return app_end(changed, "two transforms do not give back what there was");
}
