/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/schedules/mpich_parameters.h"

#include "harness/base/base.h"

static const struct mpich_parameters all[] = {
    { "bcast", "tree", "MPIR_CVAR_BCAST_TREE_KVAL", NULL },
    { "bcast", "pipelined_tree", "MPIR_CVAR_BCAST_TREE_KVAL",
      "MPIR_CVAR_BCAST_TREE_PIPELINE_CHUNK_SIZE" },
    { "allreduce", "recursive_multiplying", "MPIR_CVAR_ALLREDUCE_RECURSIVE_MULTIPLYING_KVAL",
      NULL },
    { "allreduce", "tree", "MPIR_CVAR_ALLREDUCE_TREE_KVAL",
      "MPIR_CVAR_ALLREDUCE_TREE_PIPELINE_CHUNK_SIZE" },
    { "allreduce", "recexch", "MPIR_CVAR_ALLREDUCE_RECEXCH_KVAL", NULL },
    { "allreduce", "k_reduce_scatter_allgather", "MPIR_CVAR_ALLREDUCE_RECEXCH_KVAL", NULL },
    { "allgather", "k_brucks", "MPIR_CVAR_ALLGATHER_BRUCKS_KVAL", NULL },
    { "allgather", "recexch_doubling", "MPIR_CVAR_ALLGATHER_RECEXCH_KVAL", NULL },
    { "allgather", "recexch_halving", "MPIR_CVAR_ALLGATHER_RECEXCH_KVAL", NULL },
    { "alltoall", "k_brucks", "MPIR_CVAR_ALLTOALL_BRUCKS_KVAL", NULL },
    { "barrier", "k_dissemination", "MPIR_CVAR_BARRIER_DISSEM_KVAL", NULL },
    { "barrier", "recexch", "MPIR_CVAR_BARRIER_RECEXCH_KVAL", NULL },
};

const struct mpich_parameters *mpich_parameters(const char *collective, const char *algorithm)
{
    return find_below(all, i, sizeof all / sizeof *all,
                      strcmp(all[i].collective, collective) == 0 &&
                          strcmp(all[i].algorithm, algorithm) == 0);
}
