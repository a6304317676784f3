/* SPDX-License-Identifier: BSD-3-Clause */
/* tables.h - the rows of the table of algorithms, for the files that define them and algorithms.c.
 * Everybody else finds algorithms by name. */
#ifndef WORKLOADS_SCHEDULES_TABLES_H
#define WORKLOADS_SCHEDULES_TABLES_H

#include "workloads/schedules/schedule.h"

extern const struct algorithm bcast_basic_linear, bcast_chain, bcast_pipeline,
    bcast_split_binary_tree, bcast_binary_tree, bcast_binomial, bcast_knomial,
    bcast_scatter_allgather, bcast_scatter_allgather_ring, bcast_mpich_binomial,
    bcast_mpich_doubling, bcast_mpich_ring;

extern const struct algorithm gather_basic_linear, gather_linear_sync, gather_called_linear;

extern const struct algorithm reduce_linear, reduce_chain, reduce_pipeline, reduce_binary,
    reduce_binomial, reduce_in_order_binary, reduce_rabenseifner, reduce_mpich_binomial,
    reduce_mpich_reduce_scatter_gather;

extern const struct algorithm allgather_bruck, allgather_recursive_doubling, allgather_ring,
    allgather_neighbor, allgather_mpich_brucks, allgather_mpich_recursive_doubling,
    allgather_mpich_ring;

#endif
