/* SPDX-License-Identifier: BSD-3-Clause */
/* mpich_rows.h - the algorithms that MPICH has from 4.1 on, by collective: each list is for the
 * table of its collective. Messages are those of MPICH 4.2.1 and 5.0 (src/mpi/coll), in which these
 * algorithms are the same. */
#ifndef WORKLOADS_SCHEDULES_MPICH_ROWS_H
#define WORKLOADS_SCHEDULES_MPICH_ROWS_H

#include "workloads/schedules/collectives.h"

/* Radix and fan-out that the library has unless told, and the largest for which it keeps
 * neighbours. */
enum { MPICH_RADIX = 2 };

/* recexch.c */
extern const struct algorithm barrier_mpich_recexch, allreduce_mpich_recexch,
    allreduce_mpich_k_reduce_scatter_allgather, allgather_mpich_recexch_doubling,
    allgather_mpich_recexch_halving;

/* mpich_trees.c */
extern const struct algorithm bcast_mpich_tree, bcast_mpich_pipelined_tree, allreduce_mpich_tree;

/* mpich_allreduce.c */
extern const struct algorithm allreduce_mpich_ring, allreduce_mpich_recursive_multiplying;

/* star_allgather.c, bruck_k.c */
extern const struct algorithm allgather_mpich_k_brucks, alltoall_mpich_k_brucks;

#define MPICH_BARRIER &barrier_mpich_recexch
#define MPICH_BCAST   &bcast_mpich_tree, &bcast_mpich_pipelined_tree
#define MPICH_ALLREDUCE                                                                            \
    &allreduce_mpich_recursive_multiplying, &allreduce_mpich_tree, &allreduce_mpich_recexch,       \
        &allreduce_mpich_ring, &allreduce_mpich_k_reduce_scatter_allgather
#define MPICH_ALLGATHER                                                                            \
    &allgather_mpich_k_brucks, &allgather_mpich_recexch_doubling, &allgather_mpich_recexch_halving
#define MPICH_ALLTOALL &alltoall_mpich_k_brucks

#endif
