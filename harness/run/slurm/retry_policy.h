/* SPDX-License-Identifier: BSD-3-Clause */
/* retry_policy.h - how long who watches a study bears it that Slurm does not answer, or that
 * another collsel holds the study's lock: tasks go on without either. */
#ifndef HARNESS_RUN_SLURM_RETRY_POLICY_H
#define HARNESS_RUN_SLURM_RETRY_POLICY_H

#include "harness/base/err.h"
#include "harness/run/progress.h"

struct retry_policy {
    double since_s; /* of the first failure in a row, on the monotonic clock; 0: none */
};

/* A look failed, for a reason that is said once. 0: look again in a while; -1: it has failed for
 * RETRY_POLICY_S, *err says that, too. */
enum { RETRY_POLICY_S = 3600 };
int retry_policy_bear(struct retry_policy *patience, struct progress *chatter, struct err *err);

/* A look succeeded; said when one had failed before. */
void retry_policy_rest(struct retry_policy *patience, struct progress *chatter);

#endif
