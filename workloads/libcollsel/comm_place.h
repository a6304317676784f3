/* SPDX-License-Identifier: BSD-3-Clause */
/* comm_place.h - data that schedules need for an application's communicator: our own
 * communicator with the same ranks, and which ranks share a node. Which nodes share a switch is
 * known if SLURM_TOPOLOGY_ADDR is set for each rank (Slurm with topology/tree). */
#pragma once

#include "workloads/libcollsel/choice_table.h"
#include "workloads/libcollsel/executor_cache.h"

/* Collective over comm. Its messages never meet those of comm, and errors come back. */
void place_make(struct executor_cache_place *place, MPI_Comm comm);

/* A number for the machine that this rank is on. */
uint64_t place_node(void);

/* Its ranks' numbers in MPI_COMM_WORLD, to be freed. Local. */
int *place_in_world(MPI_Comm comm, int procs);

/* Nodes of the ranks of comm, from those of MPI_COMM_WORLD. -1: a rank is not among
 * these. Local. */
int place_nodes(MPI_Comm comm, const uint64_t *of_world, uint64_t *node);

/* The shape that follows; nodes 0 where a rank is not among these. */
struct comm_shape place_shape(MPI_Comm comm, int procs, const uint64_t *of_world);

/* Frees what it holds; to be called when comm is freed. */
void place_clear(struct executor_cache_place *place);
