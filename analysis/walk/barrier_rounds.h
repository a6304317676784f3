/* SPDX-License-Identifier: BSD-3-Clause */
/* barrier_rounds.h - the barrier before a timed call: senders and receivers in each round.
 *
 * A rank's round begins when its previous round is done. It sends its message then.
 * The round is done when the send is complete and the expected message has arrived.
 *
 * dissemination: Hensgen, Finkel & Manber 1988. openmpi41: the algorithm of Open MPI 4.1 for
 * this number of ranks (coll_tuned_decision_fixed.c, coll_base_barrier.c): linear to rank 0 and
 * back; recursive doubling, where the ranks beyond a power of two send to a lower rank first
 * and are released last, by a synchronous send; dissemination; or up and down a binomial tree.
 * none: all leave together when the last rank has arrived, as in a simulator's barrier. */
#pragma once

enum barrier { BARRIER_NONE, BARRIER_DISSEMINATION, BARRIER_OPENMPI41 };

/* Ranks; -1: none. */
struct barrier_step {
    int to, from;
};

/* Rounds among so many ranks; each rank has all of them, though it may do nothing in one. */
int barrier_rounds(enum barrier barrier, int procs);

/* What a rank does in a round. */
struct barrier_step barrier_step(enum barrier barrier, int procs, int rank, int round);
