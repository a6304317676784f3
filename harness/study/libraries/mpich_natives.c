/* SPDX-License-Identifier: BSD-3-Clause */
/* MPICH: the values of MPIR_CVAR_<COLLECTIVE>_INTRA_ALGORITHM in 4.0 to 5.0
 * (src/mpi/coll/cvars.txt, coll_algorithms.txt). They are words; their numbers differ by release
 * and nobody sees them. */
#include "harness/study/libraries/natives.h"

static const char *only_powers(int procs, uint64_t bytes, long fanout)
{
    (void)bytes, (void)fanout;
    return procs & (procs - 1) ? "the library runs it among 2^n processes only" : NULL;
}

/* It scatters the bytes over the largest 2^n processes that there are. */
static const char *a_byte_each(int procs, uint64_t bytes, long fanout)
{
    (void)fanout;
    uint64_t powers = 1;
    while (2 * powers <= (uint64_t)procs)
        powers *= 2;
    return bytes < powers ? "the library runs it from a byte for each of 2^n processes on" : NULL;
}

/* Forced, it calls itself on the ranks of a node, which MPICH then refuses. */
static const char *by_node(int procs, uint64_t bytes, long fanout)
{
    (void)procs, (void)bytes, (void)fanout;
    return "the library refuses it where it is forced, as it calls itself on parts";
}

static const char *in_place(int procs, uint64_t bytes, long fanout)
{
    (void)procs, (void)bytes, (void)fanout;
    return "the library runs it for calls in place only, and these are none";
}

static const char *on_accelerators(int procs, uint64_t bytes, long fanout)
{
    (void)procs, (void)bytes, (void)fanout;
    return "the library runs it in an accelerator's memory only, by NCCL or RCCL";
}

/* With a radix above MAX_RADIX (8) of its source, the ranks that send before the exchange and take
 * no part in it fail an assertion on requests that only the others have. */
static const char *only_small_radix(int procs, uint64_t bytes, long fanout)
{
    (void)bytes;
    long powers = fanout;
    while (fanout > 8 && powers < procs)
        powers *= fanout;
    return fanout > 8 && procs >= fanout && powers != procs
               ? "with a radix above 8, P being none of its powers, the library ends the program"
               : NULL;
}

/* MPIR_CVAR_NUM_MULTI_LEADS: unless it is set, four ranks of a node lead, or the next number that
 * divides its ranks, and each wants an element. */
static const char *one_each_leader(int procs, uint64_t bytes, long fanout)
{
    (void)procs, (void)fanout;
    return bytes < 4 ? "the library runs it from an element for each of four leaders on" : NULL;
}

/* MPIR_CVAR_ALLGATHER_SHM_PER_RANK, MPIR_CVAR_ALLTOALL_SHM_PER_RANK, unless they are set. */
static const char *only_small_blocks(int procs, uint64_t bytes, long fanout)
{
    (void)procs, (void)fanout;
    return bytes > 4096 ? "the library runs it up to blocks of 4096 bytes" : NULL;
}

/* One of the device's ways to split a call between nodes and inside them, by the name of its
 * function. Only those count of which a collective has several, and which
 * MPIR_CVAR_<COLLECTIVE>_COMPOSITION can force: 4.0 has none of these variables. */
#define COMPOSITION(collective_, name_)                                                            \
    OF(collective_, "composition_" name_), .component = 1, .from = "4.1"
#define LATER(collective_, name_)                                                                  \
    OF(collective_, "composition_" name_), .component = 1, .from = "4.3"

/* A row of each collective. */
#define EVERYWHERE(name_, ...)                                                                     \
    { OF("bcast", name_), __VA_ARGS__ }, { OF("reduce", name_), __VA_ARGS__ },                     \
        { OF("allreduce", name_), __VA_ARGS__ }, { OF("allgather", name_), __VA_ARGS__ },          \
        { OF("allgatherv", name_), __VA_ARGS__ }, { OF("alltoall", name_), __VA_ARGS__ },          \
        { OF("alltoallv", name_), __VA_ARGS__ }, { OF("gather", name_), __VA_ARGS__ },             \
        { OF("scatter", name_), __VA_ARGS__ }, { OF("reduce_scatter", name_), __VA_ARGS__ },       \
        { OF("reduce_scatter_block", name_), __VA_ARGS__ }, { OF("barrier", name_), __VA_ARGS__ }, \
        { OF("scan", name_), __VA_ARGS__ },                                                        \
    {                                                                                              \
        OF("exscan", name_), __VA_ARGS__                                                           \
    }

const struct native natives_mpich[] = {
    { OF("bcast", "binomial") },
    { OF("bcast", "scatter_recursive_doubling_allgather") },
    { OF("bcast", "scatter_ring_allgather") },
    { OF("bcast", "smp"), .refusal = by_node },
    { OF("bcast", "tree"), .from = "4.1", .fanout = 2 },
    { OF("bcast", "pipelined_tree"), .from = "4.1", .fanout = 2, .segmented = 1 },

    { OF("reduce", "binomial") },
    { OF("reduce", "reduce_scatter_gather"), .refusal = a_byte_each },
    { OF("reduce", "smp"), .refusal = by_node },

    { OF("allreduce", "smp"), .refusal = by_node },
    { OF("allreduce", "recursive_doubling") },
    { OF("allreduce", "reduce_scatter_allgather"), .refusal = a_byte_each },
    { OF("allreduce", "recursive_multiplying"), .from = "4.3", .fanout = 2 },
    { OF("allreduce", "tree"), .from = "4.1", .fanout = 2, .segmented = 1 },
    { OF("allreduce", "recexch"), .from = "4.1", .fanout = 2 },
    { OF("allreduce", "ring"), .from = "4.1" },
    { OF("allreduce", "k_reduce_scatter_allgather"), .from = "4.1", .fanout = 2 },
    { OF("allreduce", "ccl"), .from = "5.0", .refusal = on_accelerators },

    { OF("allgather", "brucks") },
    { OF("allgather", "recursive_doubling"), .refusal = only_powers },
    { OF("allgather", "ring") },
    { OF("allgather", "k_brucks"), .from = "4.1", .fanout = 2 },
    { OF("allgather", "recexch_doubling"), .from = "4.2", .fanout = 2,
      .refusal = only_small_radix },
    { OF("allgather", "recexch_halving"), .from = "4.2", .fanout = 2, .refusal = only_small_radix },

    { OF("allgatherv", "brucks") },
    { OF("allgatherv", "recursive_doubling"), .refusal = only_powers },
    { OF("allgatherv", "ring") },

    { OF("alltoall", "brucks") },
    { OF("alltoall", "pairwise") },
    { OF("alltoall", "scattered") },
    { OF("alltoall", "pairwise_sendrecv_replace"), .refusal = in_place },
    { OF("alltoall", "k_brucks"), .from = "4.1", .fanout = 2 },

    { OF("alltoallv", "scattered") },
    { OF("alltoallv", "pairwise_sendrecv_replace"), .refusal = in_place },

    { OF("gather", "binomial") },
    { OF("scatter", "binomial") },

    { OF("reduce_scatter", "noncommutative"), .refusal = only_powers },
    { OF("reduce_scatter", "pairwise") },
    { OF("reduce_scatter", "recursive_halving") },
    { OF("reduce_scatter", "recursive_doubling") },

    { OF("reduce_scatter_block", "noncommutative"), .refusal = only_powers },
    { OF("reduce_scatter_block", "pairwise") },
    { OF("reduce_scatter_block", "recursive_halving") },
    { OF("reduce_scatter_block", "recursive_doubling") },

    { OF("barrier", "dissemination"), .below = "4.1" },
    { OF("barrier", "k_dissemination"), .from = "4.1", .fanout = 2 },
    { OF("barrier", "recexch"), .from = "4.1", .fanout = 2 },
    { OF("barrier", "smp"), .refusal = by_node },

    { OF("scan", "recursive_doubling") },
    { OF("scan", "smp"), .refusal = by_node },
    { OF("exscan", "recursive_doubling") },

    /* the code of the calls that do not block */
    EVERYWHERE("nb"),

    /* who is asked first: the device, which goes by node and in parts, as MPICH's default does; or
     * the code above it alone, as where MPIR_CVAR_DEVICE_COLLECTIVES is none */
    EVERYWHERE("device", .component = 1),
    EVERYWHERE("mpir", .component = 1),

    /* how the device splits a call. alpha: between the nodes' first ranks, then inside each node.
     * beta of barrier, allreduce, allgather and alltoall, gamma of bcast and reduce: all ranks at
     * once. gamma of allreduce: through the memory of one node. delta of allreduce, alpha of
     * allgather and alltoall: several ranks of each node lead. */
    { COMPOSITION("barrier", "alpha"), .reach = REACH_PARTS },
    { COMPOSITION("barrier", "beta") },
    { COMPOSITION("bcast", "alpha"), .reach = REACH_PARTS },
    { COMPOSITION("bcast", "beta"), .reach = REACH_PARTS },
    { COMPOSITION("bcast", "gamma") },
    { LATER("bcast", "delta"), .reach = REACH_PARTS },
    { COMPOSITION("reduce", "alpha"), .reach = REACH_PARTS },
    { COMPOSITION("reduce", "beta"), .reach = REACH_PARTS },
    { COMPOSITION("reduce", "gamma") },
    { COMPOSITION("allreduce", "alpha"), .reach = REACH_PARTS },
    { COMPOSITION("allreduce", "beta") },
    { COMPOSITION("allreduce", "gamma"), .reach = REACH_ONE_NODE },
    { COMPOSITION("allreduce", "delta"), .reach = REACH_NODES, .refusal = one_each_leader },
    { COMPOSITION("allgather", "alpha"), .reach = REACH_NODES, .refusal = only_small_blocks },
    { COMPOSITION("allgather", "beta") },
    { COMPOSITION("alltoall", "alpha"), .reach = REACH_NODES, .refusal = only_small_blocks },
    { COMPOSITION("alltoall", "beta") },

    { .name = NULL },
};
