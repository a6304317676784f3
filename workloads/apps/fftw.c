/* SPDX-License-Identifier: BSD-3-Clause */
/* fftw.c - Fourier transforms of a square of n x n complex numbers by FFTW's MPI part
 * (libfftw3-mpi; Debian has it for Open MPI alone), which calls MPI as it thinks best. One is
 * forward, the next one back. As fft.c otherwise.
 *
 * FFTW plans by estimate, so that what runs does not depend on times, and the result is the same to
 * the bit in every run. It may destroy its input: then it transposes by MPI_Alltoall, as FFTW 2 did
 * in the STAR-MPI paper; else point to point. */
#include <complex.h>
#include <limits.h>
#include <mpi.h>
#include <fftw3-mpi.h>

#include "workloads/apps/app.h"

struct square {
    long n, transforms;
    ptrdiff_t rows, first;
    fftw_complex *values, *transformed;
    fftw_plan forward, back;
};

static double complex first_value(const struct square *s, ptrdiff_t i)
{
    const unsigned long number = (unsigned long)(s->first * s->n + i);
    return app_random(2 * number) - 0.5 + (app_random(2 * number + 1) - 0.5) * I;
}

static void fill(struct square *s)
{
    ptrdiff_t columns, first_column, size;
    size = fftw_mpi_local_size_2d_transposed(s->n, s->n, MPI_COMM_WORLD, &s->rows, &s->first,
                                             &columns, &first_column);
    s->values = fftw_alloc_complex((size_t)size);
    s->transformed = fftw_alloc_complex((size_t)size);
    s->forward =
        fftw_mpi_plan_dft_2d(s->n, s->n, s->values, s->transformed, MPI_COMM_WORLD, FFTW_FORWARD,
                             FFTW_ESTIMATE | FFTW_DESTROY_INPUT | FFTW_MPI_TRANSPOSED_OUT);
    s->back =
        fftw_mpi_plan_dft_2d(s->n, s->n, s->transformed, s->values, MPI_COMM_WORLD, FFTW_BACKWARD,
                             FFTW_ESTIMATE | FFTW_DESTROY_INPUT | FFTW_MPI_TRANSPOSED_IN);
    for (ptrdiff_t i = 0; i < s->rows * s->n; i++)
        s->values[i] = first_value(s, i);
}

static void go_back(struct square *s)
{
    const double scale = 1 / (double)(s->n * s->n);
    fftw_execute(s->back);
    for (ptrdiff_t i = 0; i < s->rows * s->n; i++)
        s->values[i] *= scale;
}

static int has_changed(const struct square *s)
{
    for (ptrdiff_t i = 0; i < s->rows * s->n; i++)
        if (!(cabs(s->values[i] - first_value(s, i)) < 1e-9))
            return 1;
    return 0;
}

static double energy(const struct square *s)
{
    double sum = 0;
    for (ptrdiff_t i = 0; i < s->rows * s->n; i++)
        sum += creal(s->values[i] * conj(s->values[i]));
    return sum;
}

int main(int argc, char **argv)
{
    struct square s = { .n = 128, .transforms = 100 };
    const struct app_option options[] = {
        { "n", &s.n, 1, LONG_MAX, "rows and columns" },
        { "transforms", &s.transforms, 2, LONG_MAX, "how many; an even number" },
        { 0 },
    };
    int changed;
    app_begin(argc, argv, options);
    fftw_mpi_init();
    fill(&s);
    app_steps_begin();
    for (long i = 0; i < s.transforms / 2; i++) {
        fftw_execute(s.forward);
        go_back(&s);
    }
    app_steps_end();
    app_result_sum("energy", energy(&s));
    app_result_digest("square", s.values, (size_t)(s.rows * s.n) * sizeof *s.values);
    changed = has_changed(&s);
    fftw_destroy_plan(s.forward);
    fftw_destroy_plan(s.back);
    fftw_free(s.values);
    fftw_free(s.transformed);
    fftw_mpi_cleanup();
    return app_end(changed, "two transforms do not give back what there was");
}
