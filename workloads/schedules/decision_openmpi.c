/* SPDX-License-Identifier: BSD-3-Clause */
/* decision_openmpi.c - facts from Open MPI 4.1's ompi/mca/coll/tuned/coll_tuned_decision_fixed.c,
 * of the collectives that move blocks, and of the barrier. */
#include "workloads/schedules/decision_tables.h"

enum { KIB = 1024 };

/* The first row with procs below `procs` and bytes below `bytes`; 0: any. */
struct decision_rule {
    int procs;
    uint64_t bytes;
    const char *algorithm;
};

static const char LINEAR[] = "linear", BASIC[] = "basic_linear", PAIRWISE[] = "pairwise",
                  MODIFIED[] = "modified_bruck", SYNC[] = "linear_sync", TWO[] = "two_proc",
                  BRUCK[] = "bruck", DOUBLING[] = "recursive_doubling", RING[] = "ring",
                  NEIGHBOR[] = "neighbor", GATHER_BCAST[] = "gatherv_bcast",
                  BINOMIAL[] = "binomial", TREE[] = "tree";

/* clang-format off */
static const struct decision_rule alltoall41[] = {
    { 3, 2, PAIRWISE }, { 3, 4, TWO }, { 3, 16, PAIRWISE }, { 3, 64, TWO }, { 3, 256, PAIRWISE },
    { 3, 4 * KIB, TWO }, { 3, 32 * KIB, PAIRWISE }, { 3, 256 * KIB, SYNC },
    { 3, 1024 * KIB, TWO }, { 3, 0, PAIRWISE },
    { 8, 8 * KIB, SYNC }, { 8, 16 * KIB, LINEAR }, { 8, 64 * KIB, SYNC },
    { 8, 512 * KIB, LINEAR }, { 8, 1024 * KIB, PAIRWISE }, { 8, 0, LINEAR },
    { 16, 256 * KIB, SYNC }, { 16, 0, LINEAR },
    { 32, 4, SYNC }, { 32, 512, MODIFIED }, { 32, 8 * KIB, SYNC }, { 32, 32 * KIB, LINEAR },
    { 32, 256 * KIB, SYNC }, { 32, 512 * KIB, LINEAR }, { 32, 0, SYNC },
    { 64, 512, MODIFIED }, { 64, 512 * KIB, LINEAR }, { 64, 0, SYNC },
    { 128, 1 * KIB, MODIFIED }, { 128, 2 * KIB, LINEAR }, { 128, 4 * KIB, SYNC },
    { 128, 256 * KIB, LINEAR }, { 128, 0, PAIRWISE },
    { 256, 1 * KIB, MODIFIED }, { 256, 2 * KIB, SYNC }, { 256, 256 * KIB, LINEAR },
    { 256, 0, PAIRWISE },
    { 512, 1 * KIB, MODIFIED }, { 512, 8 * KIB, SYNC }, { 512, 32 * KIB, LINEAR },
    { 512, 0, PAIRWISE },
    { 1024, 512, MODIFIED }, { 1024, 8 * KIB, SYNC }, { 1024, 16 * KIB, LINEAR },
    { 1024, 128 * KIB, SYNC }, { 1024, 256 * KIB, LINEAR }, { 1024, 0, PAIRWISE },
    { 2048, 512, MODIFIED }, { 2048, 1 * KIB, SYNC }, { 2048, 2 * KIB, LINEAR },
    { 2048, 16 * KIB, SYNC }, { 2048, 256 * KIB, LINEAR }, { 2048, 0, SYNC },
    { 4096, 1 * KIB, MODIFIED }, { 4096, 4 * KIB, SYNC }, { 4096, 8 * KIB, LINEAR },
    { 4096, 128 * KIB, SYNC }, { 4096, 0, LINEAR },
    { 0, 2 * KIB, MODIFIED }, { 0, 8 * KIB, SYNC }, { 0, 16 * KIB, LINEAR },
    { 0, 32 * KIB, SYNC }, { 0, 64 * KIB, LINEAR }, { 0, 0, SYNC },
};

static const struct decision_rule alltoallv41[] = {
    { 4, 0, PAIRWISE },
    { 64, 0, BASIC },
    { 128, 0, PAIRWISE },
    { 256, 0, BASIC },
    { 1024, 0, PAIRWISE },
    { 0, 0, BASIC },
};

static const struct decision_rule allgather41[] = {
    { 3, 0, TWO },
    { 32, 0, DOUBLING },
    { 64, 1 * KIB, DOUBLING }, { 64, 64 * KIB, NEIGHBOR }, { 64, 0, RING },
    { 128, 512, DOUBLING }, { 128, 64 * KIB, NEIGHBOR }, { 128, 0, RING },
    { 256, 512, DOUBLING }, { 256, 128 * KIB, NEIGHBOR }, { 256, 512 * KIB, RING },
    { 256, 1024 * KIB, NEIGHBOR }, { 256, 0, RING },
    { 512, 32, DOUBLING }, { 512, 128, BRUCK }, { 512, 1 * KIB, DOUBLING },
    { 512, 128 * KIB, NEIGHBOR }, { 512, 512 * KIB, RING }, { 512, 1024 * KIB, NEIGHBOR },
    { 512, 0, RING },
    { 1024, 64, DOUBLING }, { 1024, 256, BRUCK }, { 1024, 2 * KIB, DOUBLING },
    { 1024, 0, NEIGHBOR },
    { 2048, 4, DOUBLING }, { 2048, 8, BRUCK }, { 2048, 16, DOUBLING }, { 2048, 32, BRUCK },
    { 2048, 256, DOUBLING }, { 2048, 512, BRUCK }, { 2048, 4 * KIB, DOUBLING },
    { 2048, 0, NEIGHBOR },
    { 4096, 32, BRUCK }, { 4096, 128, DOUBLING }, { 4096, 512, BRUCK },
    { 4096, 4 * KIB, DOUBLING }, { 4096, 0, NEIGHBOR },
    { 0, 2, DOUBLING }, { 0, 8, BRUCK }, { 0, 16, DOUBLING }, { 0, 512, BRUCK },
    { 0, 4 * KIB, DOUBLING }, { 0, 0, NEIGHBOR },
};

static const struct decision_rule allgatherv41[] = {
    { 3, 2 * KIB, RING }, { 3, 4 * KIB, TWO }, { 3, 8 * KIB, RING }, { 3, 0, TWO },
    { 8, 256, GATHER_BCAST }, { 8, 4 * KIB, NEIGHBOR }, { 8, 8 * KIB, RING },
    { 8, 16 * KIB, NEIGHBOR }, { 8, 256 * KIB, BRUCK }, { 8, 0, NEIGHBOR },
    { 16, 1 * KIB, GATHER_BCAST }, { 16, 0, BRUCK },
    { 32, 128, GATHER_BCAST }, { 32, 256 * KIB, BRUCK }, { 32, 0, RING },
    { 64, 256, GATHER_BCAST }, { 64, 8 * KIB, BRUCK }, { 64, 0, RING },
    { 128, 256, GATHER_BCAST }, { 128, 4 * KIB, BRUCK }, { 128, 0, RING },
    { 256, 1 * KIB, BRUCK }, { 256, 64 * KIB, NEIGHBOR }, { 256, 0, RING },
    { 512, 1 * KIB, BRUCK }, { 512, 0, RING },
    { 1024, 512, BRUCK }, { 1024, 1 * KIB, GATHER_BCAST }, { 1024, 4 * KIB, BRUCK },
    { 1024, 1024 * KIB, NEIGHBOR }, { 1024, 0, RING },
    { 0, 4 * KIB, BRUCK }, { 0, 0, NEIGHBOR },
};

static const struct decision_rule gather41[] = {
    { 4, 2, SYNC }, { 4, 4, BASIC }, { 4, 32 * KIB, BINOMIAL }, { 4, 64 * KIB, BASIC },
    { 4, 128 * KIB, BINOMIAL }, { 4, 0, SYNC },
    { 8, 1 * KIB, BINOMIAL }, { 8, 8 * KIB, BASIC }, { 8, 32 * KIB, BINOMIAL },
    { 8, 256 * KIB, BASIC }, { 8, 0, SYNC },
    { 256, 0, BINOMIAL },
    { 512, 2 * KIB, BINOMIAL }, { 512, 8 * KIB, BASIC }, { 512, 0, BINOMIAL },
    { 0, 0, BINOMIAL },
};

static const struct decision_rule barrier41[] = {
    { 4, 0, DOUBLING },
    { 8, 0, LINEAR },
    { 64, 0, DOUBLING },
    { 256, 0, BRUCK },
    { 512, 0, TREE },
    { 1024, 0, BRUCK },
    { 4096, 0, TREE },
    { 0, 0, BRUCK },
};
/* clang-format on */

/* What is for two ranks alone stands first in a table, and is not for one. */
static struct decision by_rules(const struct decision_rule *rule, int procs, uint64_t bytes)
{
    const int n = procs == 1 ? 3 : procs;
    while ((rule->procs && n >= rule->procs) || (rule->bytes && bytes >= rule->bytes))
        rule++;
    return (struct decision){ .algorithm = rule->algorithm };
}

struct decision decision_alltoall41(int procs, uint64_t bytes, uint64_t count)
{
    (void)count;
    return by_rules(alltoall41, procs, bytes);
}

struct decision decision_alltoallv41(int procs, uint64_t bytes, uint64_t count)
{
    (void)count;
    return by_rules(alltoallv41, procs, bytes);
}

struct decision decision_allgather41(int procs, uint64_t bytes, uint64_t count)
{
    (void)count;
    return by_rules(allgather41, procs, bytes);
}

struct decision decision_allgatherv41(int procs, uint64_t bytes, uint64_t count)
{
    (void)count;
    return by_rules(allgatherv41, procs, bytes);
}

struct decision decision_gather41(int procs, uint64_t bytes, uint64_t count)
{
    (void)count;
    return by_rules(gather41, procs, bytes);
}

struct decision decision_barrier41(int procs, uint64_t bytes, uint64_t count)
{
    (void)count;
    return by_rules(barrier41, procs, bytes);
}

struct decision decision_scan41(int procs, uint64_t bytes, uint64_t count)
{
    (void)procs, (void)bytes, (void)count;
    return (struct decision){ .algorithm = LINEAR };
}
