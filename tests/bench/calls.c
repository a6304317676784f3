/* SPDX-License-Identifier: BSD-3-Clause */
/* calls.c - what a collective call costs in steady state. calls CALLS: so many allreduces of 8
 * bytes after a tenth of that, in blocks of 200; rank 0 prints the nanoseconds of a call in the
 * fastest block and in the median one. Whatever stands before MPI is part of the call. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BLOCK = 200 };

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double time_block(void)
{
    double give = 1, get = 0;
    const double began = now_ns();
    for (int i = 0; i < BLOCK; i++)
        MPI_Allreduce(&give, &get, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return (now_ns() - began) / BLOCK;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int n = argc > 1 ? (int)strtol(argv[1], NULL, 10) / BLOCK : 100;
    double *ns = malloc((size_t)(n + 1) * sizeof *ns);
    for (int i = 0; i < n / 10; i++)
        time_block();
    for (int i = 0; i < n; i++)
        ns[i] = time_block();
    qsort(ns, (size_t)n, sizeof *ns, by_value);
    if (rank == 0)
        printf("%.1f %.1f\n", ns[0], ns[n / 2]);
    free(ns);
    fflush(stdout); /* what is written after MPI_Finalize may be lost */
    MPI_Finalize();
    return 0;
}
