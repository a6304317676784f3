/* SPDX-License-Identifier: BSD-3-Clause */
/* entered.c - an application that counts which of Open MPI's algorithms are entered: it stands
 * before two functions of the library. Ten calls of each collective on a communicator, then ten on
 * one that is made later, of a size for which no table says anything. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int chains_entered, brucks_entered;

static void *next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

int ompi_coll_base_bcast_intra_chain(void *data, int n, MPI_Datatype type, int root, MPI_Comm comm,
                                     void *module, uint32_t segment, int32_t chains);
int ompi_coll_base_bcast_intra_chain(void *data, int n, MPI_Datatype type, int root, MPI_Comm comm,
                                     void *module, uint32_t segment, int32_t chains)
{
    int (*own)(void *, int, MPI_Datatype, int, MPI_Comm, void *, uint32_t, int32_t);
    void *at = next(__func__);
    memcpy(&own, &at, sizeof own);
    chains_entered += segment == 512 && chains == 2;
    return own(data, n, type, root, comm, module, segment, chains);
}

int ompi_coll_base_alltoall_intra_bruck(const void *give, int n, MPI_Datatype type, void *get,
                                        int m, MPI_Datatype to, MPI_Comm comm, void *module);
int ompi_coll_base_alltoall_intra_bruck(const void *give, int n, MPI_Datatype type, void *get,
                                        int m, MPI_Datatype to, MPI_Comm comm, void *module)
{
    int (*own)(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm, void *);
    void *at = next(__func__);
    memcpy(&own, &at, sizeof own);
    brucks_entered++;
    return own(give, n, type, get, m, to, comm, module);
}

static int call_ten(MPI_Comm comm, int n)
{
    static int give[4096], get[4096];
    int rank, procs, wrong = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &procs);
    for (int i = 0; i < 10; i++) {
        for (int k = 0; k < n * procs; k++)
            give[k] = 100 * rank + k / n + i;
        MPI_Alltoall(give, n, MPI_INT, get, n, MPI_INT, comm);
        for (int k = 0; k < n * procs; k++)
            wrong += get[k] != 100 * (k / n) + rank + i;
        for (int k = 0; k < n; k++)
            get[k] = rank ? -1 : i + k;
        MPI_Bcast(get, n, MPI_INT, 0, comm);
        for (int k = 0; k < n; k++)
            wrong += get[k] != i + k;
    }
    return wrong;
}

int main(int argc, char **argv)
{
    int rank, wrong;
    MPI_Comm later;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    wrong = call_ten(MPI_COMM_WORLD, 1000);
    if (rank == 0)
        printf("chain %d, bruck %d\n", chains_entered, brucks_entered);
    MPI_Comm_dup(MPI_COMM_WORLD, &later);
    wrong += call_ten(later, 1001);
    MPI_Comm_free(&later);
    if (rank == 0)
        printf("later chain %d, bruck %d; %d wrong\n", chains_entered, brucks_entered, wrong);
    fflush(stdout); /* what is written after MPI_Finalize may be lost */
    MPI_Finalize();
    return 0;
}
