/* SPDX-License-Identifier: BSD-3-Clause */
/* bench_executor.c - our executor against Open MPI's own same algorithm, alternating in one run.
 * bench_executor [PAIRS [BYTES [COLLECTIVE]]]: at most so many pairs of calls, of one size, of one
 * collective. Both combine by MPI_BXOR of bytes.
 *
 * For every algorithm and size: the native algorithm is forced on one communicator, the schedule
 * compiled for another; calls alternate (which is first, too), each after a barrier of ours; a
 * sample is the slowest rank's time. Prints CSV: medians in seconds, their ratio and difference,
 * and the ratio of the lowest tenths, which other load on the machine touches less. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/number.h"
#include "workloads/measure/call.h"
#include "workloads/clocks/clock.h"
#include "workloads/execute/execute.h"
#include "workloads/proof/native.h"
#include "workloads/clocks/sync.h"

struct times {
    struct executor *ours;
    call_function *call;
    struct call_args args; /* of the native call */
};

static double time_one(const struct times *p, struct sync *sync, int ours)
{
    sync_wait(sync);
    const tick from = clock_now();
    if (ours)
        executor_run(p->ours);
    else
        p->call(&p->args);
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
    const double pairs = 1.5 / (s / 3), n = pairs < 40 ? 40 : pairs;
    return n > reps ? reps : (int)n;
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

static void report(const struct schedule *s, int reps, double *spans[2])
{
    const double native = quantile(spans[0], reps, 0.5), ours = quantile(spans[1], reps, 0.5);
    const double fast = quantile(spans[1], reps, 0.1) / quantile(spans[0], reps, 0.1);
    printf("%d,%llu,%s:%s,%llu,%.4g,%.4g,%.4f,%.1f,%.4f,%d\n", s->procs,
           (unsigned long long)s->bytes, algorithm_collective(s->alg)->name, s->alg->name,
           (unsigned long long)s->segment_bytes, native, ours, ours / native, (ours - native) * 1e9,
           fast, reps);
    fflush(stdout);
}

static void give_buffers(struct execute_buffers *buffers, const struct schedule *s, int rank)
{
    for (int b = 0; b < BUF_TEMP; b++)
        buffers->at[b] =
            memory_zeros(schedule_buffer_bytes(s, (enum op_buffer)b, rank) + GUARD_BYTES, 1);
}

static int bench(const struct algorithm *alg, uint64_t bytes, int reps, MPI_Comm comm,
                 struct err *err)
{
    static const struct execute_reduce bxor = { .type = MPI_BYTE,
                                                .op = MPI_BXOR,
                                                .element_bytes = 1 };
    const uint64_t segment = alg->segmented ? 8192 : 0;
    struct point point = { .cell = { .bytes = bytes }, .candidate = { .segment_bytes = segment } };
    struct schedule s;
    struct sync sync;
    double *spans[2] = { memory_zeros((size_t)reps, sizeof(double)),
                         memory_zeros((size_t)reps, sizeof(double)) };
    sync_init(&sync, comm);
    struct times p = { .call = call_native(algorithm_collective(alg)),
                       .args = { .bytes = bytes, .rank = sync.rank, .procs = sync.procs } };
    snprintf(point.cell.collective, sizeof point.cell.collective, "%s",
             algorithm_collective(alg)->name);
    snprintf(point.candidate.algorithm, NAME_SIZE, "openmpi:%s", alg->name);
    if (schedule_init(&s, alg, sync.procs, 0, bytes, segment, 0, err) < 0)
        return -1;
    give_buffers(&p.args.buffers, &s, sync.rank);
    if (!(p.ours = executor_new(&s, comm, &p.args.buffers, &bxor, err)) ||
        native_library.force(&point, comm, &p.args.comm, err) < 0)
        return -1;
    call_counts_init(&p.args, s.collective);
    reps = compare(&p, &sync, reps, spans);
    if (sync.rank == 0)
        report(&s, reps, spans);
    executor_free(p.ours);
    call_counts_clear(&p.args);
    native_library.release(&p.args.comm);
    sync_clear(&sync);
    for (int b = 0; b < BUF_TEMP; b++)
        free(p.args.buffers.at[b]);
    free(spans[0]);
    free(spans[1]);
    return 0;
}

/* Of each collective two or more that move data in different ways. */
static const struct {
    const char *collective, *name;
} rows[] = {
    { "bcast", "basic_linear" },
    { "bcast", "chain" },
    { "bcast", "pipeline" },
    { "bcast", "split_binary_tree" },
    { "bcast", "binary_tree" },
    { "bcast", "binomial" },
    { "reduce", "linear" },
    { "reduce", "pipeline" },
    { "reduce", "binomial" },
    { "allreduce", "recursive_doubling" },
    { "allreduce", "ring" },
    { "allreduce", "rabenseifner" },
    { "allgather", "bruck" },
    { "allgather", "ring" },
    { "allgather", "recursive_doubling" },
    { "allgatherv", "ring" },
    { "allgatherv", "bruck" },
    { "alltoall", "linear" },
    { "alltoall", "pairwise" },
    { "alltoall", "modified_bruck" },
    { "alltoallv", "basic_linear" },
    { "alltoallv", "pairwise" },
    { "gather", "basic_linear" },
    { "gather", "binomial" },
    { "scatter", "basic_linear" },
    { "scatter", "binomial" },
    { "reduce_scatter", "recursive_halving" },
    { "reduce_scatter", "ring" },
    { "reduce_scatter_block", "recursive_doubling" },
    { "reduce_scatter_block", "recursive_halving" },
    { "barrier", "recursive_doubling" },
    { "barrier", "bruck" },
    { "scan", "linear" },
    { "scan", "recursive_doubling" },
    { "exscan", "linear" },
    { "exscan", "recursive_doubling" },
};

/* The sizes of one row; a barrier has none. */
static int bench_sizes(const struct algorithm *alg, uint64_t only, int reps, struct err *err)
{
    static const uint64_t sizes[] = { 8, 1024, 4096, 8192, 65536, 524288, 4194304 };
    const int is_bcast = strcmp(algorithm_collective(alg)->name, "bcast") == 0;
    if (algorithm_collective(alg)->source == FROM_NOBODY)
        return bench(alg, 0, reps, MPI_COMM_WORLD, err);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes - !is_bcast; i++)
        if ((!only || only == sizes[i]) && bench(alg, sizes[i], reps, MPI_COMM_WORLD, err) < 0)
            return -1;
    return 0;
}

int main(int argc, char **argv)
{
    struct err err = { 0 };
    uint64_t reps = 300, only = 0;
    int rank;
    native_library.set_environment();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int status = native_library.open(MPI_COMM_WORLD, &err) < 0 ||
                         (argc > 1 && parse_u64(argv[1], &reps, &err) < 0) ||
                         (argc > 2 && parse_bytes(argv[2], &only, &err) < 0)
                     ? -1
                     : 0;
    if (rank == 0 && status == 0)
        printf("procs,bytes,algorithm,segment_bytes,native_s,executor_s,ratio,difference_ns,"
               "ratio_p10,pairs\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows && status == 0; i++)
        if (argc < 4 || strcmp(argv[3], rows[i].collective) == 0)
            status = bench_sizes(algorithm_find(rows[i].collective, rows[i].name), only, (int)reps,
                                 &err);
    if (status < 0) {
        fprintf(stderr, "bench_executor: %s\n", err.text);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
