/* SPDX-License-Identifier: BSD-3-Clause */
/* bench_executor.c - our executor against Open MPI's own same algorithm, alternating in one run.
 *
 * For every algorithm and size: the native algorithm is forced on one communicator, the schedule
 * compiled for another; calls alternate (which is first, too), each after a barrier of ours; a
 * sample is the slowest rank's time. Prints CSV: medians in seconds, their ratio and difference,
 * and the ratio of the lowest tenths, which other load on the machine touches less. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/number.h"
#include "workloads/clock.h"
#include "workloads/execute.h"
#include "workloads/native.h"
#include "workloads/sync.h"

struct times {
    struct executor *ours;
    MPI_Comm native;
    char *buf;
    uint64_t bytes;
    int root;
};

static double time_one(const struct times *p, struct sync *sync, int ours)
{
    sync_wait(sync);
    const tick from = clock_now();
    if (ours)
        executor_run(p->ours);
    else
        MPI_Bcast(p->buf, (int)p->bytes, MPI_BYTE, p->root, p->native);
    return clock_span_s(from, clock_now());
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The value below which a share of the sorted ones lies. */
static double quantile(const double *sorted, int n, double share)
{
    const double at = share * (n - 1);
    const int i = (int)at;
    return i + 1 < n ? sorted[i] + (at - i) * (sorted[i + 1] - sorted[i]) : sorted[n - 1];
}

/* So many pairs that they take about a second, at most reps; the same on every rank. */
static int affordable(const struct times *p, struct sync *sync, int reps)
{
    double s = 0;
    for (int i = 0; i < 6; i++)
        s += time_one(p, sync, i % 2);
    MPI_Allreduce(MPI_IN_PLACE, &s, 1, MPI_DOUBLE, MPI_MAX, sync->comm);
    const double n = 1.5 / (s / 3);
    return n > reps ? reps : n < 40 ? 40 : (int)n;
}

/* spans[0]: native, spans[1]: ours; sorted. Returns their number. */
static int compare(const struct times *p, struct sync *sync, int most, double *spans[2])
{
    const int reps = affordable(p, sync, most);
    for (int i = 0; i < reps; i++)
        for (int turn = 0; turn < 2; turn++) {
            const int ours = (turn + i) % 2;
            spans[ours][i] = time_one(p, sync, ours);
        }
    for (int k = 0; k < 2; k++) {
        MPI_Allreduce(MPI_IN_PLACE, spans[k], reps, MPI_DOUBLE, MPI_MAX, sync->comm);
        qsort(spans[k], (size_t)reps, sizeof(double), by_value);
    }
    return reps;
}

static void report(int procs, uint64_t bytes, const char *name, uint64_t segment, int reps,
                   double *spans[2])
{
    const double native = quantile(spans[0], reps, 0.5), ours = quantile(spans[1], reps, 0.5);
    const double fast = quantile(spans[1], reps, 0.1) / quantile(spans[0], reps, 0.1);
    printf("%d,%llu,%s,%llu,%.4g,%.4g,%.4f,%.1f,%.4f,%d\n", procs, (unsigned long long)bytes, name,
           (unsigned long long)segment, native, ours, ours / native, (ours - native) * 1e9, fast,
           reps);
    fflush(stdout);
}

static int bench(const char *name, uint64_t bytes, uint64_t segment, int reps, MPI_Comm comm,
                 char *buf)
{
    struct err err = { 0 };
    struct point point = { .cell = { .collective = "bcast", .bytes = bytes },
                           .candidate = { .segment_bytes = segment } };
    struct schedule s;
    struct sync sync;
    struct times p = { .buf = buf, .bytes = bytes };
    const struct execute_buffers buffers = { .at = { [BUF_DATA] = buf } };
    double *spans[2] = { malloc((size_t)reps * sizeof(double)),
                         malloc((size_t)reps * sizeof(double)) };
    sync_init(&sync, comm);
    snprintf(point.candidate.algorithm, NAME_SIZE, "openmpi:%s", name);
    if (schedule_init(&s, algorithm_find("bcast", name), sync.procs, 0, bytes, segment, 0, &err) <
            0 ||
        !(p.ours = executor_new(&s, comm, &buffers, NULL, &err)) ||
        native_library.force(&point, comm, &p.native, &err) < 0) {
        fprintf(stderr, "bench_executor: %s\n", err.text);
        return -1;
    }
    reps = compare(&p, &sync, reps, spans);
    if (sync.rank == 0)
        report(sync.procs, bytes, name, segment, reps, spans);
    executor_free(p.ours);
    native_library.release(&p.native);
    sync_clear(&sync);
    free(spans[0]);
    free(spans[1]);
    return 0;
}

int main(int argc, char **argv)
{
    static const char *const names[] = {
        "basic_linear", "chain", "pipeline", "split_binary_tree", "binary_tree", "binomial", NULL
    };
    static const uint64_t sizes[] = { 8, 1024, 4096, 8192, 65536, 524288, 4194304 };
    struct err err = { 0 };
    uint64_t reps = 300, only = 0; /* bench_executor [PAIRS [BYTES]] */
    int rank;
    native_library.set_environment();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (native_library.open(MPI_COMM_WORLD, &err) < 0 ||
        (argc > 1 && parse_u64(argv[1], &reps, &err) < 0) ||
        (argc > 2 && parse_bytes(argv[2], &only, &err) < 0)) {
        fprintf(stderr, "bench_executor: %s\n", err.text);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    char *buf = calloc(1, sizes[6]);
    if (rank == 0)
        printf("procs,bytes,algorithm,segment_bytes,pairs,native_s,executor_s,ratio,difference_ns,"
               "ratio_p10\n");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (const char *const *name = names; *name && (!only || only == sizes[i]); name++)
            if (bench(*name, sizes[i], 8192, (int)reps, MPI_COMM_WORLD, buf) < 0)
                MPI_Abort(MPI_COMM_WORLD, 1);
    free(buf);
    MPI_Finalize();
    return 0;
}
