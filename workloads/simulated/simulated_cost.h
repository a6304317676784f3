/* SPDX-License-Identifier: BSD-3-Clause */
/* simulated_cost.h - costs of local work in a simulation, where only messages take time by
 * themselves.
 *
 * The costs are the cluster file's (copy_cost, reduce_cost): bytes from which on, seconds, seconds
 * per byte. On a real machine local work takes its real time, and nothing is charged. */
#pragma once

#include "harness/base/keys.h"

/* What OP_COPY and OP_REDUCE cost; an empty list: nothing. */
struct charges {
    struct cost_list copy, reduce;
};

/* Seconds for so many bytes: those of the last range that begins at or below them. */
double simulated_cost_seconds(const struct cost_list *costs, uint64_t bytes);

/* Advances simulated time for this rank; does nothing outside of a simulation. */
void simulated_cost_wait(double seconds);

/* Messages of a pair match in the order in which they are sent, as MPI says; but
 * under SMPI those of few bytes match apart from the others. And SMPI from SimGrid 4.0 on charges
 * no cost for a message of no bytes. */

/* Messages of fewer bytes than this match apart; 0: none do. */
int smpi_matching_bytes(void);

/* A message of no bytes is sent as one of so many, in every release of SimGrid; 0: as it is. */
int smpi_matching_empty_bytes(void);
