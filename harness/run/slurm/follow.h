/* SPDX-License-Identifier: BSD-3-Clause */
/* follow.h - a whole sweep through Slurm: submit, watch, submit again what is missing, until all
 * points are finished or given up. What `collsel measure` does where Slurm runs the launches. */
#pragma once

#include "harness/run/slurm/jobs.h"

/* A polite interval for polling the queue, in seconds. */
double follow_poll_s(const struct cluster *cluster);

/* Polls Slurm every poll_s seconds, at first each second; tolerates missing answers
 * for RETRY_POLICY_S (failure_cause.h). Cancelled tasks are not submitted again: the run
 * then ends with the other tasks. An interrupt ends the watching, not the jobs;
 * *err states that. 0 when nothing is left to do, -1 with *err otherwise. */
int follow_run(const struct sweep_request *request, double poll_s, struct sweep_result *result,
               struct err *err);
