/* SPDX-License-Identifier: BSD-3-Clause */
/* retry_policy.h - how long a command that follows a study tolerates that Slurm does not
 * answer, or that another collsel holds the study's lock: tasks continue without either. */
#ifndef HARNESS_RUN_SLURM_RETRY_POLICY_H
#define HARNESS_RUN_SLURM_RETRY_POLICY_H

#include "harness/base/err.h"
#include "harness/run/progress.h"

struct retry_policy {
    double since_s; /* of the first failure in a row, on the monotonic clock; 0: none */
};

/* Reports a failed poll; its reason is printed once. 0: poll again later;
 * -1: polls have failed for RETRY_POLICY_S, as *err then states. */
enum { RETRY_POLICY_S = 3600 };
int retry_policy_failed(struct retry_policy *patience, struct progress *chatter, struct err *err);

/* Reports a successful poll; prints a message after failures. */
void retry_policy_succeeded(struct retry_policy *patience, struct progress *chatter);

#endif
