/* SPDX-License-Identifier: BSD-3-Clause */
/* bine.h - Bine trees and butterflies (De Sensi et al., Bine Trees: Enhancing Collective Operations
 * by Optimizing Communication Locality, SC25, arXiv 2508.17311): as binomial ones, on ranks written
 * in base -2, so that distances are a third shorter.
 *
 * v is written with s digits 0 and 1 in base -2, mod 2^s = number of members. The neighbours of v
 * are those whose last 1, 2 ... s digits are the others; the n-th is |1 - (-2)^n| / 3 away. In the
 * tree a rank has its message from the neighbour that differs in as many digits as it has equal
 * ones at the end, and passes it to those that differ in fewer. The ranks below one are consecutive
 * (mod 2^s). Ranks beyond 2^s are folded (spread.h); the paper has none, or other ways. */
#ifndef WORKLOADS_SCHEDULES_BINE_H
#define WORKLOADS_SCHEDULES_BINE_H

#include "workloads/schedules/spread.h"
#include "workloads/schedules/trees.h"

/* The neighbour of v that differs in its last n digits, of 2^bits members. */
int bine_neighbour(int bits, int v, int n);

/* Butterfly of 2^n members, the nearest neighbour first: blocks are consecutive (the paper's
 * distance-doubling allgather). */
extern const struct pattern pattern_bine;

/* The farthest first, so that most bytes go to the nearest one. Blocks are numbered anew, not by
 * members: for vectors whose blocks are nobody's in particular, as in an allreduction. */
extern const struct pattern pattern_bine_far_first;

/* Ranks counted from the root. Children: the farthest first and the folded one last; and the other
 * way around. k is not used. */
extern const struct tree tree_bine, tree_bine_ascending;

/* The ranks below v, with itself: count of them from *first on, mod procs. */
int bine_below(int procs, int k, int v, int *first);

#endif
