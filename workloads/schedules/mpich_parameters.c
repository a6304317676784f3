/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/schedules/mpich_parameters.h"

#include "workloads/schedules/parts.h"

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

const char *mpich_canary(const char *collective, int procs)
{
    static const struct {
        const char *collective, *canary;
        int unless_power; /* 2^n ranks are not refused */
    } canaries[] = {
        { "bcast", "smp", 0 },
        { "reduce", "smp", 0 },
        { "allreduce", "reduce_scatter_allgather", 0 },
        { "allgather", "recursive_doubling", 1 },
        { "allgatherv", "recursive_doubling", 1 },
        { "alltoall", "pairwise_sendrecv_replace", 0 },
        { "alltoallv", "pairwise_sendrecv_replace", 0 },
        { "reduce_scatter_block", "noncommutative", 1 },
        { "barrier", "smp", 0 },
        { "scan", "smp", 0 },
    };
    for (size_t i = 0; i < sizeof canaries / sizeof *canaries; i++)
        if (strcmp(canaries[i].collective, collective) == 0)
            return canaries[i].unless_power && is_power_of_two(procs) ? NULL : canaries[i].canary;
    return NULL;
}

int mpich_compositions(const char *collective, const char *release)
{
    static const struct {
        const char *collective;
        int n;            /* that it has in 4.1 */
        const char *more; /* from this release on one more; NULL: none */
    } rows[] = { { "barrier", 2, NULL },   { "bcast", 3, "4.3" },    { "reduce", 3, NULL },
                 { "allreduce", 4, NULL }, { "allgather", 2, NULL }, { "alltoall", 2, NULL } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].collective, collective) == 0)
            return rows[i].n + (rows[i].more && version_within(release, rows[i].more, NULL));
    return 0;
}
