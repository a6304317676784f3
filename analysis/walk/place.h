/* SPDX-License-Identifier: BSD-3-Clause */
/* place.h - the event walker that knows where ranks sit: a schedule is followed message by message,
 * in the order of time, and messages meet in what they share.
 *
 * WHAT A MESSAGE COSTS. A rank has one processor. The sends of a round go out one after the other;
 * each occupies it for send(m) of its channel. Alone, a message can be received in full latency(m)
 * after its send began; relay(m) where the receiver is a rank that passes on, that is, which sends
 * in its last round: its buffer is read by others each time, and so in nobody's cache as it would
 * be at the end of a fan-out. The receives of a round are taken in the order of arrival, one at the
 * earliest receive(m) after the one before it. Below rendezvous_bytes a send is complete when the
 * processor is free again; from there on the data stay where they are until the receiver has asked
 * for them, so that a message begins when the later of both is ready and the send is complete when
 * the message is.
 *
 * WHAT THEY SHARE, each first come, first served:
 *   - the sending rank: its next message inside the node (or out of it) begins share(m) after this
 *     one;
 *   - the memory of the sender and that of the receiver (a NUMA domain), busy for memory(m), once
 *     where both are one;
 *   - between nodes the sender's port to the network, and the receiver's, busy for port(m).
 * A message that finds one of them busy begins later and takes as long as it does alone. But one
 * between nodes does not wait for memory, from which the port reads beside the processors: it only
 * keeps it busy that much longer for those within the node.
 *
 * RANKS THAT FLOAT. Where ranks are not bound to cores the system moves them: mapped by socket they
 * stay on their socket, mapped by node they may be anywhere, and any two of a node count as on
 * channel socket. They are spread over the memories in turns, and whatever they receive costs
 * relay(m), since it is not in their cache either.
 *
 * WHAT IS TIMED. Benchmarks take a rank's time from when it has left the barrier before the call
 * until it has done its part, and ranks do not leave a barrier together. So the collective is
 * walked once, then a dissemination barrier (Hensgen, Finkel & Manber 1988) that every rank enters
 * when it is done, then the collective again: that time counts, rank by rank.
 *
 * Cost: O(messages (log messages under way + receives of a round)), of which there are one or two
 * in all schedules; memory O(ranks + messages under way). */
#ifndef ANALYSIS_WALK_PLACE_H
#define ANALYSIS_WALK_PLACE_H

#include "analysis/walk/event.h"
#include "harness/base/seat.h"
#include "workloads/schedules/schedule.h"

/* Of one channel; seconds as functions of bytes. An empty curve: 0. */
struct place_channel {
    struct curve latency, relay, send, share, receive; /* relay: empty: as latency */
    double rendezvous_bytes;                           /* INFINITY: never */
};

struct place_costs {
    struct place_channel of[N_CHANNELS];
    struct curve memory, port;
};

/* Where a rank sits: numbers count through the whole cluster. */
struct place {
    int node, socket, cache, memory; /* cache, socket: -1 not known */
};

/* All ranks' places. Owns them. */
struct places {
    int procs;
    struct place *rank;
    int nodes, memories; /* how many there are */
    int floating;        /* ranks are not bound to cores */
};

/* From the seats. memory_cores: consecutive cores of a socket with a memory of their own, 0: all of
 * it. -1 when out of memory. */
int places_init(struct places *places, const struct seating *seating, int memory_cores,
                int floating);
void places_clear(struct places *places);

/* The channel between two ranks that are not the same. */
enum channel places_channel(const struct places *places, int a, int b);

/* What a walk asked of a channel's costs. A message of nothing counts as one byte. */
struct place_use {
    uint64_t messages, fewest_bytes, most_bytes;
    int sends_again, receives_again; /* 1: a rank sent (received) here that had before, or did
                                        later, anywhere */
};

/* Seconds of a collective: of the slowest rank, and the mean over ranks. */
struct place_time {
    double slowest, mean;
    struct place_use use[N_CHANNELS];
};

/* Walks a schedule from when each rank begins (begin; NULL: all at 0) to when each is done (end).
 * Returns 0, or -1 with *err set (out of memory, a channel without a latency, or a schedule that
 * never ends). */
int place_walk(const struct schedule *s, const struct places *places,
               const struct place_costs *costs, const double *begin, double *end, struct err *err);

/* When each rank leaves a dissemination barrier that it enters at enter[rank]; messages of one
 * byte; where a port has no price they meet nowhere. leave may not be enter. -1 when out of memory,
 * or a channel has no latency. */
int place_barrier(const struct places *places, const struct place_costs *costs, const double *enter,
                  double *leave);

/* The time as a benchmark takes it. */
int place_time(const struct schedule *s, const struct places *places,
               const struct place_costs *costs, struct place_time *time, struct err *err);

/* Frees what they hold. */
void place_costs_clear(struct place_costs *costs);

#endif
