/* SPDX-License-Identifier: BSD-3-Clause */
/* sweep_state.h - state of a running sweep: plan, remaining points per launch, MPI jobs.
 * Internal to this directory; other modules use sweep.h and sweep_request.h. */
#pragma once

#include "harness/base/scratch_dir.h"
#include "harness/base/subprocess.h"
#include "harness/run/estimate.h"
#include "harness/run/progress.h"
#include "harness/run/provenance_lookup.h"
#include "harness/run/slurm/slurm.h"
#include "harness/study/journal.h"

enum { LINE_SIZE = 1024, MAX_JOBS = 64 };

/* A launch of the plan with its remaining points. */
struct task {
    const struct launch *launch;
    char *todo;    /* by index into plan->points; only those of the launch are used */
    size_t left;   /* points to do */
    size_t wanted; /* points to measure in it: all, except in a further round (rounds.h) */
    int fruitless; /* attempts in a row that finished no point */
    int running;
    double weight;         /* of the points to do, at the start of this run */
    double allowed_core_s; /* of an adaptive plan's budget; INFINITY: there is none */
};

/* One MPI job at work. */
struct job_slot {
    struct task *task; /* NULL: free */
    struct child child;
    int attempt, log;
    double started_s, progress_s; /* monotonic: start, last sign of life */
    double stopped_s;             /* part of the time since then while we were stopped */
    size_t done, total;           /* points, as it reports */
    char line[LINE_SIZE];         /* of its standard error, being read */
    size_t line_len;
    char last[REASON_SIZE];   /* its last line that is not progress */
    char killed[REASON_SIZE]; /* why we killed it; "" we did not */
    char node[NODE_SIZE];     /* broken node reported by the launcher; "" none */
    int hung, interrupted;
    int refused; /* our measuring program reported the cause of its end */
    int begun;   /* it has opened its samples file: the launcher worked */
};

/* A reason of failed attempts. */
struct alike_reason {
    char text[REASON_SIZE];
    size_t again; /* attempts after the first */
};

/* Failures of the launches of an MPI in this run. */
struct alike_mpi {
    const struct launch *launch; /* one of them */
    char reason[REASON_SIZE];    /* of the first that broke */
    int attempts, launches;      /* that broke */
    int differ;                  /* some took samples, or broke for another reason */
    int hopeless;
};

struct failure_group {
    struct alike_reason *reasons;
    struct alike_mpi *mpis;
    size_t n_reasons, n_mpis;
};

struct sweep {
    const struct sweep_request *req;
    struct sweep_result *result;
    struct plan plan;
    struct provenance provenance;
    struct journal journal;
    struct progress progress;
    struct run_record record;
    char example[4096]; /* first command line, for the manifest */
    struct task *tasks;
    size_t n_tasks;
    struct job_slot slots[MAX_JOBS];
    int n_slots, cores;
    int lock, signals;
    struct scratch_dir scratch; /* TMPDIR of launches on this machine */
    char *same;                 /* by point: 1: timed together with another of its launch */
    struct failure_group alike; /* what broke, and how */
    int *failures;              /* by point: failures of its job while it was in flight */
    struct rounds_rule rule;
    struct prior prior;                   /* of an adaptive plan that is made here */
    char outlook[ADAPTIVE_FORECAST_SIZE]; /* forecast of the plan */
    double spent_core_s;                  /* of an adaptive plan: by its points so far */
    int round;             /* the last one decided; those up to rule.repeats are from the start */
    int rounds_last;       /* of the plan */
    int round_at_work;     /* the latest round with a started launch; 0: none yet */
    double round_opened_s; /* monotonic: when its first launch was */
    double weight_done;
    size_t points_done;
    int out_of_time;          /* Slurm's warning: the limit of the task is near */
    char bad_node[NODE_SIZE]; /* the allocation is broken: this node failed; "" none */
    int stop;                 /* start nothing more: interrupted or a fatal error */
    double watched_s;         /* monotonic: when we last watched what runs */
    double looked_s;          /* time of the last check for a release request */
    struct err *err;
};
