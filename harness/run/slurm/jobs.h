/* SPDX-License-Identifier: BSD-3-Clause */
/* jobs.h - writes the launches of a study as sbatch files and submits them (docs/slurm.md).
 *
 * Below DIR/jobs/: NAME.sbatch and NAME.tasks for each array (one launch a line, task 1 is the
 * first line), collect.sbatch that depends on them all. Files are read by people and can be given
 * to sbatch by hand. Arrays: jobfile.h; text: jobfile.h; time limits: estimate.h. */
#pragma once

#include "harness/run/slurm/stuck.h"
#include "harness/run/sweep_request.h"

enum { NAMES_SIZE = 400 };

struct jobs_result {
    size_t arrays, tasks;                 /* submitted now (dry run, write_only: to be submitted) */
    size_t points;                        /* in those tasks */
    size_t launches;                      /* planned */
    size_t skipped;                       /* points that do not fit, or make no sense */
    char skipped_why[REASON_SIZE];        /* of the first of them */
    size_t finished, given_up, in_flight; /* launches not submitted, by cause; given up: failed
                                             too often, as a whole or its remaining points */
    size_t starved;                       /* not submitted: exclusions leave too few nodes */
    size_t later;                         /* not submitted: of a further round (rounds.h),
                                             undecided until the earlier rounds are finished */
    size_t failed;                        /* points given up */
    struct stuck stuck;                   /* tasks in flight that need help */
    int assumed;                          /* 1: no Slurm answered, allowed only for a dry run and
                                             write_only (slurm_assume) */
    char collect[JOB_SIZE];               /* number of the collecting job, "" none */
    char names[NAMES_SIZE];               /* of launches given up or starved, "..." behind many */
    double core_s;                        /* estimate, of the tasks */
};

/* Plans, accounts for earlier jobs, writes the files and submits missing
 * launches. Holds the study's .lock meanwhile. 0, or -1 with *err; jobs submitted
 * before an error are recorded in events.jsonl and reported with the rest. */
int jobs_submit(const struct sweep_request *request, struct jobs_result *result, struct err *err);
