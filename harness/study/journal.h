/* SPDX-License-Identifier: BSD-3-Clause */
/* journal.h - events.jsonl: the events of each launch, one JSON object a line,
 * append-only (docs/formats.md). Reading skips a line truncated by a crash. */
#pragma once

#include "harness/study/plan.h"

struct event {
    char t[32]; /* UTC; filled when writing */
    char launch[LAUNCH_SIZE];
    int attempt;
    char event[16]; /* started, done, failed, timeout, interrupted; Slurm: submitted, cancelled,
                       node_failed, lost, excluded */
    char reason[REASON_SIZE];
    char point[ID_SIZE]; /* the one in flight when it failed or timed out; "" none */
    char digest[16];     /* of what the measurements share (manifest.h) */
    long points;         /* to do, or done at the end */
    double elapsed_s;
    long pid;
    char job[32];    /* Slurm's name of the task, "12_3"; "" without Slurm */
    char mark[24];   /* submitted: the mark of the job (slurm.h); "" none */
    char node[64];   /* node_failed, excluded: which */
    char nodes[256]; /* started: those of the allocation, as Slurm writes them */
    int cores;       /* allocated, at an end; 0: not known */
};

struct journal {
    int fd;
    char path[1024];
};

/* Opens for appending. 0, or -1 with *err. */
int journal_open(struct journal *journal, const char *dir, struct err *err);

/* Sets the time, appends and syncs; completes a truncated last line before it. 0, or -1
 * with *err (disk full). */
int journal_write(struct journal *journal, struct event *event, struct err *err);

/* Closes; fine twice. */
void journal_close(struct journal *journal);

/* Calls each() for every readable event of DIR/events.jsonl, in order; no file is no events. Stops
 * when each() returns non-zero. 0, or -1 with *err: the file cannot be read, what should be a
 * name is none, or a number is one that no launch can have. */
int journal_read(const char *dir, int (*each)(const struct event *event, void *user), void *user,
                 struct err *err);

/* The time now as ISO 8601 in UTC, "2026-11-21T08:00:00Z". Returns buf. */
const char *utc_now(char *buf, size_t size);
