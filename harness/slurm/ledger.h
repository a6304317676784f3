/* SPDX-License-Identifier: BSD-3-Clause */
/* ledger.h - what became of every launch that went to Slurm: the study's files (plan.csv, samples/,
 * events.jsonl) folded with what Slurm says of its tasks.
 *
 * Our files decide what is measured; Slurm only says what is queued, running, or ended without a
 * word of ours. Accounting writes that down, so that events.jsonl tells everything. */
#ifndef HARNESS_SLURM_LEDGER_H
#define HARNESS_SLURM_LEDGER_H

#include "harness/plan.h"
#include "harness/slurm/slurm.h"

enum { NODE_STRIKES = 2 }; /* a node that failed so often is excluded */

struct ledger_launch {
    const struct launch *launch;   /* of the ledger's plan */
    size_t finished, failed, left; /* points; failed: given up */
    int submissions, attempts;     /* how often it was submitted, started */
    int fruitless;                 /* submissions in a row that ended without a finished point */
    char job[JOB_SIZE];            /* the last one submitted; "" never */
    int closed;                    /* that one's end is in events.jsonl */
    struct slurm_task task;        /* what Slurm says of it; state SLURM_GONE without Slurm */
    char reason[REASON_SIZE];      /* of the last mishap */
    double core_s; /* allocated cores x seconds, all attempts, a running one's so far */
};

struct ledger_node {
    char name[NODE_SIZE];
    int strikes; /* attempts that it broke */
};

struct ledger {
    struct plan plan;
    struct ledger_launch *launches; /* by index of the plan's */
    size_t points, finished, failed;
    struct ledger_node *nodes; /* those with a strike */
    size_t n_nodes;
    double core_s;
};

/* Reads DIR. slurm: asked about tasks that are not closed; NULL: files alone. 0, or -1 with *err
 * and nothing to free. */
int ledger_open(const char *dir, const struct slurm *slurm, int retries, struct ledger *ledger,
                struct err *err);

/* 1 when the last submission of a launch is still pending or running. */
int ledger_in_flight(const struct ledger_launch *launch);

/* Writes to events.jsonl what Slurm alone knows: tasks cancelled, out of time, killed with their
 * node, lost. Each once. Adds the number of events to *n when it is not NULL. */
int ledger_account(const char *dir, const struct slurm *slurm, struct ledger *ledger, size_t *n,
                   struct err *err);

/* "h3,h7": the nodes to exclude; "" none. */
void ledger_excluded(const struct ledger *ledger, char *buf, size_t size);

void ledger_free(struct ledger *ledger);

#endif
