/* SPDX-License-Identifier: BSD-3-Clause */
/* sweep_request.h - how a study is measured, here or through Slurm (slurm/jobs.h), and what came of
 * it. Borrows everything. */
#pragma once

#include "harness/run/backends/backend.h"
#include "harness/study/prior.h"

struct sweep_request {
    const struct cluster *cluster;
    const struct study *study;
    const struct backend *backend;
    const char *why;     /* of the backend */
    const char *dir;     /* of the results */
    const char *build;   /* of the measuring programs */
    const char *command; /* our command line, for the manifest */
    const char *release; /* of a kit's libraries, "unknown"; NULL: the local ones are looked at */
    int jobs;            /* launches at once, where the backend allows; 0: one per core */
    int retries;         /* times that a failed or hung point is tried again */
    int quiet, dry_run;

    struct plan_part part; /* subset of the study's points */
    prior_function
        *prior_compute; /* makes the prior of an adaptive plan; unused for a single launch */

    int anew; /* 1: restart if the environment differs from the measured one */

    /* In an allocation: a single launch, while tasks on other nodes
     * measure others. The submission wrote plan and manifest. */
    const char *only;      /* name of the launch; NULL: all */
    const char *digest;    /* that it was submitted with; NULL: any */
    const char *job;       /* Slurm's name of the task; NULL: none */
    int job_restarts;      /* number of requeues by Slurm */
    const char *job_nodes; /* of the allocation, as Slurm writes them; NULL: none */
    int job_cores;         /* allocated; 0: not known */

    /* Through Slurm's job arrays. */
    const char *clusters, *results; /* directories, for the command lines in the scripts */
    int throttle;                   /* tasks of an array at a time; 0: as the cluster file says */
    int no_collect;                 /* no dependent job */
    int write_only;          /* write the files, submit nothing; like a dry run needs no Slurm */
    int verbose;             /* a dry run prints the scripts as well */
    const struct argv *task; /* what a task runs instead of `collsel task`: the verb, then its own
                                options; the launch is named behind. NULL: that */
    int times;               /* a task measures a launch so many times; 0: once */
    FILE *out;               /* of what a dry run prints; NULL: stdout */
};

struct sweep_result {
    size_t points;                  /* planned, repeats counted */
    size_t finished;                /* now */
    size_t unusable;                /* of these: without a time that counts */
    char reason[REASON_SIZE];       /* of the first of them */
    size_t measured;                /* by this run */
    size_t failed;                  /* given up: failed or timed out */
    size_t skipped;                 /* that cannot be measured here */
    char stopped[REASON_SIZE + 32]; /* an MPI whose launches all failed alike, and why; "" none */
    int interrupted;
    double elapsed_s;
};
