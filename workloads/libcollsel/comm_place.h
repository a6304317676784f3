/* SPDX-License-Identifier: BSD-3-Clause */
/* comm_place.h - what schedules want of an application's communicator: one of our own with the same
 * ranks, and which of them share a node. Which nodes share a switch is
 * known where SLURM_TOPOLOGY_ADDR says it to each rank (Slurm with topology/tree). */
#ifndef WORKLOADS_LIBCOLLSEL_COMM_PLACE_H
#define WORKLOADS_LIBCOLLSEL_COMM_PLACE_H

#include "workloads/libcollsel/executor_cache.h"

/* Collective over comm. Its messages never meet those of comm, and errors come back. */
void place_make(struct executor_cache_place *place, MPI_Comm comm);

/* A number for the machine that this rank is on. */
uint64_t place_node(void);

/* Where the ranks of comm are, by where those of MPI_COMM_WORLD are. -1: one of them is not among
 * these. Local. */
int place_nodes(MPI_Comm comm, const uint64_t *of_world, uint64_t *node);

/* When comm goes. */
void place_clear(struct executor_cache_place *place);

/* Seats of ranks on these nodes (numbers, by rank): consecutive ranks fill nodes, or alternate
 * them; else procs is 0: not known. Pure. */
struct seating place_seats(const uint64_t *node, int procs);

#endif
