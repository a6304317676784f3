/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.h - progress of long work: a bar with an ETA on a terminal,
 * plain lines otherwise, nothing when quiet. Work is counted in
 * weights; the ETA follows from the weight done so far in this run. */
#pragma once

#include "harness/base/base.h"

struct progress {
    FILE *out;
    int quiet, terminal;
    double started_s, shown_s; /* on the monotonic clock */
    double weight;             /* total weight of this run */
    size_t points;             /* total points */
    size_t failed;             /* of these: given up so far, which is work done and no point */
    double expected_s; /* forecast of the whole run, for the ETA before 1 % is done; 0: none */
    int shown_pct;     /* of the last plain line */
    int drawn;         /* a bar stands on the line */
};

/* Seconds on the monotonic clock. */
double now_s(void);

/* Begins a line of progress on out: weight is the sum of the weights of the work to come, points
 * how many points that is. quiet prints nothing. */
void progress_start(struct progress *p, FILE *out, int quiet, double weight, size_t points);

/* Shows done of the weight, and points finished; often called, rarely drawn. running: jobs at
 * work. */
void progress_show(struct progress *p, double done, size_t points, int running);

/* Prints a message line without damaging the bar. */
void progress_say(struct progress *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Clears the bar. */
void progress_end(struct progress *p);

/* From here until it is called with 0 stderr is told that the process is at work, for how long:
 * every two seconds on a terminal, every ten elsewhere. For work that counts no points. */
void progress_at_work(int begins);
