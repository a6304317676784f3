/* SPDX-License-Identifier: BSD-3-Clause */
/* scratch_dir.h - a directory for what a job would leave behind if it were killed: files of shared
 * memory (/dev/shm), session directories of launchers (/tmp). Nobody but us may enter it. Whoever
 * uses it holds a lock in it, which goes with the process however that ends: a directory whose lock
 * nobody holds is that of a dead job, and is cleared away by the next of ours that passes by.
 *
 * Directories are "<base>/collsel.<number>", the lock is the file "lock" in them; nothing of any
 * other name, of another user, or without that file is touched. */
#ifndef HARNESS_BASE_SCRATCH_DIR_H
#define HARNESS_BASE_SCRATCH_DIR_H

#define SCRATCH_DIR_SHARED "/dev/shm" /* where MPI libraries make their files of shared memory */

enum { SCRATCH_DIR_PATH = 1024 };

struct scratch_dir {
    int lock;                    /* -1: there is none */
    char path[SCRATCH_DIR_PATH]; /* "": there is none */
};

/* Where files that are only needed for a while go: TMPDIR, else /tmp. */
const char *scratch_dir_temporary(void);

/* Makes the directory of this number below base, or joins those who hold it. Where something of
 * that name is not ours, open to others, or held by a process that was stopped while it removed it,
 * the same with another number: number + 4194304, and so on; who asks for one number at one time
 * gets one directory. A base that is not there, takes nothing or has no locks gives none. */
void scratch_dir_take(struct scratch_dir *dir, const char *base, long number);

/* Lets go; the last one removes the directory with all that is in it. */
void scratch_dir_drop(struct scratch_dir *dir);

/* Removes those below base that nobody holds. What cannot be removed stays, without a word. */
void scratch_dir_clear_away(const char *base);

#endif
