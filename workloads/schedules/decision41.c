/* SPDX-License-Identifier: BSD-3-Clause */
/* decision41.c - facts from Open MPI 4.1's ompi/mca/coll/tuned/coll_tuned_decision_fixed.c: one
 * table per collective, by ranks and then by bytes; none cuts the message. Broadcast passes no
 * fan-out, which makes a chain one chain; the k-nomial tree has its default radix of four. Reduce
 * passes a fan-out of two. */
#include "workloads/schedules/decision.h"

/* The first row of a table with procs below `procs` and bytes below `bytes`; 0: any. */
struct rule {
    int procs;
    uint64_t bytes;
    const char *algorithm;
    int fanout;
};

enum { KIB = 1024 };

static const char LINEAR[] = "basic_linear", CHAIN[] = "chain", PIPELINE[] = "pipeline",
                  SPLIT[] = "split_binary_tree", BINARY[] = "binary_tree", BINOMIAL[] = "binomial",
                  KNOMIAL[] = "knomial", SCATTER[] = "scatter_allgather";

/* clang-format off */
static const struct rule bcast[] = {
    { 4, 32, PIPELINE, 0 }, { 4, 256, BINARY, 0 }, { 4, 512, PIPELINE, 0 }, { 4, 1 * KIB, KNOMIAL, 4 },
    { 4, 32 * KIB, LINEAR, 0 }, { 4, 128 * KIB, BINARY, 0 }, { 4, 256 * KIB, CHAIN, 1 },
    { 4, 512 * KIB, LINEAR, 0 }, { 4, 1024 * KIB, BINOMIAL, 0 }, { 4, 0, BINARY, 0 },
    { 8, 64, BINARY, 0 }, { 8, 128, BINOMIAL, 0 }, { 8, 2 * KIB, BINARY, 0 },
    { 8, 8 * KIB, BINOMIAL, 0 }, { 8, 1024 * KIB, LINEAR, 0 }, { 8, 0, CHAIN, 1 },
    { 16, 8, KNOMIAL, 4 }, { 16, 64, BINARY, 0 }, { 16, 4 * KIB, KNOMIAL, 4 },
    { 16, 16 * KIB, BINARY, 0 }, { 16, 32 * KIB, BINOMIAL, 0 }, { 16, 0, LINEAR, 0 },
    { 32, 4 * KIB, KNOMIAL, 4 }, { 32, 1024 * KIB, BINOMIAL, 0 }, { 32, 0, SCATTER, 0 },
    { 64, 2 * KIB, BINOMIAL, 0 }, { 64, 0, KNOMIAL, 4 },
    { 128, 0, KNOMIAL, 4 },
    { 256, 2, BINOMIAL, 0 }, { 256, 16 * KIB, BINARY, 0 }, { 256, 32 * KIB, LINEAR, 0 },
    { 256, 64 * KIB, BINARY, 0 }, { 256, 0, KNOMIAL, 4 },
    { 1024, 16 * KIB, KNOMIAL, 4 }, { 1024, 32 * KIB, SPLIT, 0 }, { 1024, 0, KNOMIAL, 4 },
    { 2048, 512 * KIB, KNOMIAL, 4 }, { 2048, 0, SCATTER, 0 },
    { 4096, 256 * KIB, KNOMIAL, 4 }, { 4096, 0, SCATTER, 0 },
    { 0, 8 * KIB, KNOMIAL, 4 }, { 0, 16 * KIB, BINARY, 0 }, { 0, 256 * KIB, KNOMIAL, 4 },
    { 0, 0, SCATTER, 0 },
};

/* Operations that commute. */
static const struct rule reduce[] = {
    { 4, 8, "rabenseifner", 0 }, { 4, 16, "binary", 0 }, { 4, 32, PIPELINE, 0 },
    { 4, 256 * KIB, "linear", 0 }, { 4, 512 * KIB, PIPELINE, 0 }, { 4, 1024 * KIB, CHAIN, 2 },
    { 4, 0, PIPELINE, 0 },
    { 8, 4 * KIB, "binary", 0 }, { 8, 64 * KIB, CHAIN, 2 }, { 8, 256 * KIB, BINOMIAL, 0 },
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
/* clang-format on */

/* The last row of a table takes all. */
static struct decision first_rule(const struct rule *rule, int procs, uint64_t bytes)
{
    while ((rule->procs && procs >= rule->procs) || (rule->bytes && bytes >= rule->bytes))
        rule++;
    return (struct decision){ rule->algorithm, 0, rule->fanout };
}

struct decision decide_bcast_openmpi41(int procs, uint64_t bytes, uint64_t count)
{
    (void)count;
    return first_rule(bcast, procs, bytes);
}

struct decision decide_reduce_openmpi41(int procs, uint64_t bytes, uint64_t count)
{
    (void)count;
    return first_rule(reduce, procs, bytes);
}
