/* SPDX-License-Identifier: BSD-3-Clause */
/* jobs.h - the launches of a study as sbatch files, and their way into Slurm.
 *
 * Below DIR/jobs/: NAME.sbatch and NAME.tasks for each array (one launch a line, task 1 is the
 * first line), collect.sbatch that depends on them all. Files are read by people and can be given
 * to sbatch by hand. */
#ifndef HARNESS_SLURM_JOBS_H
#define HARNESS_SLURM_JOBS_H

#include "harness/backends/backend.h"
#include "harness/slurm/ledger.h"

struct jobs_request {
    const struct cluster *cluster;
    const struct study *study;
    const char *clusters; /* the directory of cluster files, for the command lines in the scripts */
    const char *results;  /* root of the results */
    const char *dir;      /* of this study's */
    const char *build;
    const char *command; /* our command line, for the manifest */
    const char *why;     /* of the backend */
    int retries;         /* fruitless submissions of a launch that are tried again */
    int throttle;        /* 0: as the cluster file says */
    int no_collect;      /* no dependent job */
    int dry_run, quiet;
};

struct jobs_result {
    size_t arrays, tasks;                 /* submitted now (dry run: that would be) */
    size_t points;                        /* in those tasks */
    size_t finished, given_up, in_flight; /* launches left alone, and why */
    char collect[JOB_SIZE];               /* number of the collecting job, "" none */
    double core_s;                        /* estimate */
};

/* Plans, accounts for what went before, writes the files and submits what is missing. Holds the
 * study's .lock meanwhile. 0, or -1 with *err; what was submitted before an error is in
 * events.jsonl. */
int jobs_submit(const struct jobs_request *request, struct jobs_result *result, struct err *err);

#endif
