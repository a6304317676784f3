/* SPDX-License-Identifier: BSD-3-Clause */
/* own_dir.h - a directory for what a job would leave behind if it were killed: files of shared
 * memory (/dev/shm), session directories of launchers (/tmp). Nobody but us may enter it. Whoever
 * uses it holds a lock in it, which goes with the process however that ends: a directory whose lock
 * nobody holds is that of a dead job, and is cleared away by the next of ours that passes by.
 *
 * Directories are "<base>/collsel.<number>", the lock is the file "lock" in them; nothing of any
 * other name, of another user, or without that file is touched. */
#ifndef HARNESS_BASE_OWN_DIR_H
#define HARNESS_BASE_OWN_DIR_H

#include "harness/base/err.h"

#define OWN_DIR_SHARED "/dev/shm" /* where MPI libraries make their files of shared memory */

enum { OWN_DIR_PATH = 1024 };

struct own_dir {
    int lock;                /* -1: there is none */
    char path[OWN_DIR_PATH]; /* "": there is none */
};

/* Where files that are only needed for a while go: TMPDIR, else /tmp. */
const char *own_dir_temporary(void);

/* Makes the directory of this number below base, or joins those who hold it. A base that is not
 * there or takes nothing is no error, but gives none. -1 with *err when something of that name is
 * not ours, or open to others. */
int own_dir_take(struct own_dir *dir, const char *base, long number, struct err *err);

/* Lets go; the last one removes the directory with all that is in it. */
void own_dir_drop(struct own_dir *dir);

/* Removes those below base that nobody holds. What cannot be removed stays, without a word. */
void own_dir_clear_away(const char *base);

#endif
