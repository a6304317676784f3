/* SPDX-License-Identifier: BSD-3-Clause */
/* global_clock.h - one clock for all ranks of a launch, so that calls can begin at the same time
 * without a barrier.
 *
 * The clock is that of rank 0. Processes that read the same clock (same boot of the system, same
 * time namespace) form a group. Its first process, the leader, visits the clock of another leader
 * that already knows the time, in a binomial tree of log2 leaders rounds, and sends its line
 * (clock_line.h) to the group. Drift shows over time: the clock is visited again while the launch
 * runs. After Hunold and Carpen-Amarie (2018), "Hierarchical clock synchronization in MPI". */
#pragma once

#include "workloads/clocks/clock.h"
#include "workloads/clocks/clock_line.h"

/* A process's own. */
struct global_clock {
    struct clock_line line;
    double (*now)(void *clock); /* seconds; NULL: the clock of the timed region */
    void *clock;
    double visited_s; /* time of the last update of the line; local */
    int is_alone;     /* 1: a planted clock that no other process shares */
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

/* Collective over the tree: visit asks for the time now, so that a line goes through what was asked
 * at the begin and the end of a run; learn estimates the clock by visits over about a fifth
 * of a second; mend updates it if some last visit is older than a second: returns 1,
 * else 0. A single group needs none. All ranks of a group use the same line. */
void global_clock_visit(struct global_clock *clock, const struct clock_tree *tree);
void global_clock_learn(struct global_clock *clock, const struct clock_tree *tree);
int global_clock_mend(struct global_clock *clock, const struct clock_tree *tree);

/* The current global time, in seconds. */
double global_clock_now(const struct global_clock *clock);

/* Collective over comm, whose rank 0 has the clock: each rank in turn compares its
 * time with rank 0 by ping-pong. Returns on rank 0 the largest difference of global
 * times; *within: half of the shortest round trip, the uncertainty. Seconds. */
double global_clock_error(const struct global_clock *clock, MPI_Comm comm, double *within);
