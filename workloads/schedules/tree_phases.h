/* SPDX-License-Identifier: BSD-3-Clause */
/* tree_phases.h - schedules that are made from the tree of switches, nodes and ranks
 * (tree_phases.h): an all-to-all in phases of which none has two messages on a link, and a ring
 * that takes each link once in either direction. So it is for any tree and numbering of nodes, of
 * several ranks on a node, too, where a message between two vertices stays below the lowest one
 * that is above both: in `star`, `tree` and `fat_tree` (harness/study/topology.h). A torus or mesh
 * is taken for one switch, so that messages do meet on its links; as they do where seats or
 * switches are not known.
 */
#pragma once

#include "workloads/schedules/block_spread.h"

/* The ranks of a launch as the leaves of a tree: switches, nodes, ranks, as the seats
 * of a schedule tell them (harness/base/seat.h). For algorithms that are made from the tree
 * (tree_phases.h).
 *
 * Places are counted in depth-first order: the ranks below a switch, or on a node, have consecutive
 * ones, and a way through all of them, and back to the first, takes every link of the tree once in
 * either direction.
 *
 * The root is a vertex of which no subtree has more than half of the ranks: a switch, or a node
 * with more than half of them. So the busiest link of an all-to-all is one of the root's. All that
 * lies above a vertex counts as one subtree of it.
 *
 * A tree is made when it is first asked for and kept to the end of the process, as a seating is a
 * value that has no owner. Threads may ask at the same time. */

struct seat_tree {
    int procs;
    int *rank, *place; /* rank of each place; place of each rank */
    int subtrees;      /* of the root, the largest first */
    int *subtree;      /* of each place: in which it is */
    int *first;        /* of each subtree: the first of its places, which go around the end */
    int *before;       /* of each subtree, and behind the last one: ranks in those before it */
};

/* NULL: each rank has a link of its own to one switch, or nothing is known; the order is that of
 * the ranks. */
const struct seat_tree *seat_tree_of(const struct seating *seats);

/* A rank's peers in a phase of the all-to-all: receiver and sender of a
 * block in another subtree of the root, and within its own; -1: none. */
struct topology_phase {
    int dst, src, local_dst, local_src;
};

/* How many phases there are: as many as the busiest link has messages (Faraj & Yuan, Message
 * scheduling for all-to-all personalized communication on Ethernet switched clusters, IPDPS 2005);
 * among seats that are not known P - 1. */
uint64_t topology_phases(const struct schedule *s);
struct topology_phase topology_phase(const struct schedule *s, int rank, uint64_t phase);

/* The ring (pattern_ring) in depth-first order of the tree: no step has two messages on a link (the
 * topology-specific logical ring of STAR-MPI; Faraj, Patarasuk & Yuan, Cluster 2005). */
extern const struct pattern pattern_topology_ring;

/* .prepare of the rows that are made of these: finds the tree. */
void topology_prepare(struct schedule *s);
