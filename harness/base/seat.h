/* SPDX-License-Identifier: BSD-3-Clause */
/* seat.h - which node, socket and core each rank of a launch shall have. Pure.
 *
 * core:   ranks fill the cores of a node one after the other, and one node after the other.
 * socket: nodes are filled one after the other; consecutive ranks of a node alternate sockets.
 * node:   consecutive ranks alternate nodes; those of a node fill its cores one after the other.
 *
 * Where a node holds fewer ranks than it has cores (ppn < cores), the last of its cores stay idle:
 * with core and node the whole last sockets may, with socket all sockets are used alike. The last
 * node may hold fewer than ppn ranks; with node, some of the last nodes may hold one less. Where
 * there are more ranks than cores, a rank has a node but no core. */
#ifndef HARNESS_BASE_SEAT_H
#define HARNESS_BASE_SEAT_H

#include "harness/base/err.h"

struct seating {
    const char *mapping;   /* "core", "socket" or "node" */
    int nodes, ppn, procs; /* ppn: the most ranks on one node; procs <= nodes * ppn */
    int sockets, cores;    /* of a node, of a socket; 0: not known */
};

struct seat {
    int node, socket, core; /* from 0; core: within its socket; -1: none, or not known */
};

/* The fewest ranks per node that let procs ranks share the nodes there are, and the nodes that
 * takes: ppn = ceil(procs / there), nodes = ceil(procs / ppn). */
void seat_shape(int there, int procs, int *nodes, int *ppn);

/* Checks what is asked: 0, or -1 with *err (unknown mapping, ranks that do not fit). */
int seat_check(const struct seating *seating, struct err *err);

/* The node of a rank; its number among the ranks of that node, from 0; its whole seat. */
int seat_node(const struct seating *seating, int rank);
int seat_local(const struct seating *seating, int rank);
struct seat seat_of(const struct seating *seating, int rank);

/* Ranks on a node. */
int seat_count(const struct seating *seating, int node);

#endif
