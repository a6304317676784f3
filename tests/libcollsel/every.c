/* SPDX-License-Identifier: BSD-3-Clause */
/* every.c - makes every collective of MPI once, on rings of all ranks; the last rank says what it
 * got. every: those that every binding has; every all: those of this MPI; every session: without
 * MPI_Init. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#if defined OPEN_MPI && OMPI_MAJOR_VERSION < 5
#include <mpi-ext.h>
#define INIT(name) MPIX_##name##_init
#else
#define INIT(name) MPI_##name##_init
#endif

enum { N = 3, MOST = 64 };

static int rank, procs, last, give[MOST * N], get[MOST * N];
static MPI_Comm ring; /* each rank has two neighbours */
static MPI_Request request;

static void begin(void)
{
    for (int i = 0; i < MOST * N; i++) {
        give[i] = 100 * rank + i;
        get[i] = i;
    }
}

static void say(const char *name)
{
    long long sum = 0;
    for (int i = 0; i < MOST * N; i++)
        sum += (long long)get[i] * (i + 1);
    if (rank == last)
        printf("%s %lld\n", name, sum);
}

static void complete(const char *name)
{
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say(name);
}

static void run_twice(const char *name)
{
    for (int i = 0; i < 2; i++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    say(name);
    MPI_Request_free(&request);
}

#define LIST(...) __VA_ARGS__
#define BASIC(Name, name, args)                                                                    \
    begin(), MPI_##Name(args), say("MPI_" #Name);                                                  \
    begin(), MPI_I##name(args, &request), complete("MPI_I" #name);
#define PERSISTENT(Name, name, args)                                                               \
    begin(), INIT(Name)(args, MPI_INFO_NULL, &request), run_twice("MPI_" #Name "_init");
#define LARGE(Name, name, args)                                                                    \
    begin(), MPI_##Name##_c(args), say("MPI_" #Name "_c");                                         \
    begin(), MPI_I##name##_c(args, &request), complete("MPI_I" #name "_c");                        \
    begin(), MPI_##Name##_init_c(args, MPI_INFO_NULL, &request), run_twice("MPI_" #Name "_init_c");

/* W: displacements of bytes, for all and for neighbours. */
#define SIZED(X)                                                                                   \
    X(Allgather, allgather, LIST(give, N, MPI_INT, get, N, MPI_INT, ring))                         \
    X(Allgatherv, allgatherv, LIST(give, N, MPI_INT, get, counts, places, MPI_INT, ring))          \
    X(Allreduce, allreduce, LIST(give, get, N, MPI_INT, MPI_SUM, ring))                            \
    X(Alltoall, alltoall, LIST(give, N, MPI_INT, get, N, MPI_INT, ring))                           \
    X(Alltoallv, alltoallv,                                                                        \
      LIST(give, counts, places, MPI_INT, get, counts, places, MPI_INT, ring))                     \
    X(Alltoallw, alltoallw, LIST(give, counts, bytes, types, get, counts, bytes, types, ring))     \
    X(Bcast, bcast, LIST(get, N, MPI_INT, 0, ring))                                                \
    X(Exscan, exscan, LIST(give, get, N, MPI_INT, MPI_SUM, ring))                                  \
    X(Gather, gather, LIST(give, N, MPI_INT, get, N, MPI_INT, last, ring))                         \
    X(Gatherv, gatherv, LIST(give, N, MPI_INT, get, counts, places, MPI_INT, last, ring))          \
    X(Reduce, reduce, LIST(give, get, N, MPI_INT, MPI_MAX, last, ring))                            \
    X(Reduce_scatter, reduce_scatter, LIST(give, get, counts, MPI_INT, MPI_SUM, ring))             \
    X(Reduce_scatter_block, reduce_scatter_block, LIST(give, get, N, MPI_INT, MPI_SUM, ring))      \
    X(Scan, scan, LIST(give, get, N, MPI_INT, MPI_SUM, ring))                                      \
    X(Scatter, scatter, LIST(give, N, MPI_INT, get, N, MPI_INT, 0, ring))                          \
    X(Scatterv, scatterv, LIST(give, counts, places, MPI_INT, get, N, MPI_INT, 0, ring))           \
    X(Neighbor_allgather, neighbor_allgather, LIST(give, N, MPI_INT, get, N, MPI_INT, ring))       \
    X(Neighbor_allgatherv, neighbor_allgatherv,                                                    \
      LIST(give, N, MPI_INT, get, counts, places, MPI_INT, ring))                                  \
    X(Neighbor_alltoall, neighbor_alltoall, LIST(give, N, MPI_INT, get, N, MPI_INT, ring))         \
    X(Neighbor_alltoallv, neighbor_alltoallv,                                                      \
      LIST(give, counts, places, MPI_INT, get, counts, places, MPI_INT, ring))                     \
    X(Neighbor_alltoallw, neighbor_alltoallw,                                                      \
      LIST(give, counts, far, types, get, counts, far, types, ring))

static void call_every(int all)
{
    int counts[MOST], places[MOST], bytes[MOST];
    MPI_Aint far[MOST];
    MPI_Datatype types[MOST];
    for (int i = 0; i < MOST; i++) {
        counts[i] = N;
        places[i] = N * i;
        far[i] = bytes[i] = N * i * (int)sizeof *give;
        types[i] = MPI_INT;
    }
    SIZED(BASIC)
    BASIC(Barrier, barrier, ring)
    if (all) {
        SIZED(PERSISTENT)
        PERSISTENT(Barrier, barrier, ring)
    }
}

#if MPI_VERSION >= 4
static void call_large(void)
{
    MPI_Count counts[MOST];
    MPI_Aint places[MOST], bytes[MOST], *far = bytes;
    MPI_Datatype types[MOST];
    for (int i = 0; i < MOST; i++) {
        counts[i] = N;
        places[i] = N * i;
        bytes[i] = N * i * (int)sizeof *give;
        types[i] = MPI_INT;
    }
    SIZED(LARGE)
}

static void call_in_session(void)
{
    MPI_Session session;
    MPI_Group group;
    int sum;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "every", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &ring);
    MPI_Comm_rank(ring, &rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, ring);
    MPI_Barrier(ring);
    MPI_Ibarrier(ring, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("sum %d\n", sum);
    MPI_Comm_free(&ring);
    MPI_Group_free(&group);
    MPI_Session_finalize(&session);
}
#else
#define call_large()      ((void)0)
#define call_in_session() ((void)0)
#endif

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    const int all = strcmp(what, "all") == 0;
    if (strcmp(what, "session") == 0) {
        call_in_session();
        return 0;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &procs);
    last = procs - 1;
    const int beside[] = { (rank + last) % procs, (rank + 1) % procs };
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, beside, MPI_UNWEIGHTED, 2, beside,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
    call_every(all);
    if (all)
        call_large();
    begin();
    MPI_Allreduce(MPI_IN_PLACE, get, N, MPI_INT, MPI_MIN, ring);
    say("in place");
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
