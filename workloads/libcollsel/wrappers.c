/* SPDX-License-Identifier: BSD-3-Clause */
/* wrappers.c - the functions that stand before those of MPI: the only ones of the library that
 * others can see. All others of MPI, such as those that do not block or go to neighbours, are not
 * here and pass by. */
#include "workloads/libcollsel/life.h"
#include "workloads/libcollsel/call_dispatch.h"

#define SEEN __attribute__((visibility("default")))

/* Where the application called. */
#define SITE __builtin_return_address(0)

/* The call as it was made: by a schedule, or as the library makes it. */
#define TURN(which_, call, ...)                                                                    \
    do {                                                                                           \
        struct call_dispatch turn;                                                                 \
        const struct call_args asked = {                                                           \
            .which = (which_), .comm = comm, .site = SITE, __VA_ARGS__                             \
        };                                                                                         \
        return call_dispatch_end(&turn, call_dispatch_begin(&turn, &asked) ? turn.rc : (call));    \
    } while (0)

SEEN int MPI_Init(int *argc, char ***argv)
{
    const int rc = PMPI_Init(argc, argv);
    if (rc == MPI_SUCCESS)
        life_begin();
    return rc;
}

SEEN int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    const int rc = PMPI_Init_thread(argc, argv, required, provided);
    if (rc == MPI_SUCCESS)
        life_begin();
    return rc;
}

SEEN int MPI_Finalize(void)
{
    life_end();
    return PMPI_Finalize();
}

SEEN int MPI_Allgather(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                       int recv_count, MPI_Datatype recv_type, MPI_Comm comm)
{
    TURN(CALL_ARGS_ALLGATHER,
         PMPI_Allgather(send, send_count, send_type, recv, recv_count, recv_type, comm),
         .send = send, .send_count = send_count, .send_type = send_type, .recv = recv,
         .recv_count = recv_count, .recv_type = recv_type);
}

SEEN int MPI_Allgatherv(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                        const int recv_counts[], const int recv_places[], MPI_Datatype recv_type,
                        MPI_Comm comm)
{
    TURN(CALL_ARGS_ALLGATHERV,
         PMPI_Allgatherv(send, send_count, send_type, recv, recv_counts, recv_places, recv_type,
                         comm),
         .send = send, .send_count = send_count, .send_type = send_type, .recv = recv,
         .recv_counts = recv_counts, .recv_places = recv_places, .recv_type = recv_type);
}

SEEN int MPI_Allreduce(const void *send, void *recv, int recv_count, MPI_Datatype recv_type,
                       MPI_Op op, MPI_Comm comm)
{
    TURN(CALL_ARGS_ALLREDUCE, PMPI_Allreduce(send, recv, recv_count, recv_type, op, comm),
         .send = send, .recv = recv, .recv_count = recv_count, .recv_type = recv_type, .op = op);
}

SEEN int MPI_Alltoall(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                      int recv_count, MPI_Datatype recv_type, MPI_Comm comm)
{
    TURN(CALL_ARGS_ALLTOALL,
         PMPI_Alltoall(send, send_count, send_type, recv, recv_count, recv_type, comm),
         .send = send, .send_count = send_count, .send_type = send_type, .recv = recv,
         .recv_count = recv_count, .recv_type = recv_type);
}

SEEN int MPI_Alltoallv(const void *send, const int send_counts[], const int send_places[],
                       MPI_Datatype send_type, void *recv, const int recv_counts[],
                       const int recv_places[], MPI_Datatype recv_type, MPI_Comm comm)
{
    TURN(CALL_ARGS_ALLTOALLV,
         PMPI_Alltoallv(send, send_counts, send_places, send_type, recv, recv_counts, recv_places,
                        recv_type, comm),
         .send = send, .send_counts = send_counts, .send_type = send_type, .recv = recv,
         .recv_counts = recv_counts, .recv_places = recv_places, .recv_type = recv_type);
}

SEEN int MPI_Barrier(MPI_Comm comm)
{
    TURN(CALL_ARGS_BARRIER, PMPI_Barrier(comm));
}

SEEN int MPI_Bcast(void *recv, int recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm)
{
    TURN(CALL_ARGS_BCAST, PMPI_Bcast(recv, recv_count, recv_type, root, comm), .recv = recv,
         .recv_count = recv_count, .recv_type = recv_type, .root = root);
}

SEEN int MPI_Exscan(const void *send, void *recv, int recv_count, MPI_Datatype recv_type, MPI_Op op,
                    MPI_Comm comm)
{
    TURN(CALL_ARGS_EXSCAN, PMPI_Exscan(send, recv, recv_count, recv_type, op, comm), .send = send,
         .recv = recv, .recv_count = recv_count, .recv_type = recv_type, .op = op);
}

SEEN int MPI_Gather(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                    int recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm)
{
    TURN(CALL_ARGS_GATHER,
         PMPI_Gather(send, send_count, send_type, recv, recv_count, recv_type, root, comm),
         .send = send, .send_count = send_count, .send_type = send_type, .recv = recv,
         .recv_count = recv_count, .recv_type = recv_type, .root = root);
}

SEEN int MPI_Gatherv(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                     const int recv_counts[], const int recv_places[], MPI_Datatype recv_type,
                     int root, MPI_Comm comm)
{
    TURN(CALL_ARGS_GATHERV,
         PMPI_Gatherv(send, send_count, send_type, recv, recv_counts, recv_places, recv_type, root,
                      comm),
         .send = send, .send_count = send_count, .send_type = send_type, .recv = recv,
         .recv_counts = recv_counts, .recv_places = recv_places, .recv_type = recv_type,
         .root = root);
}

SEEN int MPI_Reduce(const void *send, void *recv, int recv_count, MPI_Datatype recv_type, MPI_Op op,
                    int root, MPI_Comm comm)
{
    TURN(CALL_ARGS_REDUCE, PMPI_Reduce(send, recv, recv_count, recv_type, op, root, comm),
         .send = send, .recv = recv, .recv_count = recv_count, .recv_type = recv_type, .op = op,
         .root = root);
}

SEEN int MPI_Reduce_scatter(const void *send, void *recv, const int recv_counts[],
                            MPI_Datatype recv_type, MPI_Op op, MPI_Comm comm)
{
    TURN(CALL_ARGS_REDUCE_SCATTER,
         PMPI_Reduce_scatter(send, recv, recv_counts, recv_type, op, comm), .send = send,
         .recv = recv, .recv_counts = recv_counts, .recv_type = recv_type, .op = op);
}

SEEN int MPI_Reduce_scatter_block(const void *send, void *recv, int recv_count,
                                  MPI_Datatype recv_type, MPI_Op op, MPI_Comm comm)
{
    TURN(CALL_ARGS_REDUCE_SCATTER_BLOCK,
         PMPI_Reduce_scatter_block(send, recv, recv_count, recv_type, op, comm), .send = send,
         .recv = recv, .recv_count = recv_count, .recv_type = recv_type, .op = op);
}

SEEN int MPI_Scan(const void *send, void *recv, int recv_count, MPI_Datatype recv_type, MPI_Op op,
                  MPI_Comm comm)
{
    TURN(CALL_ARGS_SCAN, PMPI_Scan(send, recv, recv_count, recv_type, op, comm), .send = send,
         .recv = recv, .recv_count = recv_count, .recv_type = recv_type, .op = op);
}

SEEN int MPI_Scatter(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                     int recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm)
{
    TURN(CALL_ARGS_SCATTER,
         PMPI_Scatter(send, send_count, send_type, recv, recv_count, recv_type, root, comm),
         .send = send, .send_count = send_count, .send_type = send_type, .recv = recv,
         .recv_count = recv_count, .recv_type = recv_type, .root = root);
}

SEEN int MPI_Scatterv(const void *send, const int send_counts[], const int send_places[],
                      MPI_Datatype send_type, void *recv, int recv_count, MPI_Datatype recv_type,
                      int root, MPI_Comm comm)
{
    TURN(CALL_ARGS_SCATTERV,
         PMPI_Scatterv(send, send_counts, send_places, send_type, recv, recv_count, recv_type, root,
                       comm),
         .send = send, .send_counts = send_counts, .send_type = send_type, .recv = recv,
         .recv_count = recv_count, .recv_type = recv_type, .root = root);
}
