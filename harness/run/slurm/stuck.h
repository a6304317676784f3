/* SPDX-License-Identifier: BSD-3-Clause */
/* stuck.h - finds tasks in Slurm's queue that will never start by themselves: held
 * tasks, and nodes that accept no jobs. This happens when a controller is killed before
 * it has recorded the jobs it accepted. It then reuses their numbers, nodes that know
 * the old jobs refuse the new ones, and Slurm drains these nodes and holds the tasks. */
#pragma once

#include "harness/run/slurm/ledger.h"

struct stuck {
    size_t held, waiting;      /* launches in flight whose task is held; those that do not run */
    char reason[SLURM_REASON]; /* why the first one is held, in Slurm's words */
    char tasks[512];           /* "12_1,12_2", cut to whole ones */
    size_t closed, nodes;      /* nodes of the partition that accept no jobs; all nodes */
    char closed_nodes[512];    /* "h1,h2", cut to whole ones */
    char why[SLURM_REASON];    /* "drained: ..." of the first */
    char conf[1024];           /* of an emulated cluster: SLURM_CONF; "": the system's */
};

/* Checks the tasks in flight of a ledger. Reports nodes only if tasks are held or a waiting launch
 * needs more nodes than accept jobs. Omits nodes if Slurm does not answer about them. */
void stuck_find(const struct slurm *slurm, const struct ledger *ledger, struct stuck *stuck);

/* A line for the tasks and one for the nodes, each with the command that frees them; nothing where
 * nothing is stuck. */
void stuck_print(FILE *out, const struct stuck *stuck);

/* 1 when all tasks in flight are held, so waiting is useless. */
int stuck_for_good(const struct stuck *stuck, size_t in_flight);
