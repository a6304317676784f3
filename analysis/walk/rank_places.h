/* SPDX-License-Identifier: BSD-3-Clause */
/* rank_places.h - the placement of a walk's ranks, and the channel between two of them.
 *
 * FLOATING RANKS. Ranks not bound to cores are moved by the system. Mapped by socket
 * they stay on their socket. Mapped by node they may be anywhere: each socket of a node
 * is assumed to have an equal share of its ranks. A split into even and odd ranks would
 * be wrong, since trees go by powers of two and would always stay on one socket or
 * always leave it. So rank i of a node is on the socket given by the sum of the digits
 * of i to the base of the number of sockets, modulo that number (with two sockets the
 * Thue-Morse sequence). They use the memories in turn, and no two share a cache. */
#pragma once

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
