/* SPDX-License-Identifier: BSD-3-Clause */
/* ledger.h - the state of every launch: from the study's files (plan.csv, samples/, events.jsonl),
 * merged with Slurm's view of its tasks, if any.
 *
 * Our files decide what is measured; Slurm only tells what is queued, running, or ended without an
 * event of ours. Accounting records such ends, so that events.jsonl is complete. Slurm is queried
 * before the files are read, so a task that has ended for Slurm has written all its data. */
#pragma once

#include "harness/study/plan.h"
#include "harness/run/slurm/slurm.h"

enum { NODE_STRIKES = 2 }; /* a node with this many failures is excluded */

/* One start of a launch. */
struct ledger_attempt {
    size_t task; /* of the ledger's tasks */
    int attempt;
    char nodes[256];  /* of its allocation */
    double started_s; /* since 1970 */
    double ended_s;   /* 0: no end is known */
    char end[16];     /* its first end in events.jsonl; "" none */
    int blamed;       /* a node_failed event is there */
    int finished;     /* points */
    double elapsed_s; /* from the first end event with a time; 0: none */
    double points_s;  /* time of its finished points by its clock; 0 in a simulation */
};

/* One submission of a launch, or a task submitted by
 * hand; job "" stands for all runs without Slurm. */
struct ledger_task {
    size_t launch;
    char job[JOB_SIZE];
    char last[16];          /* its last event */
    char mark[MARK_SIZE];   /* mark shown by Slurm at its submission; "" none */
    int foreign;            /* 1: Slurm has reused its number for another job */
    int closed;             /* its end is in events.jsonl and nothing can follow */
    int counted;            /* 1: its events are of this digest */
    int submitted;          /* 1: its submission is in events.jsonl */
    int attempts, finished; /* started; points that these finished */
    size_t begun_before;    /* attempts of the study that had begun when it was submitted, */
    size_t begun_by_end;    /* and by its last end */
    double elapsed_s;       /* of the attempts that have ended */
    struct slurm_task said; /* Slurm's view; state SLURM_GONE if not queried */
    int asked;              /* 1: Slurm was queried and answered */
};

struct ledger_launch {
    const struct launch *launch;   /* of the ledger's plan */
    size_t wanted, later;          /* points: to be measured; not yet
                                      decided (harness/study/rounds.h) */
    size_t finished, failed, left; /* of those wanted; failed: given up */
    size_t broken;                 /* of those not finished: failed or hung, given up or not */
    size_t unusable;               /* of those finished: without a time that counts */
    int submissions, attempts;     /* how often it was submitted, started */
    int fruitless;            /* consecutive submissions without a finished point; cancelled ones,
                                 or ones lost in the queue while others began, do not count */
    char job[JOB_SIZE];       /* the last one submitted; "" never */
    char last[16];            /* its last event, "" none */
    int closed;               /* that one's end is in events.jsonl */
    struct slurm_task task;   /* Slurm's view; state SLURM_GONE without Slurm */
    int asked;                /* 1: Slurm was queried about it */
    int foreign;              /* 1: its number was reused for another job */
    char nodes[256];          /* of the last attempt, "" not known */
    char reason[REASON_SIZE]; /* of the last mishap */
    char unusable_reason[REASON_SIZE]; /* of the first unusable point */
    double elapsed_s;                  /* all attempts, the running one so far; for one killed
                                          with its driver, the time of its finished points */
    double core_s;  /* cores x seconds of these: allocated ones; else one for each rank, in
                       a simulation one for all */
    size_t unended; /* attempts that are not at work, and whose time nobody knows: of these only
                       finished points count in both sums */
};

struct ledger_node {
    char name[NODE_SIZE];
    int strikes; /* attempts that failed because of it */
};

struct ledger {
    struct plan plan;
    struct ledger_launch *launches;    /* by index of the plan's */
    size_t points, finished, failed;   /* points: wanted */
    size_t unusable;                   /* of the finished: without a time that counts */
    char unusable_reason[REASON_SIZE]; /* of the first of them */
    struct ledger_node *nodes;         /* those with a strike */
    size_t n_nodes;
    struct ledger_task *tasks; /* in the order of their first event */
    size_t n_tasks;
    struct ledger_attempt *attempts; /* in the order of starting */
    size_t n_attempts;
    double core_s;
    char digest[16];        /* of manifest.json; "" there is none */
    char backend[KEY_WORD]; /* as manifest.json calls it; "" there is none */
    int retries;
};

/* Reads DIR. slurm: queried about open tasks; NULL: files only. retries: limit
 * of retries after failed submissions of a launch and after failures of a point;
 * beyond it they are given up. 0, or -1 with *err and nothing to free. */
int ledger_open(const char *dir, const struct slurm *slurm, int retries, struct ledger *ledger,
                struct err *err);

/* 1 when the last submission of a launch is still pending or
 * running; without Slurm, when the files have no end of it. */
int ledger_in_flight(const struct ledger_launch *launch);

/* Adds to a launch what its last attempt, which is at work, has cost so far. */
void ledger_add_running(const struct ledger *ledger, struct ledger_launch *launch);

/* Records in events.jsonl what only Slurm knows: tasks cancelled, out of time,
 * killed with their node, requeued, lost. Each once; hold the study's lock. Adds
 * the number of events to *n if not NULL, and reads the ledger again if there were
 * any: pointers into it become invalid. 0, or -1 with *err and the ledger freed. */
int ledger_account(const char *dir, const struct slurm *slurm, struct ledger *ledger, size_t *n,
                   struct err *err);

/* "h3,h7": the nodes to exclude; "" none. */
void ledger_excluded(const struct ledger *ledger, char *buf, size_t size);

/* Frees what it holds; fine twice. */
void ledger_free(struct ledger *ledger);
