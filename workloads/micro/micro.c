/* SPDX-License-Identifier: BSD-3-Clause */
/* micro.c - the micro-benchmark of the STAR-MPI paper (Faraj, Yuan & Lowenthal, ICS 2006, Figure
 * 4): a loop of computation and one collective. It knows nothing of collsel; `collsel star` starts
 * it, with and without libcollsel before its MPI. See usage().
 *
 * The computation is a sleep: all nodes of an emulated cluster share a few cores, and on cores of
 * its own a rank that sleeps comes as late as one that computes. After the loop the results of the
 * last call are looked at. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct call {
    const char *name;
    void (*run)(struct call *call);
    int gives_each, gets_each; /* a block for each rank, and from each */
    int combines, root_only;   /* rank 0 alone gets something */
    int rank, procs, bytes;
    unsigned char *give, *get;
};

/* ---- the calls: bytes, and sums of doubles; the root is rank 0 ---- */

static void run_alltoall(struct call *c)
{
    MPI_Alltoall(c->give, c->bytes, MPI_BYTE, c->get, c->bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void run_allgather(struct call *c)
{
    MPI_Allgather(c->give, c->bytes, MPI_BYTE, c->get, c->bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void run_allreduce(struct call *c)
{
    MPI_Allreduce(c->give, c->get, c->bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void run_reduce(struct call *c)
{
    MPI_Reduce(c->give, c->get, c->bytes / 8, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void run_bcast(struct call *c)
{
    if (c->rank == 0)
        memcpy(c->get, c->give, (size_t)c->bytes);
    MPI_Bcast(c->get, c->bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static struct call calls[] = {
    { .name = "MPI_Alltoall", .run = run_alltoall, .gives_each = 1, .gets_each = 1 },
    { .name = "MPI_Allgather", .run = run_allgather, .gets_each = 1 },
    { .name = "MPI_Allreduce", .run = run_allreduce, .combines = 1 },
    { .name = "MPI_Reduce", .run = run_reduce, .combines = 1, .root_only = 1 },
    { .name = "MPI_Bcast", .run = run_bcast },
};

enum { N_CALLS = sizeof calls / sizeof *calls };

/* ---- the data ---- */

/* Of the block from a rank to a rank. */
static unsigned char value(int from, int to)
{
    return (unsigned char)(31 * from + 7 * to + 1);
}

static void fill(struct call *c)
{
    const size_t bytes = (size_t)c->bytes, procs = (size_t)c->procs;
    c->give = malloc(bytes * (c->gives_each ? procs : 1) + 1);
    c->get = calloc(bytes * (c->gets_each ? procs : 1) + 1, 1);
    if (!c->give || !c->get)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int to = 0; to < (c->gives_each ? c->procs : 1); to++)
        memset(c->give + (size_t)to * bytes, value(c->rank, to), bytes);
    for (int i = 0; c->combines && i < c->bytes / 8; i++)
        ((double *)(void *)c->give)[i] = c->rank + i % 5;
}

/* 1 when this rank got what it should. */
static int is_right(const struct call *c)
{
    int wrong = 0;
    if (c->root_only && c->rank > 0)
        return 1;
    for (int i = 0; c->combines && i < c->bytes / 8; i++)
        wrong +=
            ((double *)(void *)c->get)[i] != c->procs * (c->procs - 1) / 2.0 + c->procs * (i % 5);
    for (int from = 0; !c->combines && from < (c->gets_each ? c->procs : 1); from++)
        for (int i = 0; i < c->bytes; i++)
            wrong += c->get[(size_t)from * (size_t)c->bytes + (size_t)i] !=
                     value(from, c->gives_each ? c->rank : 0);
    return !wrong;
}

/* ---- the loop ---- */

static void compute(double seconds)
{
    struct timespec left = { .tv_sec = (time_t)seconds };
    left.tv_nsec = (long)((seconds - (double)left.tv_sec) * 1e9);
    if (seconds > 0)
        nanosleep(&left, NULL);
}

/* Mean over ranks of the seconds in a call. */
static double loop(struct call *c, int times, double compute_s)
{
    double elapsed = 0, sum;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < times; i++) {
        compute(compute_s);
        const double start = MPI_Wtime();
        c->run(c);
        elapsed += MPI_Wtime() - start;
    }
    MPI_Reduce(&elapsed, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    return sum / c->procs / times;
}

static int usage(void)
{
    fputs(
        "usage: micro CALL BYTES CALLS [COMPUTE [LATE]]\n"
        "  CALL     MPI_Alltoall, MPI_Allgather, MPI_Allreduce, MPI_Reduce or MPI_Bcast\n"
        "  BYTES    of a rank's block or message, a multiple of 8\n"
        "  COMPUTE  seconds between two calls\n"
        "  LATE     seconds by which the last rank comes later to each\n"
        "prints: CALL, BYTES, CALLS, seconds of a call (mean over ranks), of a turn of the loop\n",
        stderr);
    return 2;
}

int main(int argc, char **argv)
{
    struct call *c = calls;
    while (argc >= 4 && c < calls + N_CALLS && strcmp(c->name, argv[1]) != 0)
        c++;
    const int bytes = argc < 4 ? 0 : (int)strtol(argv[2], NULL, 10),
              times = argc < 4 ? 0 : (int)strtol(argv[3], NULL, 10);
    if (c == calls + N_CALLS || bytes < 8 || bytes % 8 || times < 1)
        return usage();
    MPI_Init(&argc, &argv);
    c->bytes = bytes;
    MPI_Comm_rank(MPI_COMM_WORLD, &c->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &c->procs);
    fill(c);
    const double compute_s = argc > 4 ? strtod(argv[4], NULL) : 0,
                 late_s = argc > 5 && c->rank == c->procs - 1 ? strtod(argv[5], NULL) : 0;
    const double start = MPI_Wtime(), call_s = loop(c, times, compute_s + late_s),
                 turn_s = (MPI_Wtime() - start) / times;
    int right = is_right(c), all;
    MPI_Reduce(&right, &all, 1, MPI_INT, MPI_MIN, 0, MPI_COMM_WORLD);
    if (c->rank == 0)
        printf("%s %d %d %.9f %.9f%s\n", c->name, bytes, times, call_s, turn_s,
               all ? "" : " wrong results");
    free(c->give);
    free(c->get);
    MPI_Finalize();
    return c->rank == 0 && !all;
}
