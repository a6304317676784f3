/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/apps/app.h"

#include <errno.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A program has one MPI_COMM_WORLD, and these go with it. */
static int rank, procs;
static double began_s;

static const struct app_option *find(const struct app_option *options, const char *word)
{
    const struct app_option *o = options;
    while (o->name && (strncmp(word, "--", 2) != 0 || strcmp(word + 2, o->name) != 0))
        o++;
    return o->name ? o : NULL;
}

static void usage(const char *program, const struct app_option *options)
{
    fprintf(stderr, "usage: %s [--OPTION NUMBER]...\n", program);
    for (const struct app_option *o = options; o->name; o++)
        fprintf(stderr, "  --%-12s %s (%ld; at least %ld)\n", o->name, o->help, *o->value,
                o->least);
}

static int read_options(int argc, char **argv, const struct app_option *options)
{
    for (int i = 1; i < argc; i += 2) {
        const struct app_option *o = find(options, argv[i]);
        char *end = "";
        errno = 0;
        long value = o && i + 1 < argc ? strtol(argv[i + 1], &end, 10) : 0;
        if (!o || i + 1 == argc || end == argv[i + 1] || *end || errno || value < o->least ||
            value > o->most) {
            if (rank == 0)
                fprintf(stderr, "%s: '%s %s': want an option and its number\n", argv[0], argv[i],
                        i + 1 < argc ? argv[i + 1] : "");
            return -1;
        }
        *o->value = value;
    }
    return 0;
}

void app_begin(int argc, char **argv, const struct app_option *options)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &procs);
    if (read_options(argc, argv, options) < 0) {
        if (rank == 0)
            usage(argv[0], options);
        MPI_Finalize();
        exit(2);
    }
}

int app_rank(void)
{
    return rank;
}

int app_procs(void)
{
    return procs;
}

void *app_memory(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size);
    if (!p) {
        fprintf(stderr, "rank %d: no memory for %zu times %zu bytes\n", rank, count, size);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return p;
}

/* The finaliser of splitmix64 (Steele, Lea & Flood, OOPSLA 2014), as a hash of its number. */
double app_random(unsigned long n)
{
    uint64_t z = (uint64_t)n * UINT64_C(0x9e3779b97f4a7c15) + UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

void app_steps_begin(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    began_s = MPI_Wtime();
}

void app_steps_end(void)
{
    double mine = MPI_Wtime() - began_s, longest = 0;
    MPI_Reduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("time_s %.6f\n", longest);
}

void app_result_sum(const char *name, double value)
{
    double sum = 0;
    MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %s %.15e\n", name, sum);
}

/* FNV-1a */
static uint64_t digest(uint64_t h, const void *bytes, size_t n)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < n; i++)
        h = (h ^ b[i]) * UINT64_C(0x100000001b3);
    return h;
}

void app_result_digest(const char *name, const void *bytes, size_t n)
{
    const uint64_t start = UINT64_C(0xcbf29ce484222325);
    uint64_t mine = digest(start, bytes, n), *all = app_memory((size_t)procs, sizeof *all);
    MPI_Gather(&mine, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %s %016llx\n", name,
               (unsigned long long)digest(start, all, (size_t)procs * sizeof *all));
    free(all);
}

int app_end(int failed, const char *check)
{
    int any = failed;
    MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (any && rank == 0)
        fprintf(stderr, "wrong: %s\n", check);
    MPI_Finalize();
    return any != 0;
}
