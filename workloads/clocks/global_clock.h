/* SPDX-License-Identifier: BSD-3-Clause */
/* global_clock.h - one clock for all ranks of a launch, so that calls can begin at the same time
 * without a barrier.
 *
 * The clock is that of rank 0. Processes that read the same clock anyway (same boot of the system,
 * same time namespace) need none of their own: the first of them, their leader, visits the clock of
 * another leader that knows the time already, in a binomial tree of log2 leaders rounds, and tells
 * the others its line (clock_line.h). Drift shows over time: the clock is visited again while the
 * launch runs. After Hunold and Carpen-Amarie (2018), "Hierarchical clock synchronization in MPI".
 */
#ifndef WORKLOADS_CLOCKS_GLOBAL_CLOCK_H
#define WORKLOADS_CLOCKS_GLOBAL_CLOCK_H

#include <mpi.h>

#include "workloads/clocks/clock.h"
#include "workloads/clocks/clock_line.h"

/* A process's own. */
struct global_clock {
    struct clock_line line;
    double (*now)(void *clock); /* seconds; NULL: the clock of the timed region */
    void *clock;
    double visited_s; /* when the line was last mended; local */
    int is_alone;     /* of a planted clock: nobody shares it */
};

/* Some ranks of the launch, rank 0 first. */
struct clock_tree {
    MPI_Comm group;   /* those that share a clock */
    MPI_Comm leaders; /* of all groups; MPI_COMM_NULL on the others */
    int n_leaders;
};

/* Collective over comm. */
void clock_tree_init(struct clock_tree *tree, const struct global_clock *clock, MPI_Comm comm);
void clock_tree_clear(struct clock_tree *tree);

/* Collective over the tree: learns the clock, in visits over about a fifth of a second; mends it
 * where somebody's last visit is longer ago than a second: 1, else 0. One group alone has nothing
 * to learn. A group's ranks then go by one and the same line. */
void global_clock_learn(struct global_clock *clock, const struct clock_tree *tree);
int global_clock_mend(struct global_clock *clock, const struct clock_tree *tree);

/* What the global clock says now, in seconds. */
double global_clock_now(const struct global_clock *clock);

/* Collective over comm, whose rank 0 is the clock's: each rank in turn asks rank 0 by ping-pong.
 * The largest difference between both ranks' global times, on rank 0; *within: half of the shortest
 * round trip that this is known to. Seconds. */
double global_clock_error(const struct global_clock *clock, MPI_Comm comm, double *within);

#endif
