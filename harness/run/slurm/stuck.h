/* SPDX-License-Identifier: BSD-3-Clause */
/* stuck.h - what waits in Slurm's queue and will not move by itself: tasks that are held, and nodes
 * that take no jobs. So it is after a controller that was killed before it had written down the
 * jobs it took: it gives their numbers away again, nodes that still know them refuse the new ones,
 * Slurm drains these nodes and holds the tasks. */
#ifndef HARNESS_RUN_SLURM_STUCK_H
#define HARNESS_RUN_SLURM_STUCK_H

#include <stdio.h>

#include "harness/run/slurm/ledger.h"

struct stuck {
    size_t held, waiting;      /* launches in flight whose task is held; those that do not run */
    char reason[SLURM_REASON]; /* why the first one is held, in Slurm's words */
    char tasks[512];           /* "12_1,12_2", cut to whole ones */
    size_t closed, nodes;      /* nodes of the partition that take no jobs, of so many */
    char closed_nodes[512];    /* "h1,h2", cut to whole ones */
    char why[SLURM_REASON];    /* "drained: ..." of the first */
    char conf[1024];           /* of an emulated cluster: SLURM_CONF; "": the system's */
};

/* Looks among the tasks that a ledger knows to be in flight. Nodes are told only where tasks are
 * held or a launch that waits wants more nodes than take jobs. Slurm that does not answer about
 * nodes leaves them out. */
void stuck_find(const struct slurm *slurm, const struct ledger *ledger, struct stuck *stuck);

/* A line for the tasks and one for the nodes, each with the command that frees them; nothing where
 * nothing is stuck. */
void stuck_print(FILE *out, const struct stuck *stuck);

/* 1 when all that is in flight is held: waiting is no use. */
int stuck_for_good(const struct stuck *stuck, size_t in_flight);

#endif
