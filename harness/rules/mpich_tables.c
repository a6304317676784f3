/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/rules/mpich_tables.h"

const struct mpich_own mpich_owns[] = {
    { "bcast",
      "m<=0 { parent { smp } level { binomial } } m<=12288 { binomial } m { P<=7 { binomial } "
      "P=2^k { m<=524288 { scatter_recursive_doubling_allgather } m { scatter_ring_allgather } } "
      "P { scatter_ring_allgather } }",
      "inter_remote_send_local_bcast" },
    { "allreduce",
      "m<=0 { commutes { smp } ordered { recursive_doubling } } m<=8 { recursive_doubling } "
      "m { user { recursive_doubling } builtin { n<p2 { recursive_doubling } "
      "n { reduce_scatter_allgather } } }",
      "inter_reduce_exchange_bcast" },
    { "allgather",
      "P=2^k { M<=524287 { recursive_doubling } M { ring } } P { M<=81919 { brucks } M { ring } }",
      "inter_local_gather_remote_bcast" },
    { "allgatherv",
      "P=2^k { M<=524287 { recursive_doubling } M { ring } } P { M<=81919 { brucks } M { ring } }",
      "inter_remote_gather_local_bcast" },
    { "reduce",
      "m<=0 { parent { commutes { smp } ordered { binomial } } level { binomial } } "
      "m<=2048 { binomial } m { builtin { n<p2 { binomial } n { reduce_scatter_gather } } "
      "user { binomial } }",
      "inter_local_reduce_remote_send" },
    { "reduce_scatter",
      "commutes { M<=524287 { recursive_halving } M { pairwise } } ordered { regular { P=2^k "
      "{ noncommutative } P { recursive_doubling } } irregular { recursive_doubling } }",
      "inter_remote_reduce_local_scatter" },
    { "reduce_scatter_block",
      "commutes { M<=524287 { recursive_halving } M { pairwise } } ordered { P=2^k "
      "{ noncommutative } P { recursive_doubling } }",
      "inter_remote_reduce_local_scatter" },
    { "gather", "binomial", "M<=2047 { inter_local_gather_remote_send } M { inter_linear }" },
    { "scatter", "binomial", "M<=2047 { inter_remote_send_local_scatter } M { inter_linear }" },
    { "gatherv", "allcomm_linear", NULL },
    { "scatterv", "allcomm_linear", NULL },
    { "scan", "consecutive { smp } apart { recursive_doubling }", "intra_recursive_doubling" },
    { "exscan", "recursive_doubling", NULL },
    { "barrier", "parent { smp } level { dissemination }", "inter_bcast" },
    { "alltoall",
      "inplace { pairwise_sendrecv_replace } copied { P<=7 { m<=32768 { scattered } m { pairwise } "
      "} P { m<=256 { brucks } m<=32768 { scattered } m { pairwise } } }",
      "inter_pairwise_exchange" },
    { "alltoallv", "inplace { pairwise_sendrecv_replace } copied { scattered }",
      "inter_pairwise_exchange" },
    { "alltoallw", "inplace { pairwise_sendrecv_replace } copied { scattered }",
      "inter_pairwise_exchange" },
    { "neighbor_allgather", "allcomm_nb", NULL },
    { "neighbor_allgatherv", "allcomm_nb", NULL },
    { "neighbor_alltoall", "allcomm_nb", NULL },
    { "neighbor_alltoallv", "allcomm_nb", NULL },
    { "neighbor_alltoallw", "allcomm_nb", NULL },

    /* those that do not block */
    { "ibarrier", "sched_recursive_doubling", "inter_sched_bcast" },
    { "ibcast",
      "parent { sched_smp } level { P<=7 { sched_binomial } P=2^k { m<=12287 { sched_binomial } "
      "m<=524287 { sched_scatter_recursive_doubling_allgather } m { sched_scatter_ring_allgather } "
      "} P { m<=12287 { sched_binomial } m { sched_scatter_ring_allgather } } }",
      "inter_sched_flat" },
    { "iallreduce",
      "m<=2048 { sched_recursive_doubling } m { user { sched_recursive_doubling } builtin { n<p2 { "
      "sched_recursive_doubling } n { sched_reduce_scatter_allgather } } }",
      "inter_sched_remote_reduce_local_bcast" },
    { "iallgather",
      "P=2^k { M<=524287 { sched_recursive_doubling } M { sched_ring } } P { M<=81919 { "
      "sched_brucks } M { sched_ring } }",
      "inter_sched_local_gather_remote_bcast" },
    { "iallgatherv",
      "P=2^k { M<=524287 { sched_recursive_doubling } M { sched_ring } } P { M<=81919 { "
      "sched_brucks } M { sched_ring } }",
      "inter_sched_remote_gather_local_bcast" },
    { "ireduce",
      "parent { commutes { sched_smp } ordered { sched_binomial } } level { m<=2048 { "
      "sched_binomial } m { builtin { n<p2 { sched_binomial } n { sched_reduce_scatter_gather } } "
      "user { sched_binomial } } }",
      "inter_sched_local_reduce_remote_send" },
    { "ireduce_scatter",
      "commutes { M<=524287 { sched_recursive_halving } M { sched_pairwise } } ordered { regular { "
      "P=2^k { sched_noncommutative } P { sched_recursive_doubling } } irregular { "
      "sched_recursive_doubling } }",
      "inter_sched_remote_reduce_local_scatterv" },
    { "ireduce_scatter_block",
      "commutes { M<=524287 { sched_recursive_halving } M { sched_pairwise } } ordered { P=2^k { "
      "sched_noncommutative } P { sched_recursive_doubling } }",
      "inter_sched_remote_reduce_local_scatterv" },
    { "igather", "sched_binomial", "M<=2047 { inter_sched_short } M { inter_sched_long }" },
    { "iscatter", "sched_binomial",
      "M<=2047 { inter_sched_remote_send_local_scatter } M { inter_sched_linear }" },
    { "igatherv", "allcomm_sched_linear", NULL },
    { "iscatterv", "allcomm_sched_linear", NULL },
    { "iscan", "parent { sched_smp } level { sched_recursive_doubling }", NULL },
    { "iexscan", "sched_recursive_doubling", NULL },
    { "ialltoall",
      "inplace { sched_inplace } copied { P<=7 { m<=32768 { sched_permuted_sendrecv } m { "
      "sched_pairwise } } P { m<=2048 { sched_brucks } m<=32768 { sched_permuted_sendrecv } m { "
      "sched_pairwise } } }",
      "inter_sched_pairwise_exchange" },
    { "ialltoallv", "inplace { sched_inplace } copied { sched_blocked }",
      "inter_sched_pairwise_exchange" },
    { "ialltoallw", "inplace { sched_inplace } copied { sched_blocked }",
      "inter_sched_pairwise_exchange" },
    { "ineighbor_allgather", "allcomm_sched_linear", NULL },
    { "ineighbor_allgatherv", "allcomm_sched_linear", NULL },
    { "ineighbor_alltoall", "allcomm_sched_linear", NULL },
    { "ineighbor_alltoallv", "allcomm_sched_linear", NULL },
    { "ineighbor_alltoallw", "allcomm_sched_linear", NULL },
    { .collective = NULL },
};

const struct mpich_device mpich_devices[] = {
    { "bcast", NULL,
      "parent { P<=7 { alpha } P=2^k { m<=12287 { alpha } m<=524287 { beta } m { gamma } } P { "
      "m<=12287 { alpha } m { gamma } } } level { gamma }" },
    { "allreduce", NULL,
      "onenode { gamma } P { parent { commutes { alpha } ordered { beta } } level { beta } }" },
    { "reduce", NULL,
      "parent { commutes { m<=2048 { beta } m { alpha } } ordered { gamma } } level { gamma }" },
    { "barrier", NULL, "parent { alpha } level { beta }" },
    { "gather", NULL, "alpha" },
    { "gatherv", NULL, "alpha" },
    { "scatter", NULL, "alpha" },
    { "scatterv", NULL, "alpha" },
    { "alltoall", "4.1", "beta" },
    { "alltoall", NULL, "alpha" },
    { "alltoallv", NULL, "alpha" },
    { "alltoallw", NULL, "alpha" },
    { "allgather", "4.1", "beta" },
    { "allgather", NULL, "alpha" },
    { "allgatherv", NULL, "alpha" },
    { "reduce_scatter", NULL, "alpha" },
    { "reduce_scatter_block", NULL, "alpha" },
    { "scan", NULL, "consecutive { alpha } apart { beta }" },
    { "exscan", NULL, "alpha" },
    { .collective = NULL },
};

const struct mpich_guard mpich_guards[] = {
    { "alltoall", NULL, "inplace { own } copied { @ }" },
    { "alltoallv", NULL, "inplace { own } copied { @ }" },
    { "reduce", "reduce_scatter_gather", "builtin { n<p2 { own } n { @ } } user { own }" },
    { "allreduce", "reduce_scatter_allgather", "builtin { n<p2 { own } n { @ } } user { own }" },
    { "allreduce", "ring", "commutes { @ } ordered { own }" },
    { "allreduce", "recursive_multiplying", "commutes { @ } ordered { own }" },
    { "allreduce", "k_reduce_scatter_allgather", "commutes { @ } ordered { own }" },
    { "reduce_scatter", "pairwise", "commutes { @ } ordered { own }" },
    { "reduce_scatter", "recursive_halving", "commutes { @ } ordered { own }" },
    { "reduce_scatter", "noncommutative", "regular { @ } irregular { own }" },
    { "reduce_scatter_block", "pairwise", "commutes { @ } ordered { own }" },
    { "reduce_scatter_block", "recursive_halving", "commutes { @ } ordered { own }" },
    { .collective = NULL },
};

const struct mpich_leaf_value mpich_leaf_values[] = {
    { "bcast", "tree", "4.3", "tree_type=kary k=%ld is_non_blocking=1" },
    { "bcast", "tree", "4.2", "tree_type=0 k=%ld is_non_blocking=1" },
    { "bcast", "pipelined_tree", "4.3",
      "tree_type=kary k=%ld is_non_blocking=1 chunk_size=%ld recv_pre_posted=0" },
    { "bcast", "pipelined_tree", "4.2",
      "tree_type=0 k=%ld is_non_blocking=1 chunk_size=%ld recv_pre_posted=0" },
    { "allreduce", "tree", "4.3", "tree_type=knomial_1 k=%ld chunk_size=%ld buffer_per_child=0" },
    { "allreduce", "tree", "4.1", "tree_type=1 k=%ld chunk_size=%ld buffer_per_child=0" },
    { "allreduce", "recexch", "4.1", "k=%ld single_phase_recv=0" },
    { "allreduce", "k_reduce_scatter_allgather", "4.1", "k=%ld single_phase_recv=0" },
    { "allreduce", "recursive_multiplying", "4.3", "k=%ld" },
    { "allreduce", "ring", "4.1", "" },
    { "allgather", "k_brucks", "4.1", "k=%ld" },
    { "allgather", "recexch_doubling", "4.2", "k=%ld single_phase_recv=0" },
    { "allgather", "recexch_halving", "4.2", "k=%ld single_phase_recv=0" },
    { "alltoall", "k_brucks", "4.1", "k=%ld" },
    { "barrier", "k_dissemination", "4.1", "k=%ld" },
    { .collective = NULL },
};

#define COMPOSES(collective_, word_, name_)                                                        \
    .collective = (collective_), .name = "composition_" name_,                                     \
    .key = "composition=MPIDI_" word_ "_intra_composition_" name_
#define INSIDE(collective_, name_)                                                                 \
    .collective = (collective_), .name = (name_),                                                  \
    .key = "algorithm=MPIDI_POSIX_mpi_" collective_ "_" name_

const struct mpich_leaf mpich_leaves[] = {
    { COMPOSES("barrier", "Barrier", "alpha"), .parts = 1 },
    { COMPOSES("barrier", "Barrier", "beta") },
    { COMPOSES("bcast", "Bcast", "alpha"), .parts = 1 },
    { COMPOSES("bcast", "Bcast", "beta"), .parts = 1 },
    { COMPOSES("bcast", "Bcast", "gamma") },
    { COMPOSES("bcast", "Bcast", "delta"), .parts = 1, .from = "4.3" },
    { COMPOSES("reduce", "Reduce", "alpha"), .parts = 1, .commuting = 1 },
    { COMPOSES("reduce", "Reduce", "beta"), .parts = 1, .commuting = 1 },
    { COMPOSES("reduce", "Reduce", "gamma") },
    { COMPOSES("allreduce", "Allreduce", "alpha"), .parts = 1, .commuting = 1 },
    { COMPOSES("allreduce", "Allreduce", "beta") },
    { COMPOSES("allreduce", "Allreduce", "gamma"), .parts = 1 },
    { COMPOSES("allreduce", "Allreduce", "delta"), .parts = 1 },
    { COMPOSES("alltoall", "Alltoall", "alpha"), .parts = 1, .looks = "4.3" },
    { COMPOSES("alltoall", "Alltoall", "beta"), .from = "4.1" },
    { COMPOSES("allgather", "Allgather", "alpha"), .parts = 1, .looks = "4.3" },
    { COMPOSES("allgather", "Allgather", "beta"), .from = "4.1" },
    { COMPOSES("alltoallv", "Alltoallv", "alpha") },
    { COMPOSES("alltoallw", "Alltoallw", "alpha") },
    { COMPOSES("allgatherv", "Allgatherv", "alpha") },
    { COMPOSES("gather", "Gather", "alpha") },
    { COMPOSES("gatherv", "Gatherv", "alpha") },
    { COMPOSES("scatter", "Scatter", "alpha") },
    { COMPOSES("scatterv", "Scatterv", "alpha") },
    { COMPOSES("reduce_scatter", "Reduce_scatter", "alpha") },
    { COMPOSES("reduce_scatter_block", "Reduce_scatter_block", "alpha") },
    { COMPOSES("scan", "Scan", "alpha"), .parts = 1, .reach = REACH_PARTS },
    { COMPOSES("scan", "Scan", "beta") },
    { COMPOSES("exscan", "Exscan", "alpha") },
    { INSIDE("bcast", "release_gather") },
    { INSIDE("barrier", "release_gather") },
    { INSIDE("allreduce", "release_gather"), .commuting = 1 },
    { INSIDE("reduce", "release_gather"), .commuting = 1 },
    { INSIDE("bcast", "ipc_read"), .from = "4.3", .gpu = 1 },
    { .collective = NULL },
};
