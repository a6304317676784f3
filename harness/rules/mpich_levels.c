/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/rules/mpich_levels.h"

#include <string.h>

#include "harness/base/number.h"

static const struct mpich_level levels[] = {
    { "MPIR", "algorithm=MPIR_", "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE", 1 },
    { "CH4", "composition=MPIDI_", "MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE", 0 },
    { "POSIX", "algorithm=MPIDI_POSIX_", "MPIR_CVAR_CH4_POSIX_COLL_SELECTION_TUNING_JSON_FILE", 0 },
};

const struct mpich_level *mpich_level_of(const char *key)
{
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (strncmp(key, levels[i].leaf, strlen(levels[i].leaf)) == 0)
            return &levels[i];
    return NULL;
}

/* alpha: between the nodes' first ranks, then inside each node. beta: in another order, or all
 * ranks at once. gamma of allreduce: through the memory of one node. */
static const struct mpich_leaf leaves[] = {
    { "barrier", "composition_alpha", "composition=MPIDI_Barrier_intra_composition_alpha", NULL,
      NULL, WANTS_PARTS },
    { "barrier", "composition_beta", "composition=MPIDI_Barrier_intra_composition_beta", NULL, NULL,
      0 },
    { "bcast", "composition_alpha", "composition=MPIDI_Bcast_intra_composition_alpha", NULL, NULL,
      WANTS_PARTS },
    { "bcast", "composition_beta", "composition=MPIDI_Bcast_intra_composition_beta", NULL, NULL,
      WANTS_PARTS },
    { "bcast", "composition_gamma", "composition=MPIDI_Bcast_intra_composition_gamma", NULL, NULL,
      0 },
    { "bcast", "composition_delta", "composition=MPIDI_Bcast_intra_composition_delta", "4.3", NULL,
      WANTS_PARTS },
    { "reduce", "composition_alpha", "composition=MPIDI_Reduce_intra_composition_alpha", NULL, NULL,
      WANTS_PARTS | WANTS_COMMUTING },
    { "reduce", "composition_beta", "composition=MPIDI_Reduce_intra_composition_beta", NULL, NULL,
      WANTS_PARTS | WANTS_COMMUTING },
    { "reduce", "composition_gamma", "composition=MPIDI_Reduce_intra_composition_gamma", NULL, NULL,
      0 },
    { "allreduce", "composition_alpha", "composition=MPIDI_Allreduce_intra_composition_alpha", NULL,
      NULL, WANTS_PARTS | WANTS_COMMUTING },
    { "allreduce", "composition_beta", "composition=MPIDI_Allreduce_intra_composition_beta", NULL,
      NULL, 0 },
    { "allreduce", "composition_gamma", "composition=MPIDI_Allreduce_intra_composition_gamma", NULL,
      NULL, WANTS_ONE_NODE },
    { "allreduce", "composition_delta", "composition=MPIDI_Allreduce_intra_composition_delta", NULL,
      NULL, 0 },
    { "alltoall", "composition_alpha", "composition=MPIDI_Alltoall_intra_composition_alpha", NULL,
      NULL, 0 },
    { "alltoall", "composition_beta", "composition=MPIDI_Alltoall_intra_composition_beta", "4.1",
      NULL, 0 },
    { "allgather", "composition_alpha", "composition=MPIDI_Allgather_intra_composition_alpha", NULL,
      NULL, 0 },
    { "allgather", "composition_beta", "composition=MPIDI_Allgather_intra_composition_beta", "4.1",
      NULL, 0 },
    { "alltoallv", "composition_alpha", "composition=MPIDI_Alltoallv_intra_composition_alpha", NULL,
      NULL, 0 },
    { "alltoallw", "composition_alpha", "composition=MPIDI_Alltoallw_intra_composition_alpha", NULL,
      NULL, 0 },
    { "allgatherv", "composition_alpha", "composition=MPIDI_Allgatherv_intra_composition_alpha",
      NULL, NULL, 0 },
    { "gather", "composition_alpha", "composition=MPIDI_Gather_intra_composition_alpha", NULL, NULL,
      0 },
    { "gatherv", "composition_alpha", "composition=MPIDI_Gatherv_intra_composition_alpha", NULL,
      NULL, 0 },
    { "scatter", "composition_alpha", "composition=MPIDI_Scatter_intra_composition_alpha", NULL,
      NULL, 0 },
    { "scatterv", "composition_alpha", "composition=MPIDI_Scatterv_intra_composition_alpha", NULL,
      NULL, 0 },
    { "reduce_scatter", "composition_alpha",
      "composition=MPIDI_Reduce_scatter_intra_composition_alpha", NULL, NULL, 0 },
    { "reduce_scatter_block", "composition_alpha",
      "composition=MPIDI_Reduce_scatter_block_intra_composition_alpha", NULL, NULL, 0 },
    { "scan", "composition_alpha", "composition=MPIDI_Scan_intra_composition_alpha", NULL, NULL,
      WANTS_PARTS },
    { "scan", "composition_beta", "composition=MPIDI_Scan_intra_composition_beta", NULL, NULL, 0 },
    { "exscan", "composition_alpha", "composition=MPIDI_Exscan_intra_composition_alpha", NULL, NULL,
      0 },
    { "bcast", "release_gather", "algorithm=MPIDI_POSIX_mpi_bcast_release_gather", NULL, NULL, 0 },
    { "barrier", "release_gather", "algorithm=MPIDI_POSIX_mpi_barrier_release_gather", NULL, NULL,
      0 },
    { "allreduce", "release_gather", "algorithm=MPIDI_POSIX_mpi_allreduce_release_gather", NULL,
      NULL, WANTS_COMMUTING },
    { "reduce", "release_gather", "algorithm=MPIDI_POSIX_mpi_reduce_release_gather", NULL, NULL,
      WANTS_COMMUTING },
    { "bcast", "ipc_read", "algorithm=MPIDI_POSIX_mpi_bcast_ipc_read", "4.3", NULL, 0 },
};

const struct mpich_leaf *mpich_leaf_find(const char *version, const char *key)
{
    for (size_t i = 0; i < sizeof leaves / sizeof *leaves; i++)
        if (strcmp(leaves[i].key, key) == 0 &&
            version_within(version, leaves[i].from, leaves[i].below))
            return &leaves[i];
    return NULL;
}

const char *mpich_leaf_refusal(const struct mpich_leaf *leaf, int procs, int nodes)
{
    if (leaf->wants & WANTS_PARTS && nodes >= procs)
        return "it wants several ranks on a node, and here each has one: the program ends, or what "
               "comes out is wrong";
    if (leaf->wants & WANTS_ONE_NODE && nodes > 1)
        return "it goes through the memory of one node, and here are several";
    return NULL;
}
