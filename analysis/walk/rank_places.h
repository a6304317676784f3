/* SPDX-License-Identifier: BSD-3-Clause */
/* rank_places.h - where the ranks of a walk sit, and what lies between two of them.
 *
 * RANKS THAT FLOAT. Where ranks are not bound to cores the system moves them. Mapped by socket they
 * stay on theirs. Mapped by node they may be anywhere: half of a node's ranks are taken to be on
 * each of its sockets, but not those of even number here and those of odd number there, since all
 * trees go by powers of two and would stay on one socket or always leave it: rank i of a
 * node is on the socket that the sum of the digits of i says, to the base of as many sockets and
 * modulo them (with two the sequence of Thue and Morse). They are spread over the memories in
 * turns, and none is in a cache with another. */
#ifndef ANALYSIS_WALK_RANK_PLACES_H
#define ANALYSIS_WALK_RANK_PLACES_H

#include "harness/base/seat.h"

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

#endif
