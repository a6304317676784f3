/* SPDX-License-Identifier: BSD-3-Clause */
/* made.c - an application that counts how often libcollsel makes a communicator of its own: it
 * stands before the function by which that is made. made COMMUNICATORS CALLS: so many, one after
 * the other, with so many calls of two collectives on each. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int made;

int PMPI_Comm_create(MPI_Comm comm, MPI_Group members, MPI_Comm *out)
{
    int (*own)(MPI_Comm, MPI_Group, MPI_Comm *);
    void *at = dlsym(RTLD_NEXT, __func__);
    memcpy(&own, &at, sizeof own);
    made++;
    return own(comm, members, out);
}

static int call(MPI_Comm comm, int i)
{
    int rank, procs;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &procs);
    int sum = rank + i, value = rank == i % procs ? i : -1;
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Bcast(&value, 1, MPI_INT, i % procs, comm);
    return value != i || sum != procs * (procs - 1) / 2 + procs * i;
}

int main(int argc, char **argv)
{
    const int communicators = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 1;
    const int calls = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 1;
    int rank, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < communicators; i++) {
        MPI_Comm comm; /* of all, in reverse order */
        MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
        for (int k = 0; k < calls; k++)
            wrong += call(comm, k);
        MPI_Comm_free(&comm);
    }
    if (rank == 0)
        printf("%d made, %d wrong\n", made, wrong);
    fflush(stdout); /* what is written after MPI_Finalize may be lost */
    MPI_Finalize();
    return 0;
}
