/* SPDX-License-Identifier: BSD-3-Clause */
/* failure_cause.h - finds the failed node in output of a launcher: messages of srun,
 * Open MPI's daemons and ssh on a lost node. Pure; runs nothing.
 *
 * A failed rank is not the fault of its node and is not recognised. A launcher whose daemons are
 * killed by a time limit or scancel prints the same messages. Only Slurm can distinguish these
 * cases, so ledger.h removes a strike when the task turns out to be cancelled or timed out. */
#pragma once

#include "harness/run/progress.h"
#include "harness/run/slurm/slurm.h"

/* 1 when the line reports a lost node; node gets its name as
 * written (the first of several). Else 0 and node is "". */
int failure_cause_node(const char *line, char node[NODE_SIZE]);

/* Turns a node's name into the one that Slurm has for it, by the nodes of the allocation
 * ("h[1-3]"): the same, or the same but for a domain. 1, or 0 when it is none of them. */
int failure_cause_match(const char *nodes, char node[NODE_SIZE]);

/* How long a command that follows a study tolerates that Slurm does not answer, or that another
 * collsel holds the study's lock: tasks continue without either. */

struct retry_policy {
    double since_s; /* of the first failure in a row, on the monotonic clock; 0: none */
};

/* Reports a failed poll; its reason is printed once. 0: poll again later;
 * -1: polls have failed for RETRY_POLICY_S, as *err then states. */
enum { RETRY_POLICY_S = 3600 };
int retry_policy_failed(struct retry_policy *patience, struct progress *chatter, struct err *err);

/* Reports a successful poll; prints a message after failures. */
void retry_policy_succeeded(struct retry_policy *patience, struct progress *chatter);
