/* SPDX-License-Identifier: BSD-3-Clause */
/* portable.h - the algorithms that the libraries do not have, by collective: each list is for the
 * table of its collective (alltoall.c and the like). */
#ifndef WORKLOADS_SCHEDULES_PORTABLE_H
#define WORKLOADS_SCHEDULES_PORTABLE_H

#include "workloads/schedules/collectives.h"
#include "workloads/schedules/two_level.h"

/* star_alltoall.c, tree_phases.c */
extern const struct algorithm alltoall_simple, alltoall_2d_mesh, alltoall_3d_mesh,
    alltoall_recursive_doubling, alltoall_ring_light_barrier, alltoall_ring_mpi_barrier,
    alltoall_pair_light_barrier, alltoall_pair_mpi_barrier, alltoall_topology_light_barrier,
    alltoall_topology_mpi_barrier;

#define PORTABLE_ALLTOALL                                                                          \
    &alltoall_simple, &alltoall_2d_mesh, &alltoall_3d_mesh, &alltoall_recursive_doubling,          \
        &alltoall_ring_light_barrier, &alltoall_ring_mpi_barrier, &alltoall_pair_light_barrier,    \
        &alltoall_pair_mpi_barrier, &alltoall_topology_light_barrier,                              \
        &alltoall_topology_mpi_barrier, &alltoall_bruck_k, &alltoall_recursive_doubling_any

/* the same */
extern const struct algorithm alltoallv_simple, alltoallv_ring_light_barrier,
    alltoallv_ring_mpi_barrier, alltoallv_pair_light_barrier, alltoallv_pair_mpi_barrier,
    alltoallv_topology_light_barrier, alltoallv_topology_mpi_barrier;

#define PORTABLE_ALLTOALLV                                                                         \
    &alltoallv_simple, &alltoallv_ring_light_barrier, &alltoallv_ring_mpi_barrier,                 \
        &alltoallv_pair_light_barrier, &alltoallv_pair_mpi_barrier,                                \
        &alltoallv_topology_light_barrier, &alltoallv_topology_mpi_barrier

/* star_allgather.c */
extern const struct algorithm allgather_simple, allgather_2d_mesh, allgather_3d_mesh,
    allgather_direct_ring, allgather_ring_light_barrier, allgather_ring_mpi_barrier, allgather_pair,
    allgather_pair_light_barrier, allgather_pair_mpi_barrier, allgather_topology_ring,
    allgather_sparbit, allgather_circulant, allgather_bruck_k, allgather_recursive_multiplying,
    allgather_bine;

#define PORTABLE_ALLGATHER                                                                         \
    &allgather_simple, &allgather_2d_mesh, &allgather_3d_mesh, &allgather_direct_ring,             \
        &allgather_ring_light_barrier, &allgather_ring_mpi_barrier, &allgather_pair,               \
        &allgather_pair_light_barrier, &allgather_pair_mpi_barrier, &allgather_topology_ring,      \
        &allgather_sparbit, &allgather_circulant, &allgather_bruck_k,                              \
        &allgather_recursive_multiplying, &allgather_bine, &allgather_recursive_doubling_any,      \
        &allgather_two_level, &allgather_three_level

/* the same */
extern const struct algorithm allgatherv_simple, allgatherv_2d_mesh, allgatherv_3d_mesh,
    allgatherv_direct_ring, allgatherv_ring_light_barrier, allgatherv_ring_mpi_barrier,
    allgatherv_pair, allgatherv_pair_light_barrier, allgatherv_pair_mpi_barrier,
    allgatherv_topology_ring, allgatherv_sparbit, allgatherv_circulant, allgatherv_bruck_k,
    allgatherv_recursive_multiplying, allgatherv_bine;

#define PORTABLE_ALLGATHERV                                                                        \
    &allgatherv_simple, &allgatherv_2d_mesh, &allgatherv_3d_mesh, &allgatherv_direct_ring,         \
        &allgatherv_ring_light_barrier, &allgatherv_ring_mpi_barrier, &allgatherv_pair,            \
        &allgatherv_pair_light_barrier, &allgatherv_pair_mpi_barrier, &allgatherv_topology_ring,   \
        &allgatherv_sparbit, &allgatherv_circulant, &allgatherv_bruck_k,                           \
        &allgatherv_recursive_multiplying, &allgatherv_bine

/* star_allreduce.c */
extern const struct algorithm allreduce_allgather_bruck, allreduce_allgather_ring,
    allreduce_allgather_2d_mesh, allreduce_allgather_3d_mesh,
    allreduce_allgather_recursive_doubling, allreduce_halving_simple, allreduce_halving_2d_mesh,
    allreduce_halving_3d_mesh, allreduce_halving_recursive_doubling, allreduce_halving_bruck,
    allreduce_halving_ring, allreduce_halving_ring_light_barrier,
    allreduce_halving_ring_mpi_barrier, allreduce_halving_topology_ring,
    allreduce_alltoall_ring_topology_ring, allreduce_alltoall_ring_light_barrier_topology_ring,
    allreduce_alltoall_ring_mpi_barrier_topology_ring, allreduce_alltoall_ring_ring,
    allreduce_alltoall_ring_light_barrier_ring_light_barrier,
    allreduce_alltoall_ring_mpi_barrier_ring_mpi_barrier, allreduce_circulant, allreduce_bine,
    allreduce_bine_doubling, allreduce_recursive_multiplying, allreduce_multiplying_blocks;

#define PORTABLE_ALLREDUCE                                                                         \
    &allreduce_allgather_bruck, &allreduce_allgather_ring, &allreduce_allgather_2d_mesh,           \
        &allreduce_allgather_3d_mesh, &allreduce_allgather_recursive_doubling,                     \
        &allreduce_halving_simple, &allreduce_halving_2d_mesh, &allreduce_halving_3d_mesh,         \
        &allreduce_halving_recursive_doubling, &allreduce_halving_bruck, &allreduce_halving_ring,  \
        &allreduce_halving_ring_light_barrier, &allreduce_halving_ring_mpi_barrier,                \
        &allreduce_halving_topology_ring, &allreduce_alltoall_ring_topology_ring,                  \
        &allreduce_alltoall_ring_light_barrier_topology_ring,                                      \
        &allreduce_alltoall_ring_mpi_barrier_topology_ring, &allreduce_alltoall_ring_ring,         \
        &allreduce_alltoall_ring_light_barrier_ring_light_barrier,                                 \
        &allreduce_alltoall_ring_mpi_barrier_ring_mpi_barrier, &allreduce_circulant,               \
        &allreduce_bine, &allreduce_bine_doubling, &allreduce_recursive_multiplying,               \
        &allreduce_multiplying_blocks, &allreduce_two_level, &allreduce_three_level,               \
        &allreduce_mvapich2_two_level

/* the same */
extern const struct algorithm reduce_scatter_circulant, reduce_scatter_bine,
    reduce_scatter_recursive_multiplying;

#define PORTABLE_REDUCE_SCATTER                                                                    \
    &reduce_scatter_circulant, &reduce_scatter_bine, &reduce_scatter_recursive_multiplying,        \
        &reduce_scatter_two_level, &reduce_scatter_three_level

/* the same */
extern const struct algorithm reduce_scatter_block_circulant, reduce_scatter_block_bine,
    reduce_scatter_block_recursive_multiplying;

#define PORTABLE_REDUCE_SCATTER_BLOCK                                                              \
    &reduce_scatter_block_circulant, &reduce_scatter_block_bine,                                   \
        &reduce_scatter_block_recursive_multiplying

/* bruck_k.c */
extern const struct algorithm alltoall_bruck_k;

/* doubling_any.c */
extern const struct algorithm allgather_recursive_doubling_any, alltoall_recursive_doubling_any;

/* rooted.c */
extern const struct algorithm gather_bine, gather_knomial, scatter_bine, scatter_knomial;

#define PORTABLE_GATHER  &gather_bine, &gather_knomial, &gather_two_level, &gather_three_level
#define PORTABLE_SCATTER &scatter_bine, &scatter_knomial, &scatter_two_level, &scatter_three_level

/* star_allreduce.c */
extern const struct algorithm bcast_bine_scatter_allgather, reduce_bine_reduce_scatter_gather;

/* circulant.c */
extern const struct algorithm bcast_circulant, reduce_circulant;

#define PORTABLE_BCAST                                                                             \
    &bcast_bine_scatter_allgather, &bcast_circulant, &bcast_two_level, &bcast_three_level,         \
        &bcast_mvapich2_two_level
#define PORTABLE_REDUCE                                                                            \
    &reduce_bine_reduce_scatter_gather, &reduce_circulant, &reduce_two_level, &reduce_three_level, \
        &reduce_mvapich2_two_level
#define PORTABLE_BARRIER &barrier_two_level, &barrier_three_level

#endif
