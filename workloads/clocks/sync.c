/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/clocks/sync.h"

#include "workloads/simulated/simulated_cost.h"

#ifdef MPI_IS_smpi
#include <simgrid/barrier.h>
#endif

enum { TAG = 11 };

/* ceil(log2 P) rounds, each an empty message to the rank 2^k further. */
static int dissemination(struct sync *sync)
{
    for (int hop = 1; hop < sync->procs; hop *= 2) {
        const int to = (sync->rank + hop) % sync->procs;
        const int from = (sync->rank + sync->procs - hop) % sync->procs;
        const int rc = MPI_Sendrecv(NULL, 0, MPI_BYTE, to, TAG, NULL, 0, MPI_BYTE, from, TAG,
                                    sync->comm, MPI_STATUS_IGNORE);
        if (rc != MPI_SUCCESS)
            return rc;
    }
    return MPI_SUCCESS;
}

static int send_word(struct sync *sync, int rank)
{
    const char word = 0;
    return MPI_Send(&word, sync->word_bytes, MPI_BYTE, rank, TAG, sync->comm);
}

static int await_word(struct sync *sync, int rank)
{
    char word;
    return MPI_Recv(&word, sync->word_bytes, MPI_BYTE, rank, TAG, sync->comm, MPI_STATUS_IGNORE);
}

static int report_to(struct sync *sync, int rank)
{
    const int rc = send_word(sync, rank);
    return rc != MPI_SUCCESS ? rc : await_word(sync, rank);
}

int sync_central(struct sync *sync)
{
    int rc = MPI_SUCCESS;
    if (sync->rank > 0)
        return report_to(sync, 0);
    for (int r = 1; r < sync->procs && rc == MPI_SUCCESS; r++)
        rc = await_word(sync, r);
    for (int r = 1; r < sync->procs && rc == MPI_SUCCESS; r++)
        rc = send_word(sync, r);
    return rc;
}

#ifdef MPI_IS_smpi

/* All simulated ranks live in one process: rank 0's pointer is good everywhere. */
static void share_barrier(struct sync *sync)
{
    if (sync->rank == 0)
        sync->simulated = sg_barrier_init((unsigned)sync->procs);
    MPI_Bcast(&sync->simulated, sizeof sync->simulated, MPI_BYTE, 0, sync->comm);
}

int sync_wait(struct sync *sync)
{
    sg_barrier_wait(sync->simulated);
    return MPI_SUCCESS;
}

void sync_clear(struct sync *sync)
{
    dissemination(sync);
    if (sync->rank == 0)
        sg_barrier_destroy(sync->simulated);
}

#else

static void share_barrier(struct sync *sync)
{
    (void)sync;
}

int sync_wait(struct sync *sync)
{
    return dissemination(sync);
}

void sync_clear(struct sync *sync)
{
    (void)sync;
}

#endif

void sync_init(struct sync *sync, MPI_Comm comm)
{
    sync->comm = comm;
    sync->simulated = NULL;
    sync->word_bytes = smpi_matching_empty_bytes();
    MPI_Comm_rank(comm, &sync->rank);
    MPI_Comm_size(comm, &sync->procs);
    share_barrier(sync);
}
