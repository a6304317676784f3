/* SPDX-License-Identifier: BSD-3-Clause */
/* scratch_dir.h - a directory for files that a killed job would leave behind: shared
 * memory (/dev/shm), session directories of launchers (/tmp). Only we may enter it.
 * Every user of it holds a lock in it, which the system releases when the process ends.
 * A directory without a lock holder belongs to a dead job, and the next job removes it.
 *
 * Directories are "<base>/collsel.<number>", the lock is the file "lock" in them; nothing of any
 * other name, of another user, or without that file is touched. */
#pragma once

#define SCRATCH_DIR_SHARED "/dev/shm" /* where MPI libraries make their files of shared memory */

enum { SCRATCH_DIR_PATH = 1024 };

struct scratch_dir {
    int lock;                    /* -1: there is none */
    char path[SCRATCH_DIR_PATH]; /* "": there is none */
};

/* Where files that are only needed for a while go: TMPDIR, else /tmp. */
const char *scratch_dir_temporary(void);

/* Creates the directory of this number below base, or joins its users. If that name is
 * not ours, open to others, or held by a process that stopped while removing it, tries
 * number + 4194304, and so on; requests with the same number at the same time get the
 * same directory. A base that is missing, read-only or without locks gives none. */
void scratch_dir_take(struct scratch_dir *dir, const char *base, long number);

/* Releases the lock; the last user removes the directory and its contents. */
void scratch_dir_drop(struct scratch_dir *dir);

/* Removes unused directories below base. Silently keeps those that cannot be removed. */
void scratch_dir_clear_away(const char *base);
