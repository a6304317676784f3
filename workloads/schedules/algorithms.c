/* SPDX-License-Identifier: BSD-3-Clause */
/* algorithms.c - the table of algorithms. Adding one: a row in its collective's file, a line here.
 */
#include "workloads/schedules/tables.h"

const struct algorithm *const algorithms[] = {
    &bcast_basic_linear,
    &bcast_chain,
    &bcast_pipeline,
    &bcast_split_binary_tree,
    &bcast_binary_tree,
    &bcast_binomial,
    &bcast_knomial,
    &bcast_scatter_allgather,
    &bcast_scatter_allgather_ring,
    &bcast_mpich_binomial,
    &bcast_mpich_doubling,
    &bcast_mpich_ring,
    &gather_basic_linear,
    &gather_linear_sync,
    &allgather_bruck,
    &allgather_recursive_doubling,
    &allgather_ring,
    &allgather_neighbor,
    &allgather_mpich_brucks,
    &allgather_mpich_recursive_doubling,
    &allgather_mpich_ring,
    &gather_called_linear,
    &reduce_linear,
    &reduce_chain,
    &reduce_pipeline,
    &reduce_binary,
    &reduce_binomial,
    &reduce_in_order_binary,
    &reduce_rabenseifner,
    &reduce_mpich_binomial,
    &reduce_mpich_reduce_scatter_gather,
    NULL,
};

const struct algorithm *algorithm_find(const char *collective, const char *name)
{
    for (const struct algorithm *const *a = algorithms; *a; a++)
        if (strcmp((*a)->collective, collective) == 0 && strcmp((*a)->name, name) == 0)
            return *a;
    return NULL;
}
