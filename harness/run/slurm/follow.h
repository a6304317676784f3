/* SPDX-License-Identifier: BSD-3-Clause */
/* follow.h - a whole sweep through Slurm: submit, watch, submit again what is missing, until all
 * points are finished or given up. What `collsel sweep` does where Slurm runs the launches. */
#ifndef HARNESS_RUN_SLURM_FOLLOW_H
#define HARNESS_RUN_SLURM_FOLLOW_H

#include "harness/run/slurm/jobs.h"

struct follow_result {
    size_t points, finished, failed; /* in the end; failed: given up */
    size_t unusable;                 /* of the finished: without a time that counts */
    char reason[REASON_SIZE];        /* of the first of them */
    size_t measured;                 /* by this run */
    int rounds;                      /* submissions */
    double elapsed_s;
};

/* Seconds between two looks at the queue that no site minds. */
double follow_poll_s(const struct cluster *cluster);

/* Asks Slurm every poll_s seconds, at first each second; that it does not answer is borne for
 * PATIENCE_S (retry_policy.h). What somebody cancels is not submitted again: then the end of the
 * others is the end. An interrupt ends the watching, not the jobs: *err says so. 0 when nothing is
 * left to do, -1 with *err otherwise. */
int follow_run(const struct jobs_request *request, double poll_s, struct follow_result *result,
               struct err *err);

#endif
