/* SPDX-License-Identifier: BSD-3-Clause */
/* decision_openmpi.c - facts from Open MPI 4.1's ompi/mca/coll/tuned/coll_tuned_decision_fixed.c:
 * one table per collective, by ranks and then by bytes; none cuts the message. No fan-out is
 * passed, which makes a chain one chain; the k-nomial tree has its default radix of four. In 5.0.7
 * the file is the same. In 6.0 (branch v6.0.x of 18 August 2026; the live 6.0.0rc2 does so) the
 * numbers are the same, and a fan-out of two is passed to reductions and allgathers. */
#include "workloads/schedules/decision_tables.h"

enum { KIB = 1024 };

static const char LINEAR[] = "linear", BASIC[] = "basic_linear", PAIRWISE[] = "pairwise",
                  MODIFIED[] = "modified_bruck", SYNC[] = "linear_sync", TWO[] = "two_proc",
                  BRUCK[] = "bruck", DOUBLING[] = "recursive_doubling", RING[] = "ring",
                  NEIGHBOR[] = "neighbor", GATHER_BCAST[] = "gatherv_bcast",
                  BINOMIAL[] = "binomial", TREE[] = "tree", CHAIN[] = "chain",
                  PIPELINE[] = "pipeline", SPLIT[] = "split_binary_tree", BINARY[] = "binary_tree",
                  KNOMIAL[] = "knomial", SCATTER[] = "scatter_allgather",
                  HALVING[] = "recursive_halving", BUTTERFLY[] = "butterfly",
                  RABENSEIFNER[] = "rabenseifner", NONOVERLAPPING[] = "nonoverlapping";

/* clang-format off */
static const struct decision_rule bcast41_rules[] = {
    { 4, 32, PIPELINE, 0 }, { 4, 256, BINARY, 0 }, { 4, 512, PIPELINE, 0 }, { 4, 1 * KIB, KNOMIAL, 4 },
    { 4, 32 * KIB, BASIC, 0 }, { 4, 128 * KIB, BINARY, 0 }, { 4, 256 * KIB, CHAIN, 1 },
    { 4, 512 * KIB, BASIC, 0 }, { 4, 1024 * KIB, BINOMIAL, 0 }, { 4, 0, BINARY, 0 },
    { 8, 64, BINARY, 0 }, { 8, 128, BINOMIAL, 0 }, { 8, 2 * KIB, BINARY, 0 },
    { 8, 8 * KIB, BINOMIAL, 0 }, { 8, 1024 * KIB, BASIC, 0 }, { 8, 0, CHAIN, 1 },
    { 16, 8, KNOMIAL, 4 }, { 16, 64, BINARY, 0 }, { 16, 4 * KIB, KNOMIAL, 4 },
    { 16, 16 * KIB, BINARY, 0 }, { 16, 32 * KIB, BINOMIAL, 0 }, { 16, 0, BASIC, 0 },
    { 32, 4 * KIB, KNOMIAL, 4 }, { 32, 1024 * KIB, BINOMIAL, 0 }, { 32, 0, SCATTER, 0 },
    { 64, 2 * KIB, BINOMIAL, 0 }, { 64, 0, KNOMIAL, 4 },
    { 128, 0, KNOMIAL, 4 },
    { 256, 2, BINOMIAL, 0 }, { 256, 16 * KIB, BINARY, 0 }, { 256, 32 * KIB, BASIC, 0 },
    { 256, 64 * KIB, BINARY, 0 }, { 256, 0, KNOMIAL, 4 },
    { 1024, 16 * KIB, KNOMIAL, 4 }, { 1024, 32 * KIB, SPLIT, 0 }, { 1024, 0, KNOMIAL, 4 },
    { 2048, 512 * KIB, KNOMIAL, 4 }, { 2048, 0, SCATTER, 0 },
    { 4096, 256 * KIB, KNOMIAL, 4 }, { 4096, 0, SCATTER, 0 },
    { 0, 8 * KIB, KNOMIAL, 4 }, { 0, 16 * KIB, BINARY, 0 }, { 0, 256 * KIB, KNOMIAL, 4 },
    { 0, 0, SCATTER, 0 },
};

/* Operations that commute. */
static const struct decision_rule reduce41_rules[] = {
    { 4, 8, RABENSEIFNER, 0 }, { 4, 16, "binary", 0 }, { 4, 32, PIPELINE, 0 },
    { 4, 256 * KIB, "linear", 0 }, { 4, 512 * KIB, PIPELINE, 0 }, { 4, 1024 * KIB, CHAIN, 1 },
    { 4, 0, PIPELINE, 0 },
    { 8, 4 * KIB, "binary", 0 }, { 8, 64 * KIB, CHAIN, 1 }, { 8, 256 * KIB, BINOMIAL, 0 },
    { 8, 512 * KIB, "linear", 0 }, { 8, 1024 * KIB, BINOMIAL, 0 }, { 8, 0, "linear", 0 },
    { 16, 8 * KIB, "binary", 0 }, { 16, 0, BINOMIAL, 0 },
    { 32, 4 * KIB, "binary", 0 }, { 32, 0, BINOMIAL, 0 },
    { 256, 0, BINOMIAL, 0 },
    { 512, 8 * KIB, BINOMIAL, 0 }, { 512, 16 * KIB, "in-order_binary", 0 }, { 512, 0, BINOMIAL, 0 },
    { 2048, 0, BINOMIAL, 0 },
    { 4096, 512, BINOMIAL, 0 }, { 4096, 1 * KIB, "in-order_binary", 0 },
    { 4096, 8 * KIB, BINOMIAL, 0 }, { 4096, 16 * KIB, "in-order_binary", 0 },
    { 4096, 0, BINOMIAL, 0 },
    { 0, 16, BINOMIAL, 0 }, { 0, 32, "in-order_binary", 0 }, { 0, 1 * KIB, BINOMIAL, 0 },
    { 0, 2 * KIB, "in-order_binary", 0 }, { 0, 8 * KIB, BINOMIAL, 0 },
    { 0, 16 * KIB, "in-order_binary", 0 }, { 0, 0, BINOMIAL, 0 },
};

/* Operations that do not commute. */
static const struct decision_rule reduce41_ordered_rules[] = {
    { 4, 8, "in-order_binary", 0 }, { 4, 0, "linear", 0 },
    { 8, 0, "linear", 0 },
    { 16, 1 * KIB, "in-order_binary", 0 }, { 16, 8 * KIB, "linear", 0 },
    { 16, 16 * KIB, "in-order_binary", 0 }, { 16, 256 * KIB, "linear", 0 },
    { 16, 0, "in-order_binary", 0 },
    { 128, 0, "in-order_binary", 0 },
    { 256, 512, "in-order_binary", 0 }, { 256, 1 * KIB, "linear", 0 },
    { 256, 0, "in-order_binary", 0 },
    { 0, 0, "in-order_binary", 0 },
};

static const struct decision_rule allreduce41_rules[] = {
    { 4, 8, RING, 0 }, { 4, 4 * KIB, DOUBLING, 0 }, { 4, 8 * KIB, RING, 0 },
    { 4, 16 * KIB, DOUBLING, 0 }, { 4, 64 * KIB, RING, 0 }, { 4, 256 * KIB, "segmented_ring", 0 },
    { 4, 0, RABENSEIFNER, 0 },
    { 8, 16, RING, 0 }, { 8, 8 * KIB, DOUBLING, 0 }, { 8, 0, RABENSEIFNER, 0 },
    { 16, 8 * KIB, DOUBLING, 0 }, { 16, 0, RABENSEIFNER, 0 },
    { 32, 64, "segmented_ring", 0 }, { 32, 4 * KIB, DOUBLING, 0 }, { 32, 0, RABENSEIFNER, 0 },
    { 64, 128, "segmented_ring", 0 }, { 64, 0, RABENSEIFNER, 0 },
    { 128, 256 * KIB, DOUBLING, 0 }, { 128, 0, RABENSEIFNER, 0 },
    { 256, 128 * KIB, NONOVERLAPPING, 0 }, { 256, 256 * KIB, DOUBLING, 0 },
    { 256, 0, RABENSEIFNER, 0 },
    { 512, 4 * KIB, NONOVERLAPPING, 0 }, { 512, 0, RABENSEIFNER, 0 },
    { 2048, 2 * KIB, NONOVERLAPPING, 0 }, { 2048, 16 * KIB, DOUBLING, 0 },
    { 2048, 0, RABENSEIFNER, 0 },
    { 4096, 2 * KIB, NONOVERLAPPING, 0 }, { 4096, 4 * KIB, "segmented_ring", 0 },
    { 4096, 16 * KIB, DOUBLING, 0 }, { 4096, 0, RABENSEIFNER, 0 },
    { 0, 2 * KIB, NONOVERLAPPING, 0 }, { 0, 16 * KIB, "segmented_ring", 0 },
    { 0, 32 * KIB, DOUBLING, 0 }, { 0, 0, RABENSEIFNER, 0 },
};

static const struct decision_rule allreduce41_ordered_rules[] = {
    { 4, 128 * KIB, DOUBLING, 0 }, { 4, 0, BASIC, 0 },
    { 8, 0, DOUBLING, 0 },
    { 16, 1024 * KIB, DOUBLING, 0 }, { 16, 0, NONOVERLAPPING, 0 },
    { 128, 0, DOUBLING, 0 },
    { 256, 128 * KIB, NONOVERLAPPING, 0 }, { 256, 512 * KIB, DOUBLING, 0 },
    { 256, 0, NONOVERLAPPING, 0 },
    { 512, 4 * KIB, NONOVERLAPPING, 0 }, { 512, 512 * KIB, DOUBLING, 0 },
    { 512, 0, NONOVERLAPPING, 0 },
    { 0, 2 * KIB, NONOVERLAPPING, 0 }, { 0, 0, DOUBLING, 0 },
};

/* By the bytes of all blocks; operations that commute. */
static const struct decision_rule reduce_scatter41_rules[] = {
    { 4, 64 * KIB, RING, 0 }, { 4, 128 * KIB, BUTTERFLY, 0 }, { 4, 0, RING, 0 },
    { 8, 8, "non-overlapping", 0 }, { 8, 256 * KIB, HALVING, 0 }, { 8, 0, RING, 0 },
    { 32, 256 * KIB, HALVING, 0 }, { 32, 0, RING, 0 },
    { 64, 64, "non-overlapping", 0 }, { 64, 2 * KIB, HALVING, 0 }, { 64, 512 * KIB, BUTTERFLY, 0 },
    { 64, 0, RING, 0 },
    { 128, 256, "non-overlapping", 0 }, { 128, 512, HALVING, 0 }, { 128, 2 * KIB, BUTTERFLY, 0 },
    { 128, 4 * KIB, HALVING, 0 }, { 128, 0, BUTTERFLY, 0 },
    { 256, 256, "non-overlapping", 0 }, { 256, 512, HALVING, 0 }, { 256, 0, BUTTERFLY, 0 },
    { 512, 256, "non-overlapping", 0 }, { 512, 1 * KIB, HALVING, 0 }, { 512, 0, BUTTERFLY, 0 },
    { 1024, 512, "non-overlapping", 0 }, { 1024, 2 * KIB, HALVING, 0 },
    { 1024, 8 * KIB, BUTTERFLY, 0 }, { 1024, 16 * KIB, HALVING, 0 }, { 1024, 0, BUTTERFLY, 0 },
    { 2048, 512, "non-overlapping", 0 }, { 2048, 4 * KIB, HALVING, 0 },
    { 2048, 16 * KIB, BUTTERFLY, 0 }, { 2048, 32 * KIB, HALVING, 0 }, { 2048, 0, BUTTERFLY, 0 },
    { 4096, 512, "non-overlapping", 0 }, { 4096, 4 * KIB, HALVING, 0 }, { 4096, 0, BUTTERFLY, 0 },
    { 0, 1 * KIB, "non-overlapping", 0 }, { 0, 8 * KIB, HALVING, 0 }, { 0, 0, BUTTERFLY, 0 },
};

/* By the bytes of one block; operations that commute. */
static const struct decision_rule reduce_scatter_block41_rules[] = {
    { 4, 4, DOUBLING, 0 }, { 4, 8, BUTTERFLY, 0 }, { 4, 16, HALVING, 0 }, { 4, 128, BUTTERFLY, 0 },
    { 4, 256, HALVING, 0 }, { 4, 4 * KIB, BUTTERFLY, 0 }, { 4, 8 * KIB, HALVING, 0 },
    { 4, 128 * KIB, BUTTERFLY, 0 }, { 4, 0, BASIC, 0 },
    { 8, 8, HALVING, 0 }, { 8, 32, DOUBLING, 0 }, { 8, 256, BUTTERFLY, 0 },
    { 8, 8 * KIB, HALVING, 0 }, { 8, 16 * KIB, BUTTERFLY, 0 }, { 8, 1024 * KIB, HALVING, 0 },
    { 8, 0, BASIC, 0 },
    { 16, 4, BASIC, 0 }, { 16, 32, HALVING, 0 }, { 16, 128, BUTTERFLY, 0 },
    { 16, 512 * KIB, HALVING, 0 }, { 16, 4096 * KIB, BASIC, 0 }, { 16, 0, BUTTERFLY, 0 },
    { 32, 32, BASIC, 0 }, { 32, 512 * KIB, HALVING, 0 }, { 32, 2048 * KIB, BASIC, 0 },
    { 32, 4096 * KIB, HALVING, 0 }, { 32, 0, BUTTERFLY, 0 },
    { 0, 4, HALVING, 0 }, { 0, 16, BASIC, 0 }, { 0, 64 * KIB, BUTTERFLY, 0 },
    { 0, 256 * KIB, BASIC, 0 }, { 0, 0, BUTTERFLY, 0 },
};

static const struct decision_rule reduce_scatter41_ordered_rules[] = { { 0, 0, "non-overlapping", 0 } };
static const struct decision_rule reduce_scatter_block41_ordered_rules[] = { { 0, 0, BASIC, 0 } };

/* By the bytes of one block. */
static const struct decision_rule scatter41_rules[] = {
    { 4, 2, "linear_nb", 0 }, { 4, 128 * KIB, BASIC, 0 }, { 4, 256 * KIB, "linear_nb", 0 },
    { 4, 0, BASIC, 0 },
    { 8, 2 * KIB, BINOMIAL, 0 }, { 8, 4 * KIB, BASIC, 0 }, { 8, 8 * KIB, BINOMIAL, 0 },
    { 8, 32 * KIB, BASIC, 0 }, { 8, 1024 * KIB, "linear_nb", 0 }, { 8, 0, BASIC, 0 },
    { 16, 16 * KIB, BINOMIAL, 0 }, { 16, 1024 * KIB, "linear_nb", 0 }, { 16, 0, BASIC, 0 },
    { 32, 16 * KIB, BINOMIAL, 0 }, { 32, 32 * KIB, BASIC, 0 }, { 32, 0, "linear_nb", 0 },
    { 64, 512, BINOMIAL, 0 }, { 64, 8 * KIB, "linear_nb", 0 }, { 64, 16 * KIB, BINOMIAL, 0 },
    { 64, 0, "linear_nb", 0 },
    { 0, 512, BINOMIAL, 0 }, { 0, 0, "linear_nb", 0 },
};

/* Of all those below: by the bytes of one block; what is for two ranks alone stands first. */
static const struct decision_rule alltoall41_rules[] = {
    { 3, 2, PAIRWISE, 0 }, { 3, 4, TWO, 0 }, { 3, 16, PAIRWISE, 0 }, { 3, 64, TWO, 0 }, { 3, 256, PAIRWISE, 0 },
    { 3, 4 * KIB, TWO, 0 }, { 3, 32 * KIB, PAIRWISE, 0 }, { 3, 256 * KIB, SYNC, 0 },
    { 3, 1024 * KIB, TWO, 0 }, { 3, 0, PAIRWISE, 0 },
    { 8, 8 * KIB, SYNC, 0 }, { 8, 16 * KIB, LINEAR, 0 }, { 8, 64 * KIB, SYNC, 0 },
    { 8, 512 * KIB, LINEAR, 0 }, { 8, 1024 * KIB, PAIRWISE, 0 }, { 8, 0, LINEAR, 0 },
    { 16, 256 * KIB, SYNC, 0 }, { 16, 0, LINEAR, 0 },
    { 32, 4, SYNC, 0 }, { 32, 512, MODIFIED, 0 }, { 32, 8 * KIB, SYNC, 0 }, { 32, 32 * KIB, LINEAR, 0 },
    { 32, 256 * KIB, SYNC, 0 }, { 32, 512 * KIB, LINEAR, 0 }, { 32, 0, SYNC, 0 },
    { 64, 512, MODIFIED, 0 }, { 64, 512 * KIB, LINEAR, 0 }, { 64, 0, SYNC, 0 },
    { 128, 1 * KIB, MODIFIED, 0 }, { 128, 2 * KIB, LINEAR, 0 }, { 128, 4 * KIB, SYNC, 0 },
    { 128, 256 * KIB, LINEAR, 0 }, { 128, 0, PAIRWISE, 0 },
    { 256, 1 * KIB, MODIFIED, 0 }, { 256, 2 * KIB, SYNC, 0 }, { 256, 256 * KIB, LINEAR, 0 },
    { 256, 0, PAIRWISE, 0 },
    { 512, 1 * KIB, MODIFIED, 0 }, { 512, 8 * KIB, SYNC, 0 }, { 512, 32 * KIB, LINEAR, 0 },
    { 512, 0, PAIRWISE, 0 },
    { 1024, 512, MODIFIED, 0 }, { 1024, 8 * KIB, SYNC, 0 }, { 1024, 16 * KIB, LINEAR, 0 },
    { 1024, 128 * KIB, SYNC, 0 }, { 1024, 256 * KIB, LINEAR, 0 }, { 1024, 0, PAIRWISE, 0 },
    { 2048, 512, MODIFIED, 0 }, { 2048, 1 * KIB, SYNC, 0 }, { 2048, 2 * KIB, LINEAR, 0 },
    { 2048, 16 * KIB, SYNC, 0 }, { 2048, 256 * KIB, LINEAR, 0 }, { 2048, 0, SYNC, 0 },
    { 4096, 1 * KIB, MODIFIED, 0 }, { 4096, 4 * KIB, SYNC, 0 }, { 4096, 8 * KIB, LINEAR, 0 },
    { 4096, 128 * KIB, SYNC, 0 }, { 4096, 0, LINEAR, 0 },
    { 0, 2 * KIB, MODIFIED, 0 }, { 0, 8 * KIB, SYNC, 0 }, { 0, 16 * KIB, LINEAR, 0 },
    { 0, 32 * KIB, SYNC, 0 }, { 0, 64 * KIB, LINEAR, 0 }, { 0, 0, SYNC, 0 },
};

static const struct decision_rule alltoallv41_rules[] = {
    { 4, 0, PAIRWISE, 0 },
    { 64, 0, BASIC, 0 },
    { 128, 0, PAIRWISE, 0 },
    { 256, 0, BASIC, 0 },
    { 1024, 0, PAIRWISE, 0 },
    { 0, 0, BASIC, 0 },
};

static const struct decision_rule allgather41_rules[] = {
    { 3, 0, TWO, 0 },
    { 32, 0, DOUBLING, 0 },
    { 64, 1 * KIB, DOUBLING, 0 }, { 64, 64 * KIB, NEIGHBOR, 0 }, { 64, 0, RING, 0 },
    { 128, 512, DOUBLING, 0 }, { 128, 64 * KIB, NEIGHBOR, 0 }, { 128, 0, RING, 0 },
    { 256, 512, DOUBLING, 0 }, { 256, 128 * KIB, NEIGHBOR, 0 }, { 256, 512 * KIB, RING, 0 },
    { 256, 1024 * KIB, NEIGHBOR, 0 }, { 256, 0, RING, 0 },
    { 512, 32, DOUBLING, 0 }, { 512, 128, BRUCK, 0 }, { 512, 1 * KIB, DOUBLING, 0 },
    { 512, 128 * KIB, NEIGHBOR, 0 }, { 512, 512 * KIB, RING, 0 }, { 512, 1024 * KIB, NEIGHBOR, 0 },
    { 512, 0, RING, 0 },
    { 1024, 64, DOUBLING, 0 }, { 1024, 256, BRUCK, 0 }, { 1024, 2 * KIB, DOUBLING, 0 },
    { 1024, 0, NEIGHBOR, 0 },
    { 2048, 4, DOUBLING, 0 }, { 2048, 8, BRUCK, 0 }, { 2048, 16, DOUBLING, 0 }, { 2048, 32, BRUCK, 0 },
    { 2048, 256, DOUBLING, 0 }, { 2048, 512, BRUCK, 0 }, { 2048, 4 * KIB, DOUBLING, 0 },
    { 2048, 0, NEIGHBOR, 0 },
    { 4096, 32, BRUCK, 0 }, { 4096, 128, DOUBLING, 0 }, { 4096, 512, BRUCK, 0 },
    { 4096, 4 * KIB, DOUBLING, 0 }, { 4096, 0, NEIGHBOR, 0 },
    { 0, 2, DOUBLING, 0 }, { 0, 8, BRUCK, 0 }, { 0, 16, DOUBLING, 0 }, { 0, 512, BRUCK, 0 },
    { 0, 4 * KIB, DOUBLING, 0 }, { 0, 0, NEIGHBOR, 0 },
};

static const struct decision_rule allgatherv41_rules[] = {
    { 3, 2 * KIB, RING, 0 }, { 3, 4 * KIB, TWO, 0 }, { 3, 8 * KIB, RING, 0 }, { 3, 0, TWO, 0 },
    { 8, 256, GATHER_BCAST, 0 }, { 8, 4 * KIB, NEIGHBOR, 0 }, { 8, 8 * KIB, RING, 0 },
    { 8, 16 * KIB, NEIGHBOR, 0 }, { 8, 256 * KIB, BRUCK, 0 }, { 8, 0, NEIGHBOR, 0 },
    { 16, 1 * KIB, GATHER_BCAST, 0 }, { 16, 0, BRUCK, 0 },
    { 32, 128, GATHER_BCAST, 0 }, { 32, 256 * KIB, BRUCK, 0 }, { 32, 0, RING, 0 },
    { 64, 256, GATHER_BCAST, 0 }, { 64, 8 * KIB, BRUCK, 0 }, { 64, 0, RING, 0 },
    { 128, 256, GATHER_BCAST, 0 }, { 128, 4 * KIB, BRUCK, 0 }, { 128, 0, RING, 0 },
    { 256, 1 * KIB, BRUCK, 0 }, { 256, 64 * KIB, NEIGHBOR, 0 }, { 256, 0, RING, 0 },
    { 512, 1 * KIB, BRUCK, 0 }, { 512, 0, RING, 0 },
    { 1024, 512, BRUCK, 0 }, { 1024, 1 * KIB, GATHER_BCAST, 0 }, { 1024, 4 * KIB, BRUCK, 0 },
    { 1024, 1024 * KIB, NEIGHBOR, 0 }, { 1024, 0, RING, 0 },
    { 0, 4 * KIB, BRUCK, 0 }, { 0, 0, NEIGHBOR, 0 },
};

static const struct decision_rule gather41_rules[] = {
    { 4, 2, SYNC, 0 }, { 4, 4, BASIC, 0 }, { 4, 32 * KIB, BINOMIAL, 0 }, { 4, 64 * KIB, BASIC, 0 },
    { 4, 128 * KIB, BINOMIAL, 0 }, { 4, 0, SYNC, 0 },
    { 8, 1 * KIB, BINOMIAL, 0 }, { 8, 8 * KIB, BASIC, 0 }, { 8, 32 * KIB, BINOMIAL, 0 },
    { 8, 256 * KIB, BASIC, 0 }, { 8, 0, SYNC, 0 },
    { 256, 0, BINOMIAL, 0 },
    { 512, 2 * KIB, BINOMIAL, 0 }, { 512, 8 * KIB, BASIC, 0 }, { 512, 0, BINOMIAL, 0 },
    { 0, 0, BINOMIAL, 0 },
};

static const struct decision_rule barrier41_rules[] = {
    { 4, 0, DOUBLING, 0 },
    { 8, 0, LINEAR, 0 },
    { 64, 0, DOUBLING, 0 },
    { 256, 0, BRUCK, 0 },
    { 512, 0, TREE, 0 },
    { 1024, 0, BRUCK, 0 },
    { 4096, 0, TREE, 0 },
    { 0, 0, BRUCK, 0 },
};

/* What hears 6.0's fan-out of two: a chain, which becomes two, and Bruck's allgather, whose radix it
 * is. */
static void amend_reduce60(struct decision *d)
{
    if (strcmp(d->algorithm, CHAIN) == 0)
        d->fanout = 2;
}

static void amend_allgather60(struct decision *d)
{
    if (strcmp(d->algorithm, BRUCK) == 0)
        *d = (struct decision){ .algorithm = "bruck_k", .fanout = 2, .named = "bruck-k-fanout" };
}

#define RULES(whose, name) whose, #name, .rules = name##41_rules
#define ROWS(whose, of_reduce, of_allgather)                                                       \
    { RULES(whose, bcast) },                                                                       \
    { RULES(whose, reduce), .ordered = reduce41_ordered_rules, .amend = (of_reduce) },             \
    { RULES(whose, scatter) },                                                                     \
    { RULES(whose, allreduce), .ordered = allreduce41_ordered_rules },                             \
    { RULES(whose, reduce_scatter), .ordered = reduce_scatter41_ordered_rules, .of_all = 1 },      \
    { RULES(whose, reduce_scatter_block), .ordered = reduce_scatter_block41_ordered_rules },       \
    { RULES(whose, alltoall) },                                                                    \
    { RULES(whose, alltoallv) },                                                                   \
    { RULES(whose, allgather), .amend = (of_allgather) },                                          \
    { RULES(whose, allgatherv) },                                                                  \
    { RULES(whose, gather) },                                                                      \
    { RULES(whose, barrier) },                                                                     \
    { .rule = NULL },

const struct decision_row decisions_openmpi41[] = { ROWS("openmpi41", NULL, NULL) };
const struct decision_row decisions_openmpi60[] = {
    ROWS("openmpi60", amend_reduce60, amend_allgather60)
};
/* clang-format on */

/* ---- 3.1: the same file of v3.1.6, whose functions are those of v3.1.0 to v3.1.6. The constants
 * are the library's fit to Myrinet MX results (broadcast: sizes up to 36 MB, up to 64 nodes). ----
 */

enum { SMALL_BYTES = 2048, INTERMEDIATE_BYTES = 370728, FEW_PROCS = 13 };
enum { ALLGATHER_SMALL_BYTES = 50000 }; /* of all blocks */

/* A pipeline of this segment size is chosen when procs < slope * bytes + intercept. */
struct border {
    double slope, intercept; /* slope in 1/byte */
    uint64_t segment_bytes;
};

static const struct border border_128k = { 1.6134e-6, 2.1102, 128 * KIB };
static const struct border border_64k = { 2.3679e-6, 1.1787, 64 * KIB };
static const struct border border_16k = { 3.2118e-6, 8.7936, 16 * KIB };

static int is_below(int procs, uint64_t bytes, const struct border *b)
{
    return procs < b->slope * (double)bytes + b->intercept;
}

static struct decision cut(const char *algorithm, uint64_t segment_bytes)
{
    return (struct decision){ .algorithm = algorithm, .segment_bytes = segment_bytes };
}

static struct decision pipeline(uint64_t segment_bytes)
{
    return cut("pipeline", segment_bytes);
}

static struct decision split_binary(uint64_t segment_bytes)
{
    return cut("split_binary_tree", segment_bytes);
}

static struct decision bcast31(int procs, uint64_t bytes, uint64_t count)
{
    if (bytes < SMALL_BYTES || count <= 1)
        return cut("binomial", 0);
    if (bytes < INTERMEDIATE_BYTES)
        return split_binary(1 * KIB);
    if (is_below(procs, bytes, &border_128k))
        return pipeline(border_128k.segment_bytes);
    if (procs < FEW_PROCS)
        return split_binary(8 * KIB);
    if (is_below(procs, bytes, &border_64k))
        return pipeline(border_64k.segment_bytes);
    if (is_below(procs, bytes, &border_16k))
        return pipeline(border_16k.segment_bytes);
    return pipeline(8 * KIB);
}

static struct decision allgather31(int procs, uint64_t bytes, uint64_t count)
{
    (void)count;
    const int is_power = (procs & (procs - 1)) == 0;
    if (procs == 2)
        return cut("recursive_doubling", 0);
    if (bytes < ALLGATHER_SMALL_BYTES && bytes * (uint64_t)procs < ALLGATHER_SMALL_BYTES)
        return cut(is_power ? "recursive_doubling" : "bruck", 0);
    return cut(procs % 2 ? "ring" : "neighbor", 0);
}

enum { LINEAR_BYTES = 512, FEW_BYTES = 20480, FEW = 8 };

/* procs > slope * bytes + intercept, with the slope per KiB as the library writes it. */
static int is_above(int procs, uint64_t bytes, double slope_per_kib, double intercept)
{
    return procs > slope_per_kib / KIB * (double)bytes + intercept;
}

static struct decision reduce31(int procs, uint64_t bytes, uint64_t count)
{
    if (procs < FEW && bytes < LINEAR_BYTES)
        return cut("linear", 0);
    if ((procs < FEW && bytes < FEW_BYTES) || bytes < SMALL_BYTES || count <= 1)
        return cut("binomial", 0);
    if (is_above(procs, bytes, 0.6016, 1.3496))
        return cut("binomial", 1 * KIB);
    if (is_above(procs, bytes, 0.0410, 9.7128))
        return pipeline(1 * KIB);
    if (is_above(procs, bytes, 0.0422, 1.1614))
        return cut("binary", 32 * KIB);
    return pipeline(is_above(procs, bytes, 0.0033, 1.6761) ? 32 * KIB : 64 * KIB);
}

const struct decision_row decisions_openmpi31[] = {
    { "openmpi31", "bcast", .decide = bcast31 },
    { "openmpi31", "allgather", .decide = allgather31 },
    { "openmpi31", "reduce", .decide = reduce31 },
    { .rule = NULL },
};
