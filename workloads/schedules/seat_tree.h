/* SPDX-License-Identifier: BSD-3-Clause */
/* seat_tree.h - the ranks of a launch as the leaves of a tree: switches, nodes, ranks, as the seats
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
#pragma once

#include "harness/base/seat.h"

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
