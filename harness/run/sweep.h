/* SPDX-License-Identifier: BSD-3-Clause */
/* sweep.h - measures what a study lacks: plan, launch, watch, resume.
 *
 * Everything stands below one directory: plan.csv, launches/, samples/, events.jsonl, manifest.json
 * (docs/formats.md), and .lock, which one driver at a time holds. A point that is finished is never
 * measured again; kill the driver at any moment and run it again. Its parts stand in sweep/: tasks
 * (what is left), loop, job and command, end (what became of a job's points), orphan. */
#ifndef HARNESS_RUN_SWEEP_H
#define HARNESS_RUN_SWEEP_H

#include "harness/run/backends/backend.h"
#include "harness/study/store.h"

struct sweep_request {
    const struct cluster *cluster;
    const struct study *study;
    const struct backend *backend;
    const char *why;     /* of the backend */
    const char *dir;     /* of the results */
    const char *build;   /* of the measuring programs */
    const char *command; /* our command line, for the manifest */
    int jobs;            /* launches at once, where the backend allows; 0: one per core */
    int retries;         /* times that a failed or hung point is tried again */
    int quiet, dry_run;

    /* In an allocation: one launch alone, while tasks on other nodes measure others. Plan and
     * manifest are then the business of who submitted. */
    const char *only;      /* name of the launch; NULL: all */
    const char *digest;    /* that it was submitted with; NULL: any */
    const char *job;       /* Slurm's name of the task; NULL: none */
    int job_restarts;      /* how often Slurm had put it back into the queue */
    const char *job_nodes; /* of the allocation, as Slurm writes them; NULL: none */
    int job_cores;         /* allocated; 0: not known */
};

struct sweep_result {
    size_t points;   /* planned, repeats counted */
    size_t finished; /* now */
    size_t measured; /* by this run */
    size_t failed;   /* given up: failed or timed out */
    size_t skipped;  /* that cannot be measured here */
    int interrupted;
    double elapsed_s;
};

/* What a sweep would measure: plan_build, less the libraries that cannot run here, whose points are
 * skipped with the reason. A line for each goes to chatter (NULL: none). None left is an error. */
int sweep_plan(const struct cluster *cluster, const struct study *study,
               const struct backend *backend, const char *build, FILE *chatter, struct plan *plan,
               struct err *err);

/* Runs. 0 when every point is finished or given up, -1 with *err otherwise (interrupted, disk full,
 * another driver, no program). */
int sweep_run(const struct sweep_request *request, struct sweep_result *result, struct err *err);

#endif
