/* SPDX-License-Identifier: BSD-3-Clause */
/* failure_cause.h - which node a launcher says has broken: recognises what srun, Open MPI's daemons
 * and ssh print when a node is lost. Pure; runs nothing.
 *
 * A rank that dies is no fault of its node, and is not recognised. A launcher whose daemons are
 * killed at a time limit or by scancel says the same words: only Slurm tells these apart, so
 * ledger.h takes a strike back when the task turns out to have been cancelled or out of time. */
#ifndef HARNESS_RUN_SLURM_FAILURE_CAUSE_H
#define HARNESS_RUN_SLURM_FAILURE_CAUSE_H

#include "harness/run/slurm/slurm.h"

/* 1 when the line says that a node is lost, and node gets its name as it stands there (of several
 * the first); else 0 and node is "". */
int failure_cause_node(const char *line, char node[NODE_SIZE]);

/* Turns a node's name into the one that Slurm has for it, by the nodes of the allocation
 * ("h[1-3]"): the same, or the same but for a domain. 1, or 0 when it is none of them. */
int failure_cause_match(const char *nodes, char node[NODE_SIZE]);

#endif
