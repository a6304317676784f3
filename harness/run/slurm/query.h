/* SPDX-License-Identifier: BSD-3-Clause */
/* query.h - what Slurm's commands print, parsed; pure, for query.c and its tests.
 *
 * Lines that are no rows (warnings, which come through the same pipe) are passed over. A row of an
 * array's tasks that have not started ("12_[3-7%2]") becomes one task each. */
#pragma once

#include "harness/run/slurm/slurm.h"

/* The formats that the parsers below want. */
#define SQUEUE_FIELDS "%i|%T|%M|%C|%N|%r|%o"
#define SACCT_FIELDS  "JobID,State,Elapsed,AllocCPUS,NodeList,ExitCode"
#define SINFO_FIELDS  "%N|%T|%E"

enum { MOST_TASKS = 1 << 17 }; /* of one answer */

struct task_list {
    struct slurm_task *v;
    size_t n;
};

/* Each adds the tasks of an answer to the list: squeue -h -o SQUEUE_FIELDS, sacct -n -P -o
 * SACCT_FIELDS, scontrol -o show job. 0, or -1 with *err: a row whose numbers cannot be read, too
 * many tasks. What was added before stays. */
int query_squeue(const char *text, struct task_list *list, struct err *err);
int query_sacct(const char *text, struct task_list *list, struct err *err);
int query_scontrol(const char *text, struct task_list *list, struct err *err);

/* sinfo -h -N -o SINFO_FIELDS; a node of several rows comes once. Owned by the caller. */
void query_nodes(const char *text, struct slurm_node **nodes, size_t *n);

/* Long and short names, "CANCELLED by 0", "CANCELLED+". 1, or 0 when it is none. */
int query_state(const char *text, enum slurm_state *state);
