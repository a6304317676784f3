/* SPDX-License-Identifier: BSD-3-Clause */
/* corrupt.h - a library to preload that spoils data: of a broadcast, or of a blocking receive, of
 * exactly 4321 bytes, the last byte comes out wrong on rank 1. The body of corrupt_*.c. */
#ifndef FAKE_CORRUPT_H
#define FAKE_CORRUPT_H

#include <mpi.h>

enum { SPOILED = 4321 };

static void spoil(void *buf, int count, MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    if (count == SPOILED && rank == 1)
        ((unsigned char *)buf)[count - 1] ^= 0x40;
}

int MPI_Bcast(void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    const int rc = PMPI_Bcast(buf, count, type, root, comm);
    spoil(buf, count, comm);
    return rc;
}

int MPI_Recv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
             MPI_Status *status)
{
    const int rc = PMPI_Recv(buf, count, type, source, tag, comm, status);
    spoil(buf, count, comm);
    return rc;
}

#endif
