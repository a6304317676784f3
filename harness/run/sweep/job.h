/* SPDX-License-Identifier: BSD-3-Clause */
/* job.h - one MPI job from its start to its end: files, output, time limits. The results
 * of its points are in loop.c. */
#pragma once

#include "harness/run/sweep/sweep_state.h"

/* 0, or -1 with *err: the disk is too full for another job's files. */
int job_check_disk(const char *dir, struct err *err);

/* Starts the points that are left of a task as its next attempt, in a free slot, and writes
 * "started" into the journal. 0, or -1 with *s->err. */
int job_start(struct sweep *s, struct job_slot *slot, struct task *task);

/* Takes what a job has written to its standard error: "progress DONE TOTAL", or lines for its log,
 * the last of which is the reason should it fail. Closes the pipe at its end. */
void job_read(struct job_slot *slot);

/* The cause of the end reported by our measuring program; NULL: none. */
const char *job_own_words(const struct job_slot *slot);

/* Takes the rest of the output and closes pipe and log, after the job has ended. */
void job_close(struct job_slot *slot);

/* Kills a job without a sample for point_limit, beyond launch_limit, or whose
 * launcher does not end after the last point. A simulated call may take long without
 * output; it does not count as hung, since SimGrid itself ends deadlocks. */
void job_check_limits(struct sweep *s, struct job_slot *slot);

/* Writes what happened to a launch into the journal; the event's other fields are the caller's. 0,
 * or -1 with *s->err. */
int job_tell(struct sweep *s, const struct task *task, const char *what, struct event *event);
