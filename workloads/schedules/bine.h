/* SPDX-License-Identifier: BSD-3-Clause */
/* bine.h - Bine trees and butterflies (De Sensi et al., Bine Trees: Enhancing Collective Operations
 * by Optimizing Communication Locality, SC25, arXiv 2508.17311): as binomial ones, on ranks written
 * in base -2, so that distances are a third shorter.
 *
 * v is written with s digits 0 and 1 in base -2, mod 2^s = number of members. Its n-th neighbour,
 * n = 1 ... s, is (1 - (-2)^n) / 3 = 1, -1, 3, -5, 11 ... after an even v and as far before an odd
 * one; the two are each other's. Where the last n digits of v are equal, the neighbour has the
 * other ones instead. In the tree a rank has its message from the n-th neighbour, n the number of
 * equal digits at its end, and passes it to those before that one. The ranks below one are
 * consecutive (mod 2^s), and so are those whose blocks come in by way of the first n neighbours.
 * Ranks beyond 2^s are folded (block_spread.h). */
#pragma once

#include "workloads/schedules/block_spread.h"

/* The n-th neighbour of v, of 2^bits members. */
int bine_neighbour(int bits, int v, int n);

/* Butterfly of 2^n members, the nearest neighbour first: blocks are consecutive. */
extern const struct pattern pattern_bine;

/* Ranks counted from the root. Children: the farthest first and the folded one last; and the other
 * way around. k is not used. */
extern const struct tree tree_bine, tree_bine_ascending;

/* The ranks below v, with itself: count of them from *first on, mod procs. */
int bine_below(int procs, int k, int v, int *first);
