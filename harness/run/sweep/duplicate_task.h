/* SPDX-License-Identifier: BSD-3-Clause */
/* duplicate_task.h - two starts of one Slurm task: where the slurmd of a node dies and the task
 * there does not, Slurm starts it anew elsewhere, and both are after one launch. The newer asks
 * through the file of the lock (lock.h), the older ends. */
#ifndef HARNESS_RUN_SWEEP_DUPLICATE_TASK_H
#define HARNESS_RUN_SWEEP_DUPLICATE_TASK_H

#include "harness/run/sweep/sweep_state.h"

/* Takes the lock of our launch (s->lock). One that an orphaned task holds is asked for, and waited
 * for: what that one has finished counts, and the rest is for us. 0, or -1 with *s->err. */
int duplicate_task_take_launch(struct sweep *s);

/* 1 with the reason when a newer start of our task wants our launch; looks twice a second. */
int duplicate_task_is_wanted(struct sweep *s, char reason[REASON_SIZE]);

#endif
