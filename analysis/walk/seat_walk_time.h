/* SPDX-License-Identifier: BSD-3-Clause */
/* seat_walk_time.h - a collective's time as a benchmark takes it (walk/seat_walk.h, what is timed).
 */
#pragma once

#include "analysis/walk/seat_walk.h"

/* The barrier before a timed call: senders and receivers in each round.
 *
 * A rank's round begins when its previous round is done. It sends its message then.
 * The round is done when the send is complete and the expected message has arrived.
 *
 * dissemination: Hensgen, Finkel & Manber 1988. openmpi41: the algorithm of Open MPI 4.1 for
 * this number of ranks (coll_tuned_decision_fixed.c, coll_base_barrier.c): linear to rank 0 and
 * back; recursive doubling, where the ranks beyond a power of two send to a lower rank first
 * and are released last, by a synchronous send; dissemination; or up and down a binomial tree.
 * none: all leave together when the last rank has arrived, as in a simulator's barrier. */

enum barrier { BARRIER_NONE, BARRIER_DISSEMINATION, BARRIER_OPENMPI41 };

/* Ranks; -1: none. */
struct barrier_step {
    int to, from;
};

/* Rounds among so many ranks; each rank has all of them, though it may do nothing in one. */
int barrier_rounds(enum barrier barrier, int procs);

/* What a rank does in a round. */
struct barrier_step barrier_step(enum barrier barrier, int procs, int rank, int round);

/* Seconds of a collective: of the slowest rank, and the mean over ranks. */
struct seat_time {
    double slowest, mean;
    struct seat_use use[N_CHANNELS];
    int too_many; /* 1: not walked, it would exceed PLACE_MOST_AT_ONCE messages */
};

/* When each rank leaves a barrier that it enters at enter[rank]; messages of one byte, which meet
 * in the ports round by round and in the queues as those of a walk do. writer: as in seat_walk_run.
 * leave may not be enter. -1 where a channel has no latency. */
int seat_barrier(enum barrier barrier, const struct places *places, const struct seat_costs *costs,
                 const double *enter, int *writer, double *leave);

/* Limit of messages in flight: the receives in the widest rounds of all ranks.
 * A walk in the order of time holds those rounds and looks through one for each message: two
 * million take 9 s and 230 MiB a walk; the 16.8 million of a linear all-to-all among 4,096 ranks
 * would take minutes and 2 GiB. stage_walk.h, channel.h and link_walk.h hold no such rounds. */
enum { PLACE_MOST_AT_ONCE = 2000000 };

/* The time. Returns 0, or -1 with *err set, as seat_walk_run, and (time->too_many) where more
 * messages than that would be under way. */
int seat_time(const struct schedule *s, const struct places *places, const struct seat_costs *costs,
              enum barrier barrier, struct seat_time *time, struct err *err);
