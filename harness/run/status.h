/* SPDX-License-Identifier: BSD-3-Clause */
/* status.h - progress of a study: its ledger (harness/run/slurm/ledger.h)
 * as one state per launch, for all backends, and its output. */
#pragma once

#include "harness/run/slurm/stuck.h"

enum status_state {
    STATUS_DONE,
    STATUS_RUNNING,
    STATUS_PENDING,     /* in Slurm's queue */
    STATUS_PARTLY,      /* some points are finished, and it is not running */
    STATUS_INTERRUPTED, /* its driver died */
    STATUS_TODO,        /* never begun nor submitted */
    STATUS_FAILED,      /* its last attempt failed; the next submit or sweep retries it */
    STATUS_GIVEN_UP,
    STATUS_ENOUGH, /* of a further round without wanted points */
    STATUS_LATER,  /* of a further round that is not decided yet */
    N_STATUS
};

struct launch_status {
    const struct ledger_launch *at;
    enum status_state state;
    char reason[REASON_SIZE]; /* why it is pending, failed or given up */
};

/* A study and the facts on its Slurm, kept between polls. Start from zeros. */
struct status_source {
    const char *dir;
    const struct cluster *cluster;
    int retries;
    struct slurm slurm;
    int known; /* slurm holds */
};

struct study_status {
    struct ledger ledger;
    struct launch_status *launches; /* by index of the plan's */
    size_t counts[N_STATUS];
    int driver;         /* 1: a driver of this machine is at work */
    double eta_s;       /* NaN: unknown */
    char mute[512];     /* why Slurm could not be queried about tasks that
                          may be in flight; "": it was, or there are none */
    struct stuck stuck; /* what will not move by itself */
};

/* Reads the study's files and asks its Slurm, when there are tasks that it may know. 0, or -1 with
 * *err (no plan there). */
int status_read(struct status_source *source, struct study_status *status, struct err *err);

/* 1 when nothing more will happen by itself: no task in flight, no driver at work. */
int status_at_rest(const struct study_status *status);

/* What is shown: every launch; one line for each array (library and nodes); only what failed. */
enum status_view { STATUS_LAUNCHES, STATUS_ARRAYS, STATUS_FAILURES };

/* Prints the table and the totals, 100 columns at most. */
void status_print(FILE *out, const struct study_status *status, enum status_view view);

/* The same facts as JSON, every launch. 0, or -1 where a text is not UTF-8. */
int status_print_json(FILE *out, const struct study_status *status);

/* Lines that a view takes. */
size_t status_height(const struct study_status *status, enum status_view view);

void status_free(struct study_status *status);
