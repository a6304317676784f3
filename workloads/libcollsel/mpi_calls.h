/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_calls.h - the collectives of MPI and their parameters, from which the library's functions
 * are made. A row is X(KIND, Name, name, SHAPE); a shape has parameters, with counts of type C and
 * displacements of type D, their names, and the same as members of struct call_args: each count by
 * ONE, each array of counts by ALL or, where
 * the root alone has it, by ALL_AT_ROOT, of displacements by AT. */
#pragma once

/* Calls of some data that the library looks at and may replace. */
#define MPI_CALLS_SIZED(X)                                                                         \
    X(ALLGATHER, Allgather, allgather, TO_ALL)                                                     \
    X(ALLGATHERV, Allgatherv, allgatherv, TO_ALL_V)                                                \
    X(ALLREDUCE, Allreduce, allreduce, COMBINE)                                                    \
    X(ALLTOALL, Alltoall, alltoall, TO_ALL)                                                        \
    X(ALLTOALLV, Alltoallv, alltoallv, EXCHANGE_V)                                                 \
    X(BCAST, Bcast, bcast, BCAST)                                                                  \
    X(EXSCAN, Exscan, exscan, COMBINE)                                                             \
    X(GATHER, Gather, gather, ROOTED)                                                              \
    X(GATHERV, Gatherv, gatherv, GATHER_V)                                                         \
    X(REDUCE, Reduce, reduce, REDUCE)                                                              \
    X(REDUCE_SCATTER, Reduce_scatter, reduce_scatter, REDUCE_SCATTER)                              \
    X(REDUCE_SCATTER_BLOCK, Reduce_scatter_block, reduce_scatter_block, COMBINE)                   \
    X(SCAN, Scan, scan, COMBINE)                                                                   \
    X(SCATTER, Scatter, scatter, ROOTED)                                                           \
    X(SCATTERV, Scatterv, scatterv, SCATTER_V)

/* All that it looks at. */
#define MPI_CALLS_REPLACED(X) MPI_CALLS_SIZED(X) X(BARRIER, Barrier, barrier, BARRIER)

/* Those that it only counts. */
#define MPI_CALLS_COUNTED(X)                                                                       \
    X(ALLTOALLW, Alltoallw, alltoallw, EXCHANGE_W)                                                 \
    X(NEIGHBOR_ALLGATHER, Neighbor_allgather, neighbor_allgather, TO_ALL)                          \
    X(NEIGHBOR_ALLGATHERV, Neighbor_allgatherv, neighbor_allgatherv, TO_ALL_V)                     \
    X(NEIGHBOR_ALLTOALL, Neighbor_alltoall, neighbor_alltoall, TO_ALL)                             \
    X(NEIGHBOR_ALLTOALLV, Neighbor_alltoallv, neighbor_alltoallv, EXCHANGE_V)                      \
    X(NEIGHBOR_ALLTOALLW, Neighbor_alltoallw, neighbor_alltoallw, NEIGHBOR_W)

#define MPI_CALLS(X) MPI_CALLS_REPLACED(X) MPI_CALLS_COUNTED(X)

#define PARAMS_TO_ALL(C, D)                                                                        \
    const void *send, C send_count, MPI_Datatype send_type, void *recv, C recv_count,              \
        MPI_Datatype recv_type, MPI_Comm comm
#define NAMES_TO_ALL send, send_count, send_type, recv, recv_count, recv_type, comm
#define MEMBERS_TO_ALL(ONE, ALL, AT)                                                               \
    .send = send, .send_count = ONE(send_count), .send_type = send_type, .recv = recv,             \
    .recv_count = ONE(recv_count), .recv_type = recv_type

#define PARAMS_TO_ALL_V(C, D)                                                                      \
    const void *send, C send_count, MPI_Datatype send_type, void *recv, const C recv_counts[],     \
        const D recv_places[], MPI_Datatype recv_type, MPI_Comm comm
#define NAMES_TO_ALL_V send, send_count, send_type, recv, recv_counts, recv_places, recv_type, comm
#define MEMBERS_TO_ALL_V(ONE, ALL, AT)                                                             \
    .send = send, .send_count = ONE(send_count), .send_type = send_type, .recv = recv,             \
    .recv_counts = ALL(recv_counts), .recv_places = AT(recv_places), .recv_type = recv_type

#define PARAMS_COMBINE(C, D)                                                                       \
    const void *send, void *recv, C recv_count, MPI_Datatype recv_type, MPI_Op op, MPI_Comm comm
#define NAMES_COMBINE send, recv, recv_count, recv_type, op, comm
#define MEMBERS_COMBINE(ONE, ALL, AT)                                                              \
    .send = send, .recv = recv, .recv_count = ONE(recv_count), .recv_type = recv_type, .op = op

#define PARAMS_EXCHANGE_V(C, D)                                                                    \
    const void *send, const C send_counts[], const D send_places[], MPI_Datatype send_type,        \
        void *recv, const C recv_counts[], const D recv_places[], MPI_Datatype recv_type,          \
        MPI_Comm comm
#define NAMES_EXCHANGE_V                                                                           \
    send, send_counts, send_places, send_type, recv, recv_counts, recv_places, recv_type, comm
#define MEMBERS_EXCHANGE_V(ONE, ALL, AT)                                                           \
    .send = send, .send_counts = ALL(send == MPI_IN_PLACE ? NULL : send_counts),                   \
    .send_type = send_type, .recv = recv, .recv_counts = ALL(recv_counts),                         \
    .recv_places = AT(recv_places), .recv_type = recv_type

#define PARAMS_BARRIER(C, D)          MPI_Comm comm
#define NAMES_BARRIER                 comm
#define MEMBERS_BARRIER(ONE, ALL, AT) .root = 0

#define PARAMS_BCAST(C, D) void *recv, C recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm
#define NAMES_BCAST        recv, recv_count, recv_type, root, comm
#define MEMBERS_BCAST(ONE, ALL, AT)                                                                \
    .recv = recv, .recv_count = ONE(recv_count), .recv_type = recv_type, .root = root

#define PARAMS_ROOTED(C, D)                                                                        \
    const void *send, C send_count, MPI_Datatype send_type, void *recv, C recv_count,              \
        MPI_Datatype recv_type, int root, MPI_Comm comm
#define NAMES_ROOTED                 send, send_count, send_type, recv, recv_count, recv_type, root, comm
#define MEMBERS_ROOTED(ONE, ALL, AT) MEMBERS_TO_ALL(ONE, ALL, AT), .root = root

#define PARAMS_GATHER_V(C, D)                                                                      \
    const void *send, C send_count, MPI_Datatype send_type, void *recv, const C recv_counts[],     \
        const D recv_places[], MPI_Datatype recv_type, int root, MPI_Comm comm
#define NAMES_GATHER_V                                                                             \
    send, send_count, send_type, recv, recv_counts, recv_places, recv_type, root, comm
#define MEMBERS_GATHER_V(ONE, ALL, AT) MEMBERS_TO_ALL_V(ONE, ALL##_AT_ROOT, AT), .root = root

#define PARAMS_SCATTER_V(C, D)                                                                     \
    const void *send, const C send_counts[], const D send_places[], MPI_Datatype send_type,        \
        void *recv, C recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm
#define NAMES_SCATTER_V                                                                            \
    send, send_counts, send_places, send_type, recv, recv_count, recv_type, root, comm
#define MEMBERS_SCATTER_V(ONE, ALL, AT)                                                            \
    .send = send, .send_counts = ALL##_AT_ROOT(send_counts), .send_type = send_type, .recv = recv, \
    .recv_count = ONE(recv_count), .recv_type = recv_type, .root = root

#define PARAMS_REDUCE(C, D)                                                                        \
    const void *send, void *recv, C recv_count, MPI_Datatype recv_type, MPI_Op op, int root,       \
        MPI_Comm comm
#define NAMES_REDUCE                 send, recv, recv_count, recv_type, op, root, comm
#define MEMBERS_REDUCE(ONE, ALL, AT) MEMBERS_COMBINE(ONE, ALL, AT), .root = root

#define PARAMS_REDUCE_SCATTER(C, D)                                                                \
    const void *send, void *recv, const C recv_counts[], MPI_Datatype recv_type, MPI_Op op,        \
        MPI_Comm comm
#define NAMES_REDUCE_SCATTER send, recv, recv_counts, recv_type, op, comm
#define MEMBERS_REDUCE_SCATTER(ONE, ALL, AT)                                                       \
    .send = send, .recv = recv, .recv_counts = ALL(recv_counts), .recv_type = recv_type, .op = op

#define PARAMS_EXCHANGE_W(C, D)                                                                    \
    const void *send, const C send_counts[], const D send_places[],                                \
        const MPI_Datatype send_types[], void *recv, const C recv_counts[], const D recv_places[], \
        const MPI_Datatype recv_types[], MPI_Comm comm
#define NAMES_EXCHANGE_W                                                                           \
    send, send_counts, send_places, send_types, recv, recv_counts, recv_places, recv_types, comm
#define PARAMS_NEIGHBOR_W(C, D) PARAMS_EXCHANGE_W(C, MPI_Aint)
#define NAMES_NEIGHBOR_W        NAMES_EXCHANGE_W
