/* SPDX-License-Identifier: BSD-3-Clause */
/* shapes.c - an application that calls on communicators of many shapes: of the ranks of a node, of
 * halves, of one rank of each node, of ranks at random. SHAPES_PPN of its environment: so many
 * ranks in a row share a node, whatever machines they really are on: it stands before the function
 * that tells this. For each communicator it prints "BYTES PROCS NODES PPN" for each size that it
 * calls with on it, and on no other one of another shape. shapes [SEED] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES = 3, MOST = 1 << 20 };

static int node_of(int rank)
{
    const char *ppn = getenv("SHAPES_PPN");
    return rank / (ppn ? (int)strtol(ppn, NULL, 10) : 1);
}

int PMPI_Get_processor_name(char *name, int *length)
{
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    *length = snprintf(name, MPI_MAX_PROCESSOR_NAME, "node%d", node_of(rank));
    return MPI_SUCCESS;
}

/* Nodes of the communicator, and the most ranks on one. */
static void shape_of(MPI_Comm comm, int *nodes, int *ppn)
{
    static int node[1024];
    int rank, procs;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(comm, &procs);
    const int mine = node_of(rank);
    *nodes = *ppn = 0;
    PMPI_Allgather(&mine, 1, MPI_INT, node, 1, MPI_INT, comm);
    for (int i = 0; i < procs; i++) {
        int first = 1, n = 0;
        for (int k = 0; k < procs; k++) {
            first &= !(k < i && node[k] == node[i]);
            n += node[k] == node[i];
        }
        *nodes += first;
        *ppn = n > *ppn ? n : *ppn;
    }
}

/* Calls with sizes of its own; what is wrong of the results. */
static int call(MPI_Comm comm, int number)
{
    static char give[MOST], get[MOST];
    static const int sizes[SIZES] = { 24, 1500, 20000 };
    int rank, procs, nodes, ppn, wrong = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &procs);
    shape_of(comm, &nodes, &ppn);
    for (int s = 0; s < SIZES; s++) {
        const int bytes = sizes[s] + number;
        for (int r = 0; r < procs; r++)
            memset(give + r * bytes, rank + 3 * r, (size_t)bytes);
        MPI_Alltoall(give, bytes, MPI_CHAR, get, bytes, MPI_CHAR, comm);
        for (int r = 0; r < procs; r++)
            wrong += get[r * bytes] != (char)(r + 3 * rank);
        memset(get, rank == number % procs ? 7 : 0, (size_t)bytes);
        MPI_Bcast(get, bytes, MPI_CHAR, number % procs, comm);
        wrong += get[bytes - 1] != 7;
        if (rank == 0 && procs > 1)
            printf("%d %d %d %d\n", bytes, procs, nodes, ppn);
    }
    return wrong;
}

/* On the communicators of a split; color -1: this rank is in none. */
static int split(int color, int number)
{
    MPI_Comm comm;
    int wrong = 0;
    MPI_Comm_split(MPI_COMM_WORLD, color < 0 ? MPI_UNDEFINED : color, 0, &comm);
    if (comm != MPI_COMM_NULL) {
        wrong = call(comm, number + color);
        MPI_Comm_free(&comm);
    }
    return wrong;
}

int main(int argc, char **argv)
{
    int rank, procs, number = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &procs);
    srand(argc > 1 ? (unsigned)strtol(argv[1], NULL, 10) : 1);
    int wrong = call(MPI_COMM_WORLD, number);
    wrong += split(node_of(rank), number += procs);
    wrong += split(2 * rank / procs, number += procs);
    wrong += split(rank % 2, number += procs);
    wrong += split(rank == 0 || node_of(rank) != node_of(rank - 1) ? 0 : -1, number += procs);
    for (int i = 0; i < 8; i++) {
        int color = 0;
        for (int r = 0; r < procs; r++) { /* the same numbers on all ranks */
            const int drawn = rand() % 3;
            color = r == rank ? drawn : color;
        }
        wrong += split(color - 1, number += procs);
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d wrong\n", wrong);
    fflush(stdout); /* what is written after MPI_Finalize may be lost */
    MPI_Finalize();
    return 0;
}
