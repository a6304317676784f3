/* SPDX-License-Identifier: BSD-3-Clause */
/* sync.h - brings the ranks of a communicator together before a timed call.
 *
 * On real MPI: a dissemination barrier of our own (Hensgen, Finkel & Manber 1988), so that the
 * library's choice of barrier is no part of any measurement. Under SMPI: a barrier of the
 * simulator, exact and free of simulated time. sync_barrier() is always the dissemination barrier,
 * as it is itself measured (barrier and gamma experiments). Borrows the communicator. */
#ifndef WORKLOADS_SYNC_H
#define WORKLOADS_SYNC_H

#include <mpi.h>

struct sync {
    MPI_Comm comm;
    int rank, procs;
    void *simulated; /* SMPI: the simulator's barrier, shared by the ranks */
};

/* Collective over comm. */
void sync_init(struct sync *sync, MPI_Comm comm);

/* Returns when every rank has entered. */
int sync_wait(struct sync *sync);

/* The dissemination barrier: ceil(log2 P) rounds, each an empty message to the rank 2^k further. */
int sync_barrier(struct sync *sync);

/* Collective. */
void sync_clear(struct sync *sync);

#endif
