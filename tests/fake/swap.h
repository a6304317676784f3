/* SPDX-License-Identifier: BSD-3-Clause */
/* swap.h - a library to preload whose broadcast of exactly 4323 bytes is the MPI library's the
 * first time, when somebody may be looking, and a linear one of its own from then on. The body of
 * swap_*.c. */
#pragma once

#include <mpi.h>

enum { SWAPPED = 4323, TAG = 77 };

static int linear(void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    int rank, procs;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &procs);
    if (rank != root)
        return PMPI_Recv(buf, count, type, root, TAG, comm, MPI_STATUS_IGNORE);
    for (int r = 0; r < procs; r++)
        if (r != root)
            PMPI_Send(buf, count, type, r, TAG, comm);
    return MPI_SUCCESS;
}

int MPI_Bcast(void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    static int calls;
    return count != SWAPPED || calls++ == 0 ? PMPI_Bcast(buf, count, type, root, comm)
                                            : linear(buf, count, type, root, comm);
}
