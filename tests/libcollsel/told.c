/* SPDX-License-Identifier: BSD-3-Clause */
/* told.c - an application (MPICH with UCX) that prints what each of its collectives really sends:
 * "COLLECTIVE BYTES MESSAGES NUMBER", the number made of receivers and sizes in their order, of all
 * ranks. It stands before the function of UCX by which a message leaves; the second of two calls
 * counts. The last line is a sum of all results. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 64, MOST = 1 << 23 };

static int counting, messages;
static uint64_t number;
static const void *last, *to[MOST_RANKS];

static int receiver(const void *endpoint)
{
    for (int r = 0; r < MOST_RANKS; r++)
        if (to[r] == endpoint)
            return r;
    return MOST_RANKS;
}

void *ucp_tag_send_nbx(void *endpoint, const void *buf, size_t count, uint64_t tag,
                       const void *param);

void *ucp_tag_send_nbx(void *endpoint, const void *buf, size_t count, uint64_t tag,
                       const void *param)
{
    static void *(*own)(void *, const void *, size_t, uint64_t, const void *);
    if (!own) {
        void *at = dlsym(RTLD_NEXT, __func__);
        memcpy(&own, &at, sizeof own);
    }
    last = endpoint;
    if (counting) {
        messages++;
        number = (number ^ ((uint64_t)receiver(endpoint) + 1)) * UINT64_C(0x100000001b3);
        number = (number ^ count) * UINT64_C(0x100000001b3);
    }
    return own(endpoint, buf, count, tag, param);
}

/* Which endpoint leads to which rank: one byte to each. */
static void learn(int rank, int procs)
{
    char byte = 0;
    for (int r = 0; r < procs; r++)
        for (int s = 0; s < procs; s++) {
            last = NULL;
            if (rank == s && r != s)
                MPI_Send(&byte, 1, MPI_CHAR, r, 0, MPI_COMM_WORLD);
            if (rank == s && r != s)
                to[r] = last;
            if (rank == r && r != s)
                MPI_Recv(&byte, 1, MPI_CHAR, s, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
}

static int give[MOST / 4], get[MOST / 4], counts[MOST_RANKS], places[MOST_RANKS];

typedef void call(int n);

static void bcast(int n)
{
    MPI_Bcast(get, n, MPI_INT, 0, MPI_COMM_WORLD);
}
static void reduce(int n)
{
    MPI_Reduce(give, get, n, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
}
static void allreduce(int n)
{
    MPI_Allreduce(give, get, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}
static void allgather(int n)
{
    MPI_Allgather(give, n, MPI_INT, get, n, MPI_INT, MPI_COMM_WORLD);
}
static void allgatherv(int n)
{
    MPI_Allgatherv(give, n, MPI_INT, get, counts, places, MPI_INT, MPI_COMM_WORLD);
}
static void alltoall(int n)
{
    MPI_Alltoall(give, n, MPI_INT, get, n, MPI_INT, MPI_COMM_WORLD);
}
static void gather(int n)
{
    MPI_Gather(give, n, MPI_INT, get, n, MPI_INT, 0, MPI_COMM_WORLD);
}
static void scatter(int n)
{
    MPI_Scatter(give, n, MPI_INT, get, n, MPI_INT, 0, MPI_COMM_WORLD);
}
static void reduce_scatter(int n)
{
    (void)n;
    MPI_Reduce_scatter(give, get, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}
static void reduce_scatter_block(int n)
{
    MPI_Reduce_scatter_block(give, get, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}
static void barrier(int n)
{
    (void)n;
    MPI_Barrier(MPI_COMM_WORLD);
}
static void scan(int n)
{
    MPI_Scan(give, get, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}
static void exscan(int n)
{
    MPI_Exscan(give, get, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static const struct {
    const char *name;
    call *call;
} all[] = { { "bcast", bcast },
            { "reduce", reduce },
            { "allreduce", allreduce },
            { "allgather", allgather },
            { "allgatherv", allgatherv },
            { "alltoall", alltoall },
            { "gather", gather },
            { "scatter", scatter },
            { "reduce_scatter", reduce_scatter },
            { "reduce_scatter_block", reduce_scatter_block },
            { "scan", scan },
            { "exscan", exscan },
            { "barrier", barrier } };

static uint64_t sum;

static void look(const char *name, call *call, int bytes, int rank, int procs)
{
    const int n = bytes / 4;
    for (int r = 0; r < procs; r++) {
        counts[r] = n;
        places[r] = r * n;
    }
    for (int i = 0; i < n * procs; i++) {
        give[i] = i + 1000 * rank;
        get[i] = rank == 0 ? i : 0;
    }
    call(n);
    messages = 0;
    number = UINT64_C(0xcbf29ce484222325);
    counting = 1;
    call(n);
    counting = 0;
    uint64_t mine[2] = { (uint64_t)messages, number * (uint64_t)(2 * rank + 1) }, whole[2];
    PMPI_Reduce(mine, whole, 2, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    for (int i = 0; i < n && strcmp(name, "exscan") != 0; i++)
        sum += (uint64_t)get[i];
    if (rank == 0)
        printf("%s %d %llu %016llx\n", name, bytes, (unsigned long long)whole[0],
               (unsigned long long)whole[1]);
}

int main(int argc, char **argv)
{
    static const int sizes[] = { 4,    12,    256,   260,   2048,   2052,   4096,
                                 8192, 12288, 12292, 16384, 131072, 524288, 524292 };
    int rank, procs;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &procs);
    learn(rank, procs);
    for (size_t c = 0; c + 1 < sizeof all / sizeof *all; c++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            look(all[c].name, all[c].call, sizes[s], rank, procs);
    look("barrier", barrier, 0, rank, procs);
    uint64_t total;
    PMPI_Reduce(&sum, &total, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %llu\n", (unsigned long long)total);
    fflush(stdout); /* what is written after MPI_Finalize may be lost */
    MPI_Finalize();
    return 0;
}
