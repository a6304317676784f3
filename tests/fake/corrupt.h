/* SPDX-License-Identifier: BSD-3-Clause */
/* corrupt.h - a library to preload that spoils data: of a broadcast, a reduction or a
 * receive of exactly 4321 bytes, the last byte comes out wrong on rank 1; of a gather or an
 * allgather with blocks of that size, the last byte of all. The first COLLSEL_SPARED of these (of
 * the environment; 0) come out right. The first broadcast of 4319 bytes comes out right, and fails
 * on rank 1. The body of corrupt_*.c. */
#pragma once

#include <mpi.h>
#include <stdlib.h>

enum { SPOILED = 4321, FAILS = 4319 };

static void spoil_blocks(void *buf, int blocks, int count, MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    static int seen;
    const char *spared = getenv("COLLSEL_SPARED");
    if (count == SPOILED && rank == 1 && ++seen > (spared ? strtol(spared, NULL, 10) : 0))
        ((unsigned char *)buf)[blocks * count - 1] ^= 0x40;
}

static void spoil(void *buf, int count, MPI_Comm comm)
{
    spoil_blocks(buf, 1, count, comm);
}

int MPI_Bcast(void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    static int failed;
    int rank;
    const int rc = PMPI_Bcast(buf, count, type, root, comm);
    spoil(buf, count, comm);
    MPI_Comm_rank(comm, &rank);
    return count == FAILS && rank == 1 && !failed++ ? MPI_ERR_OTHER : rc;
}

int MPI_Reduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm)
{
    int rank;
    const int rc = PMPI_Reduce(from, to, count, type, op, root, comm);
    MPI_Comm_rank(comm, &rank);
    if (rank == root)
        spoil(to, count, comm);
    return rc;
}

int MPI_Allgather(const void *from, int n, MPI_Datatype type, void *to, int count,
                  MPI_Datatype to_type, MPI_Comm comm)
{
    int procs;
    const int rc = PMPI_Allgather(from, n, type, to, count, to_type, comm);
    MPI_Comm_size(comm, &procs);
    spoil_blocks(to, procs, count, comm);
    return rc;
}

int MPI_Recv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
             MPI_Status *status)
{
    const int rc = PMPI_Recv(buf, count, type, source, tag, comm, status);
    spoil(buf, count, comm);
    return rc;
}

/* At once, since what waits may be another preloaded library's: a request that is done. */
int MPI_Irecv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    if (count != SPOILED || rank != 1)
        return PMPI_Irecv(buf, count, type, source, tag, comm, request);
    *request = MPI_REQUEST_NULL;
    return MPI_Recv(buf, count, type, source, tag, comm, MPI_STATUS_IGNORE);
}
