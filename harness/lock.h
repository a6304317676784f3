/* SPDX-License-Identifier: BSD-3-Clause */
/* lock.h - DIR/.lock: one driver at a time (a sweep, a submission) works on a study's results.
 *
 * An flock, so it ends with its holder however that dies; the file holds the holder's process id,
 * for people, and stays. */
#ifndef HARNESS_LOCK_H
#define HARNESS_LOCK_H

#include "harness/base/err.h"

/* Takes the lock of a directory of results, which exists. Returns a descriptor to close when done,
 * or -1 with *err: somebody else holds it (named by process id), or the file cannot be written. */
int lock_take(const char *dir, struct err *err);

/* The same for one launch alone, DIR/launches/<launch>.lock: the tasks of a job array measure
 * different launches of one study at a time. */
int lock_take_launch(const char *dir, const char *launch, struct err *err);

/* 1 when somebody holds the study's. */
int lock_held(const char *dir);

#endif
