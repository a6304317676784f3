/* SPDX-License-Identifier: BSD-3-Clause */
/* job_end.h - handles the end of a job: its finished points, and the cause
 * for the others: a point, the launch, or a node of the allocation. */
#pragma once

#include "harness/run/sweep/sweep_state.h"

/* Accounts for a job that has ended, in the task, the result and the journal, and frees its slot.
 * 0, or -1 with *s->err. */
int job_end(struct sweep *s, struct job_slot *slot);
