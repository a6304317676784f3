/* SPDX-License-Identifier: BSD-3-Clause */
/* status.h - how far each launch of a study is, from its files alone. */
#ifndef HARNESS_STATUS_H
#define HARNESS_STATUS_H

#include "harness/plan.h"

struct launch_status {
    const struct launch *launch; /* of the plan below */
    const char *state;           /* done, running, partly, failed, pending, interrupted */
    size_t finished, failed;     /* points */
    int attempts;
    double elapsed_s;         /* of all attempts; of a running one, so far */
    char reason[REASON_SIZE]; /* of the last failure */
};

struct study_status {
    struct plan plan; /* as in plan.csv */
    struct launch_status *launches;
    size_t points, finished, failed;
    int driver;   /* 1: a driver is at work */
    double eta_s; /* NaN: unknown */
};

/* Reads DIR. 0, or -1 with *err (no plan there). */
int status_read(const char *dir, struct study_status *status, struct err *err);

/* Frees what it holds. */
void status_free(struct study_status *status);

#endif
