/* SPDX-License-Identifier: BSD-3-Clause */
/* tasks.h - remaining work of each launch of a plan, by the existing samples. */
#pragma once

#include "harness/run/sweep/sweep_state.h"

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

/* Launches that fail for the same reason: the reason is printed once, with
 * a count at the end, and an MPI whose first launches all fail so is given up for this run.
 *
 * Two reasons are the same when they differ in digits alone (process numbers, times). The journal
 * has each of them. */

/* Counts a launch that broke. Returns 1 when its reason is new and is to be printed. */
int same_failure_is_new(struct sweep *s, const char *reason);

/* A launch brought results: its MPI works. */
void same_failure_works(struct sweep *s, const struct launch *launch);

/* Counts a failed launch, after its attempt was counted in its task. Returns 1 when its MPI is to
 * be given up: no samples with it in this run, all launches failed for the same reason, and there
 * are three launches, or three attempts that our own measuring program refused. */
int same_failure_gives_up(struct sweep *s, const struct job_slot *slot, const char *reason);

/* 1: the launches of this MPI were given up. */
int same_failure_gave_up(const struct sweep *s, const char *mpi);

/* Prints the number of repetitions of each reason. */
void same_failure_tell(struct sweep *s);

/* Two starts of one Slurm task: when the slurmd of a node dies but
 * the task does not, Slurm starts the task again elsewhere, and both want one launch.
 * The newer start sends a request through the lock file (lock.h), the older one ends. */

/* Takes the lock of our launch (s->lock). If an orphaned task holds it, requests the release
 * and waits; points finished by that task count, the rest is ours. 0, or -1 with *s->err. */
int duplicate_task_take_launch(struct sweep *s);

/* 1 with the reason when a newer start of our task wants our launch; looks twice a second. */
int duplicate_task_is_wanted(struct sweep *s, char reason[REASON_SIZE]);
