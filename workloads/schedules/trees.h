/* SPDX-License-Identifier: BSD-3-Clause */
/* trees.h - the rooted trees over which messages flow, as pure functions of a rank.
 *
 * Ranks here are *shifted*: (rank - root) mod procs, so that the root is 0. k is the tree's fan-out
 * or radix where it has one. Shapes and the order of children are those that Open MPI 4.1.4 builds
 * (ompi/mca/coll/base/coll_base_topo.c); none stores anything, so a tree of 65,536 ranks is free.
 */
#pragma once

struct tree {
    const char *name;

    /* The parent of v; v > 0. */
    int (*parent)(int procs, int k, int v);

    /* Child i of v (from 0, in the order in which it is sent to), or -1 when v has i or fewer. */
    int (*child)(int procs, int k, int v, int i);
};

/* k chains below the root, of lengths that differ by at most one, longer ones first; each of
 * consecutive ranks. k is cut to 32 (the library's MAXTREEFANOUT) and to procs - 1. k = 1:
 * pipeline. */
extern const struct tree tree_chain;

/* The same with k = 1, whatever the caller says. */
extern const struct tree tree_pipeline;

/* Levels of 1, 2, 4 … ranks; v of a level of width w has the children v + w and v + 2w, so that odd
 * ranks are below 1 and even ones below 2. k is not used. */
extern const struct tree tree_binary;

/* The parent of v is v without its highest bit; children by ascending distance. k is not used. */
extern const struct tree tree_binomial;

/* The parent of v is v without its lowest non-zero digit in base k >= 2; children by descending
 * digit position, then ascending digit. */
extern const struct tree tree_knomial;

/* The same tree, children the other way around: in a reduction the smallest subtrees are done
 * first. */
extern const struct tree tree_knomial_ascending;

/* The parent of v is v without its lowest bit; children by descending distance, so that subtrees
 * are of consecutive ranks and the largest comes first (MPICH's of collectives with a root). */
extern const struct tree tree_binomial_low;

/* The same tree, children by ascending distance: in a reduction the smallest subtrees are done
 * first. */
extern const struct tree tree_binomial_ascending;

/* Ranks in the subtree of v of either: v and those after it. */
int tree_binomial_size(int procs, int v);

/* v counts down from the last rank, which is the root: the subtree of v is v … v + n - 1, of which
 * its first child has the (n - 1) - n/2 after v and its second one the last n/2; where the former
 * are none there is one child. So each subtree is of consecutive ranks, and an operation that does
 * not commute can be applied in the order of ranks. k is not used. */
extern const struct tree tree_in_order_binary;

/* v has the children k v + 1 ... k v + k (MPICH's "kary"). */
extern const struct tree tree_kary;

/* A k-nomial tree in which the ranks below one are consecutive, the largest subtrees first (MPICH's
 * "knomial_1"). */
extern const struct tree tree_knomial_consecutive;

/* Children of v. */
int tree_count_children(const struct tree *tree, int procs, int k, int v);

/* floor(log2 n) for n >= 1. */
int floor_log2(unsigned n);

/* The least n with 2^n >= procs. */
int ceil_log2(int procs);
