/* SPDX-License-Identifier: BSD-3-Clause */
/* seat_walk.h - the walk with rank placement: a schedule is followed message by message,
 * in the order of time, and messages compete for shared resources.
 *
 * WHAT A MESSAGE COSTS. A rank has one processor. The sends of a round go out one after the other;
 * each occupies it for send(m) of its channel. Alone, a message can be received in full latency(m)
 * after its send began. Messages are taken in the order of arrival, one at the earliest receive(m)
 * after the one before it, from when the rank has begun, whether it asks for them then or later.
 * Below rendezvous_bytes a send is complete when the processor is free again; from there on the
 * data stay where they are until the receiver has asked for them, so that a message begins when the
 * later of both is ready and the send is complete when the message is; and it takes relay(m) where
 * the receiver is a rank that passes on, that is, which sends in its last round, or floats: its
 * buffer is read by others each time, and so in nobody's cache as it would be at the end of a
 * fan-out.
 *
 * QUEUES OF RECEIVERS. Inside a node messages go through a queue in shared memory that each
 * receiver has. A sender needs the cache line with the queue's tail, which is in the cache
 * of the last sender. So an eager message takes `line` longer, of the channel from that last
 * sender, unless the last sender was this rank (a ping-pong, a fan-out) or shares its cache.
 *
 * WHAT THEY SHARE, each first come, first served, and in this order:
 *   - the sending rank: its next message inside the node (or out of it) begins share(m) after this
 *     one;
 *   - between nodes both ports to the network, with what goes out and what comes in alike, for
 *     port_message; then the sender's port, out, and the receiver's, in, for port(m);
 *   - the memory of the sender and that of the receiver (a NUMA domain), busy for memory(m), or for
 *     share(m) of the channel if that is longer; between nodes half as long, since a port only
 *     reads or writes, while a copy does both. A message that waits for memory does not reserve it.
 * A message that finds one of them busy begins later and takes as long as it does alone.
 *
 * WHAT IS TIMED. Benchmarks take a rank's time from when it has left the barrier before the call
 * until it has done its part, and ranks do not leave a barrier together. So the collective is
 * walked once, then a barrier (walk/seat_walk_time.h) that every rank enters when it is done, then
 * the collective again: that time counts, rank by rank (walk/seat_walk_time.h).
 *
 * Cost: O(messages (log messages under way + receives of a round)), of which there are one or two
 * in all schedules, and a look at the memory whenever it is free for each that waits for it, which
 * are at most as many as send there at once; memory O(ranks + messages under way). */
#pragma once

#include "analysis/walk/curve.h"
#include "workloads/schedules/schedule.h"

/* The placement of a walk's ranks, and the channel between two of them.
 *
 * FLOATING RANKS. Ranks not bound to cores are moved by the system. Mapped by socket
 * they stay on their socket. Mapped by node they may be anywhere: each socket of a node
 * is assumed to have an equal share of its ranks. A split into even and odd ranks would
 * be wrong, since trees go by powers of two and would always stay on one socket or
 * always leave it. So rank i of a node is on the socket given by the sum of the digits
 * of i to the base of the number of sockets, modulo that number (with two sockets the
 * Thue-Morse sequence). They use the memories in turn, and no two share a cache. */

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
 * it. */
void places_init(struct places *places, const struct seating *seating, int memory_cores,
                 int floating);
void places_clear(struct places *places);

/* The channel between two ranks that are not the same. */
enum channel places_channel(const struct places *places, int a, int b);

/* Of one channel; seconds as functions of bytes. An empty curve: 0. */
struct seat_channel_costs {
    struct curve latency, relay, send, share, receive; /* relay: empty: as latency */
    double rendezvous_bytes;                           /* INFINITY: never */
    double line;
};

struct seat_costs {
    struct seat_channel_costs of[N_CHANNELS];
    struct curve memory, port;
    double port_message;
};

/* How a walk used a channel's costs. An empty message counts as one byte. */
struct seat_use {
    uint64_t messages, fewest_bytes, most_bytes;
    int sends_again, receives_again; /* 1: a rank that sent (received) here did
                                        so earlier or later, on any channel */
    int most_sends, most_receives;   /* of one rank */
};

/* Optional arguments. */
struct seat_walk_run_more {
    const double *begin;  /* when each rank begins; NULL: all at 0 */
    int *writer;          /* last sender into each rank's queue, -1:
                             none; updated; NULL: none at first */
    struct seat_use *use; /* N_CHANNELS; NULL: not wanted */
};

/* Computes when each rank is done (end). more NULL: no options. Returns 0, or -1 with *err
 * set (a channel without a latency, or a schedule that never ends). */
int seat_walk_run(const struct schedule *s, const struct places *places,
                  const struct seat_costs *costs, const struct seat_walk_run_more *more,
                  double *end, struct err *err);

/* The seconds that a message from src waits for the line
 * of a queue whose last sender was `writer` (-1: none). */
double seat_line(const struct places *places, const struct seat_costs *costs, int writer, int src);

/* Frees what they hold. */
void seat_costs_clear(struct seat_costs *costs);
