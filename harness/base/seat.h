/* SPDX-License-Identifier: BSD-3-Clause */
/* seat.h - node, socket and core of each rank of a launch. Pure.
 *
 * core:   ranks fill the cores of a node one after the other, and one node after the other.
 * socket: nodes are filled one after the other; consecutive ranks of a node alternate sockets.
 * node:   consecutive ranks alternate nodes; those of a node fill its cores one after the other.
 *
 * Where a node holds fewer ranks than it has cores (ppn < cores), the last of its cores stay idle:
 * with core and node the whole last sockets may, with socket all sockets are used alike. The last
 * node may hold fewer than ppn ranks; with node, some of the last nodes may hold one less. Where
 * there are more ranks than cores, a rank has a node but no core. */
#pragma once

#include "harness/base/base.h"

enum { SEAT_LEVELS = 6 };

/* The switch tree above the nodes. All 0: one switch, or not known. */
struct seat_network {
    int group[SEAT_LEVELS]; /* nodes below a switch of each level, the lowest first, each a multiple
                               of the one before; behind the last one 0 */
    int shuffled;           /* nodes of the network: they are numbered by a shuffle of all of them
                               (seat_shuffle); 0: as the network has them */
    uint64_t seed;          /* of that shuffle */
    const int *listed;      /* or the network node of each node of the launch. Borrowed */
};

struct seating {
    const char *mapping;   /* "core", "socket" or "node" */
    int nodes, ppn, procs; /* ppn: the most ranks on one node; procs <= nodes * ppn */
    int sockets, cores;    /* of a node, of a socket; 0: not known */
    int cache_cores;       /* consecutive cores of a socket that share their last cache; 0: all */
    struct seat_network network;
};

/* What lies between two ranks, from near to far: a cache that their cores share, a socket, a node,
 * or the network between nodes (Nuriyev, Rico-Gallego & Lastovetsky 2022). */
enum channel {
    CHANNEL_NONE,
    CHANNEL_CACHE,
    CHANNEL_CORE,
    CHANNEL_SOCKET,
    CHANNEL_NODE,
    N_CHANNELS
};

struct seat {
    int node, socket, core; /* from 0; core: within its socket; -1: none, or not known */
};

/* The fewest ranks per node for procs ranks on `there` nodes, and the
 * nodes used: ppn = ceil(procs / there), nodes = ceil(procs / ppn). */
void seat_shape(int there, int procs, int *nodes, int *ppn);

/* The same, packed: the fewest nodes for procs ranks, `room` ranks on each but
 * the last; with mapping node all nodes. Evenly if all nodes do not suffice. */
void seat_pack(const char *mapping, int there, int room, int procs, int *nodes, int *ppn);

/* The ranks that fit on a node if each occupies a whole "core", "socket" or "node". */
int seat_room(const char *occupied, int sockets, int cores);

/* seat_pack where spread is "packed", else ("even") seat_shape. */
void seat_spread(const char *spread, const char *mapping, int there, int room, int procs,
                 int *nodes, int *ppn);

/* Checks a seating: 0, or -1 with *err (unknown mapping, ranks that do not fit). */
int seat_check(const struct seating *seating, struct err *err);

/* The seating if it passes the check, else an empty one (procs 0). */
struct seating seat_known(struct seating seating);

/* 1 when every rank has the same place in both, which holds for any mapping
 * with one rank per node. (0 may be returned although they are the same.) */
int seat_same(const struct seating *a, const struct seating *b);

/* The node of a rank; its number among the ranks of that node, from 0; its whole seat. */
int seat_node(const struct seating *seating, int rank);
int seat_local(const struct seating *seating, int rank);
struct seat seat_of(const struct seating *seating, int rank);

/* The channel between two ranks. One node but seats not known (more ranks than cores): core. All of
 * a socket's cores share one cache (cache_cores 0): core. Of a rank and itself: none. */
enum channel seat_channel(const struct seating *seating, int a, int b);

/* The same for two different seats. */
enum channel seat_between(struct seat a, struct seat b, int cache_cores);

/* The team of a channel experiment (harness/study/point.h): rank 0 and the first ranks that are on
 * this channel with it, procs in all; CHANNEL_NONE: the first procs ranks. member[r], r <
 * seating->procs, becomes 1 or 0 (NULL: not wanted). Returns how many there are, fewer than procs
 * where the ranks do not suffice. */
int seat_team(const struct seating *seating, enum channel channel, int procs, char *member);

/* "", "cache", "core" (one socket, other cache), "socket" (one node, other socket), "node" (another
 * node) and back; -1 with *err set when unknown. */
extern const char *const channel_words[]; /* ended by NULL */
int channel_parse(const char *name, enum channel *channel, struct err *err);

/* Ranks on a node. */
int seat_count(const struct seating *seating, int node);

/* Consecutive nodes that share a switch; 0: all, or not known, or neighbours are not numbered so.
 */
int seat_switch_nodes(const struct seating *seating);

/* Position of each node in the network, by a shuffle of all (base/rng.h). */
void seat_shuffle(uint64_t seed, int nodes, int *position);

/* "8", "4,16" (nodes below switches of two levels), "8:32:7" (a shuffle of 32 nodes by seed 7), "":
 * nothing is known; and back: -1 with *err set. A listed network has no text. */
enum { SEAT_NETWORK_TEXT = 12 * SEAT_LEVELS + 40 };
const char *seat_network_text(const struct seat_network *network, char *buf, size_t size);
int seat_network_parse(const char *text, struct seat_network *network, struct err *err);
