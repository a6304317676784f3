/* SPDX-License-Identifier: BSD-3-Clause */
/* Open MPI, component `tuned`: the values of coll_tuned_<collective>_algorithm in 4.1 to 6.0
 * (ompi_info --param coll tuned -l 9; coll_tuned_<collective>_decision.c), and what each may run
 * with (ompi/mca/coll/base). */
#include "harness/study/libraries/natives.h"
#include "workloads/schedules/collectives.h"

static const char *only_two(int procs, uint64_t bytes, long fanout)
{
    (void)bytes, (void)fanout;
    return procs == 2 ? NULL : "the library runs it among two processes only";
}

/* coll_acoll_comm_size_thresh of 6.0.0rc2, which is 16 unless it is set. */
static const char *only_many(int procs, uint64_t bytes, long fanout)
{
    (void)bytes, (void)fanout;
    return procs >= 16 ? NULL : "the component takes no part among fewer than 16 processes";
}

#define COMPONENT(collective_, name_) OF(collective_, name_), .component = 1
#define HAN(collective_)              COMPONENT(collective_, "han"), .reach = REACH_NODES
#define SM(collective_)               COMPONENT(collective_, "sm"), .reach = REACH_ONE_NODE, .below = "6"
#define XHC(collective_)              COMPONENT(collective_, "xhc"), .reach = REACH_ONE_NODE, .from = "6"
#define ACOLL(collective_)            COMPONENT(collective_, "acoll"), .refusal = only_many, .from = "6"

const struct native natives_openmpi[] = {
    { OF("bcast", "basic_linear"), .id = 1 },
    { OF("bcast", "chain"), .id = 2, .segmented = 1, .fanout = 4 },
    { OF("bcast", "pipeline"), .id = 3, .segmented = 1 },
    { OF("bcast", "split_binary_tree"), .id = 4, .segmented = 1 },
    { OF("bcast", "binary_tree"), .id = 5, .segmented = 1 },
    { OF("bcast", "binomial"), .id = 6, .segmented = 1 },
    { OF("bcast", "knomial"), .id = 7, .segmented = 1, .fanout = 4 },
    { OF("bcast", "scatter_allgather"), .id = 8 },
    { OF("bcast", "scatter_allgather_ring"), .id = 9 },

    { OF("reduce", "linear"), .id = 1 },
    { OF("reduce", "chain"), .id = 2, .segmented = 1, .fanout = 4, .limits = 1, .commuting = 1 },
    /* the fan-out: sends of a leaf under way at a time; 0, the default: one after the other ends */
    { OF("reduce", "pipeline"), .id = 3, .segmented = 1, .fanout = FANOUT_UNLIMITED,
      .commuting = 1 },
    { OF("reduce", "binary"), .id = 4, .segmented = 1, .fanout = FANOUT_UNLIMITED, .commuting = 1 },
    { OF("reduce", "binomial"), .id = 5, .segmented = 1, .fanout = FANOUT_UNLIMITED },
    { OF("reduce", "in-order_binary"), .id = 6, .segmented = 1, .fanout = FANOUT_UNLIMITED },
    { OF("reduce", "rabenseifner"), .id = 7 },
    { OF("reduce", "knomial"), .id = 8, .fanout = 4, .radix = 1, .from = "6", .commuting = 1 },

    { OF("allreduce", "basic_linear"), .id = 1 },
    { OF("allreduce", "nonoverlapping"), .id = 2 },
    { OF("allreduce", "recursive_doubling"), .id = 3 },
    { OF("allreduce", "ring"), .id = 4, .commuting = 1 },
    { OF("allreduce", "segmented_ring"), .id = 5, .segmented = 1, .commuting = 1 },
    { OF("allreduce", "rabenseifner"), .id = 6 },
    { OF("allreduce", "allgather_reduce"), .id = 7, .from = "6" },

    { OF("allgather", "linear"), .id = 1 },
    { OF("allgather", "bruck"), .id = 2, .below = "6" },
    { OF("allgather", "bruck-k-fanout"), .id = 2, .fanout = 4, .radix = 1, .from = "6",
      .schedule = "bruck_k" },
    { OF("allgather", "recursive_doubling"), .id = 3 },
    { OF("allgather", "ring"), .id = 4 },
    { OF("allgather", "neighbor"), .id = 5 },
    { OF("allgather", "two_proc"), .id = 6, .refusal = only_two },
    { OF("allgather", "sparbit"), .id = 7, .from = "5" },
    { OF("allgather", "direct-messaging"), .id = 8, .from = "6", .schedule = "simple" },

    /* 1: the library says "default", which stands for its own choice here */
    { OF("allgatherv", "gatherv_bcast"), .id = 1 },
    { OF("allgatherv", "bruck"), .id = 2 },
    { OF("allgatherv", "ring"), .id = 3 },
    { OF("allgatherv", "neighbor"), .id = 4 },
    { OF("allgatherv", "two_proc"), .id = 5, .refusal = only_two },
    { OF("allgatherv", "sparbit"), .id = 6, .from = "5" },

    { OF("alltoall", "linear"), .id = 1 },
    { OF("alltoall", "pairwise"), .id = 2 },
    { OF("alltoall", "modified_bruck"), .id = 3 },
    { OF("alltoall", "linear_sync"), .id = 4, .fanout = FANOUT_UNLIMITED },
    { OF("alltoall", "two_proc"), .id = 5, .refusal = only_two },

    { OF("alltoallv", "basic_linear"), .id = 1 },
    { OF("alltoallv", "pairwise"), .id = 2 },

    { OF("gather", "basic_linear"), .id = 1 },
    { OF("gather", "binomial"), .id = 2 },
    { OF("gather", "linear_sync"), .id = 3, .segmented = 1 },

    { OF("scatter", "basic_linear"), .id = 1 },
    { OF("scatter", "binomial"), .id = 2 },
    { OF("scatter", "linear_nb"), .id = 3, .fanout = FANOUT_UNLIMITED, .from = "4.1" },

    { OF("reduce_scatter", "non-overlapping"), .id = 1 },
    { OF("reduce_scatter", "recursive_halving"), .id = 2, .commuting = 1 },
    { OF("reduce_scatter", "ring"), .id = 3, .commuting = 1 },
    { OF("reduce_scatter", "butterfly"), .id = 4 },

    { OF("reduce_scatter_block", "basic_linear"), .id = 1 },
    { OF("reduce_scatter_block", "recursive_doubling"), .id = 2 },
    { OF("reduce_scatter_block", "recursive_halving"), .id = 3 },
    { OF("reduce_scatter_block", "butterfly"), .id = 4 },

    { OF("barrier", "linear"), .id = 1 },
    { OF("barrier", "double_ring"), .id = 2 },
    { OF("barrier", "recursive_doubling"), .id = 3 },
    { OF("barrier", "bruck"), .id = 4 },
    { OF("barrier", "two_proc"), .id = 5, .refusal = only_two },
    { OF("barrier", "tree"), .id = 6 },

    { OF("scan", "linear"), .id = 1 },
    { OF("scan", "recursive_doubling"), .id = 2 },
    { OF("exscan", "linear"), .id = 1 },
    { OF("exscan", "recursive_doubling"), .id = 2 },

    /* components: tuned has no scan unless one is forced */
    { COMPONENT("allgather", "tuned") },
    { COMPONENT("allgatherv", "tuned") },
    { COMPONENT("allreduce", "tuned") },
    { COMPONENT("alltoall", "tuned") },
    { COMPONENT("alltoallv", "tuned") },
    { COMPONENT("barrier", "tuned") },
    { COMPONENT("bcast", "tuned") },
    { COMPONENT("gather", "tuned") },
    { COMPONENT("reduce", "tuned") },
    { COMPONENT("reduce_scatter", "tuned") },
    { COMPONENT("reduce_scatter_block", "tuned") },
    { COMPONENT("scatter", "tuned") },
    { COMPONENT("allgather", "basic") },
    { COMPONENT("allgatherv", "basic") },
    { COMPONENT("allreduce", "basic") },
    { COMPONENT("alltoall", "basic") },
    { COMPONENT("alltoallv", "basic") },
    { COMPONENT("barrier", "basic") },
    { COMPONENT("bcast", "basic") },
    { COMPONENT("exscan", "basic") },
    { COMPONENT("gather", "basic") },
    { COMPONENT("reduce", "basic") },
    { COMPONENT("reduce_scatter", "basic") },
    { COMPONENT("reduce_scatter_block", "basic") },
    { COMPONENT("scan", "basic") },
    { COMPONENT("scatter", "basic") },
    { HAN("allgather"), .from = "4.1" },
    { HAN("allreduce"), .from = "4.1" },
    { HAN("bcast"), .from = "4.1" },
    { HAN("gather"), .from = "4.1" },
    { HAN("reduce"), .from = "4.1" },
    { HAN("scatter"), .from = "4.1" },
    { HAN("barrier"), .from = "4.1" },
    { HAN("alltoall"), .from = "6" },
    { HAN("alltoallv"), .from = "6" },
    { COMPONENT("bcast", "adapt"), .from = "4.1" },
    { COMPONENT("reduce", "adapt"), .from = "4.1" },
    { SM("allreduce") },
    { SM("barrier") },
    { SM("bcast") },
    { SM("reduce") },
    /* its allreduce and reduce end any program of 6.0.0rc2 with a segmentation fault */
    { XHC("barrier") },
    { XHC("bcast") },
    { ACOLL("allgather") },
    { ACOLL("allreduce") },
    { ACOLL("alltoall") },
    { ACOLL("barrier") },
    { ACOLL("bcast") },
    { ACOLL("gather") },
    { ACOLL("reduce") },

    { .name = NULL },
};
