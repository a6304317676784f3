/* SPDX-License-Identifier: BSD-3-Clause */
/* tasks.h - remaining work of each launch of a plan, by the existing samples. */
#pragma once

#include "harness/run/sweep/sweep_state.h"
#include "harness/study/store.h"

/* Fills s->tasks, s->failures and the counts of s->result from the store; the largest tasks first
 * where several run at once. 0, or -1 with *s->err. */
int tasks_make(struct sweep *s);

/* When nothing is left: starts the next round with points of too low precision (rounds.h).
 * 1, 0 when there is none, -1 with *s->err. */
int tasks_next_round(struct sweep *s);

/* Points that are left, and the weight of all that were to do in this run. */
size_t tasks_left(const struct sweep *s, double *weight);

/* Weight of a point in the progress: simulated messages, 1 on a real machine. */
double tasks_point_weight(const struct sweep *s, size_t point);

/* Removes a finished or given-up point from its task's list. */
void tasks_strike(struct sweep *s, struct task *task, size_t point);

/* Counts a finished point in s->result. */
void tasks_finish(struct sweep *s, const struct outcome *outcome);

/* Core-seconds that a launch of an adaptive plan may still take of the budget; 0: nothing is left.
 * INFINITY: there is no budget. */
double tasks_allowed(const struct sweep *s, const struct task *task);

/* Counts what an outcome of a point cost. */
void tasks_spend(struct sweep *s, const struct store *store, size_t point,
                 const struct outcome *outcome);

/* Frees what tasks_make allocated. */
void tasks_free(struct sweep *s);
