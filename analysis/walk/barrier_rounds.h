/* SPDX-License-Identifier: BSD-3-Clause */
/* barrier_rounds.h - the barrier before a timed call: who tells whom, round by round.
 *
 * A rank's round begins when it has done the one before; what it tells sets out then, and it is
 * done when that is out and what it hears is there.
 *
 * dissemination: Hensgen, Finkel & Manber 1988. openmpi41: what Open MPI 4.1 runs among so many
 * (coll_tuned_decision_fixed.c, coll_base_barrier.c): linear to rank 0 and back; recursive
 * doubling, where the ranks beyond a power of two tell a lower one first and hear of it last, by a
 * send that waits until it is acknowledged; dissemination; or up and down a binomial tree. none:
 * all leave at once when the last one is there, as by a simulator's own. */
#ifndef ANALYSIS_WALK_BARRIER_ROUNDS_H
#define ANALYSIS_WALK_BARRIER_ROUNDS_H

enum barrier { BARRIER_NONE, BARRIER_DISSEMINATION, BARRIER_OPENMPI41 };

/* Ranks; -1: nobody. */
struct barrier_step {
    int to, from;
};

/* Rounds among so many ranks; each rank has all of them, though it may do nothing in one. */
int barrier_rounds(enum barrier barrier, int procs);

/* What a rank does in a round. */
struct barrier_step barrier_step(enum barrier barrier, int procs, int rank, int round);

#endif
