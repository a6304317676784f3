/* SPDX-License-Identifier: BSD-3-Clause */
/* same_failure.h - launches that fail for the same reason: the reason is printed once, with
 * a count at the end, and an MPI whose first launches all fail so is given up for this run.
 *
 * Two reasons are the same when they differ in digits alone (process numbers, times). The journal
 * has each of them. */
#pragma once

#include "harness/run/sweep/sweep_state.h"

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

/* Frees what was counted. */
void same_failure_free(struct sweep *s);
