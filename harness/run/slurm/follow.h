/* SPDX-License-Identifier: BSD-3-Clause */
/* follow.h - a whole sweep through Slurm: submit, watch, submit again what is missing, until all
 * points are finished or given up. What `collsel measure` does where Slurm runs the launches. */
#pragma once

#include "harness/run/slurm/jobs.h"

struct follow_result {
    size_t points, finished, failed; /* in the end; failed: given up */
    size_t unusable;                 /* of the finished: without a time that counts */
    char reason[REASON_SIZE];        /* of the first of them */
    size_t measured;                 /* by this run */
    int rounds;                      /* submissions */
    double elapsed_s;
};

/* A polite interval for polling the queue, in seconds. */
double follow_poll_s(const struct cluster *cluster);

/* Polls Slurm every poll_s seconds, at first each second; tolerates missing answers
 * for RETRY_POLICY_S (failure_cause.h). Cancelled tasks are not submitted again: the run
 * then ends with the other tasks. An interrupt ends the watching, not the jobs;
 * *err states that. 0 when nothing is left to do, -1 with *err otherwise. */
int follow_run(const struct jobs_request *request, double poll_s, struct follow_result *result,
               struct err *err);
