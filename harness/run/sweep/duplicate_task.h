/* SPDX-License-Identifier: BSD-3-Clause */
/* duplicate_task.h - two starts of one Slurm task: when the slurmd of a node dies but
 * the task does not, Slurm starts the task again elsewhere, and both want one launch.
 * The newer start sends a request through the lock file (lock.h), the older one ends. */
#pragma once

#include "harness/run/sweep/sweep_state.h"

/* Takes the lock of our launch (s->lock). If an orphaned task holds it, requests the release
 * and waits; points finished by that task count, the rest is ours. 0, or -1 with *s->err. */
int duplicate_task_take_launch(struct sweep *s);

/* 1 with the reason when a newer start of our task wants our launch; looks twice a second. */
int duplicate_task_is_wanted(struct sweep *s, char reason[REASON_SIZE]);
