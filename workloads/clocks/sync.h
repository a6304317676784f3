/* SPDX-License-Identifier: BSD-3-Clause */
/* sync.h - brings the ranks of a communicator together before a timed call.
 *
 * On real MPI: a dissemination barrier of our own (Hensgen, Finkel & Manber 1988), so that the
 * library's choice of barrier is no part of any measurement. Under SMPI: a barrier of the
 * simulator, exact and free of simulated time. sync_central() is the barrier that separates the
 * broadcasts of a gamma experiment and is itself measured. Borrows the communicator. */
#pragma once

#include <mpi.h>

struct sync {
    MPI_Comm comm;
    int rank, procs;
    int word_bytes;  /* of an empty message of the central barrier: simulated_cost.h */
    void *simulated; /* SMPI: the simulator's barrier, shared by the ranks */
};

/* Collective over comm. */
void sync_init(struct sync *sync, MPI_Comm comm);

/* Returns when every rank has entered. */
int sync_wait(struct sync *sync);

/* The central barrier: an empty message from every rank to rank 0, then one back to each.
 *
 * A gamma experiment subtracts the barrier's own mean time from that of broadcast plus barrier.
 * Rank 0 waits for each receiver directly, so what is left grows with the ranks as the broadcast
 * does (less one latency, see analysis/models/gamma/gamma_fit.h); through a dissemination barrier
 * or a tree a late receiver's message takes a path that depends on its rank, and the difference is
 * not even monotone. */
int sync_central(struct sync *sync);

/* Collective. */
void sync_clear(struct sync *sync);
