/* SPDX-License-Identifier: BSD-3-Clause */
/* lock.h - DIR/.lock: one driver at a time (a sweep, a submission, verify) works on a study's
 * results.
 *
 * An flock, so it ends with its holder however that dies; the file stays. Its first line says who
 * holds it: process, host, and in a Slurm task the task and how often Slurm had put it back into
 * the queue. Lines behind it are from those who ask the holder to let go. */
#ifndef HARNESS_RUN_LOCK_H
#define HARNESS_RUN_LOCK_H

#include <stdio.h>

#include "harness/base/err.h"

enum { LOCK_JOB = 32 };

/* Who holds a lock, or takes one. */
struct lock_owner {
    char job[LOCK_JOB]; /* Slurm's name of the task; "" without Slurm */
    int restarts;       /* of that task so far */
};

/* Takes the lock of a directory of results, which exists; waits half a second for one who only
 * looks. Returns a descriptor to close when done, or -1 with *err: somebody else holds it (named by
 * process and host), or the file cannot be written. */
int lock_take(const char *dir, struct err *err);

/* The same, waiting for so many seconds while somebody else holds it. */
int lock_wait(const char *dir, double seconds, struct err *err);

/* Takes DIR/.analysis.lock, of who writes what follows from the measurements (import, fit, select,
 * report): two at once would read each other's half of the files. Says on out whom it waits for,
 * and waits. *lock: a descriptor to close when done, or -1 where DIR does not exist, of which the
 * caller complains. Where the file system has no locks, there is none. 0, or -1 with *err. */
int lock_analysis(const char *dir, FILE *out, int *lock, struct err *err);

/* The same as lock_take for one launch alone, DIR/launches/<launch>.lock: the tasks of a job array
 * measure different launches of one study at a time. */
int lock_take_launch(const char *dir, const char *launch, const struct lock_owner *owner,
                     struct err *err);

/* Which task holds the lock of a launch, by its file. 1, or 0: it names none, or is not there, or
 * -1 with *err: it cannot be read. */
int lock_launch_owner(const char *dir, const char *launch, struct lock_owner *owner,
                      struct err *err);

/* Asks the holder of a launch's lock to let go, in the name of a task. 0, or -1 with *err. */
int lock_ask_launch(const char *dir, const char *launch, const struct lock_owner *owner,
                    struct err *err);

/* 1 when somebody asked the holder, who calls this, to let go; job gets the task that did. */
int lock_is_wanted(int lock, char job[LOCK_JOB]);

/* 1 when somebody holds the study's, 0 when nobody does, -1 with *err when its file cannot be read.
 */
int lock_held(const char *dir, struct err *err);

#endif
