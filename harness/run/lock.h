/* SPDX-License-Identifier: BSD-3-Clause */
/* lock.h - DIR/.lock: one driver at a time (a sweep, a submission, verify) works on a study's
 * results.
 *
 * It is an flock, so it ends with its holder in any case; the file stays. Its
 * first line names the holder: process, host, and in a Slurm task the task and
 * its number of requeues. Further lines are requests of others to release it. */
#pragma once

#include "harness/base/base.h"

enum { LOCK_JOB = 32 };

/* Owner of a lock. */
struct lock_owner {
    char job[LOCK_JOB]; /* Slurm's name of the task; "" without Slurm */
    int restarts;       /* of that task so far */
};

/* Takes the lock of an existing directory of results; waits half a second for a
 * short holder. Returns a descriptor to close when done, or -1 with *err: another
 * process holds it (with process and host), or the file cannot be written. */
int lock_take(const char *dir, struct err *err);

/* The same of a file alone; what: whose work it is, for the message. */
int lock_take_file(const char *path, const char *what, struct err *err);

/* The same, waiting for so many seconds while somebody else holds it. */
int lock_wait(const char *dir, double seconds, struct err *err);

/* Takes DIR/.analysis.lock, held by commands that write analysis files (import, fit, select,
 * report): two at once would read incomplete files of each other. Prints on out the process
 * it waits for, and waits. *lock: a descriptor to close when done, or -1 if DIR does not
 * exist (an error for the caller) or the file system has no locks. 0, or -1 with *err. */
int lock_analysis(const char *dir, FILE *out, int *lock, struct err *err);

/* The same as lock_take for one launch alone, DIR/launches/<launch>.lock: the tasks of a job array
 * measure different launches of one study at a time. */
int lock_take_launch(const char *dir, const char *launch, const struct lock_owner *owner,
                     struct err *err);

/* The task that holds the lock of a launch, from its file. 1; 0: no
 * task is named, or no file; -1 with *err: it cannot be read. */
int lock_launch_owner(const char *dir, const char *launch, struct lock_owner *owner,
                      struct err *err);

/* Requests the release of a launch's lock, in the name of a task. 0, or -1 with *err. */
int lock_ask_launch(const char *dir, const char *launch, const struct lock_owner *owner,
                    struct err *err);

/* For the holder: 1 when another task requested the release; job gets that task. */
int lock_is_wanted(int lock, char job[LOCK_JOB]);

/* 1 when the study's lock is held, 0 when it is free, -1 with *err when its file cannot be read. */
int lock_held(const char *dir, struct err *err);
