/* SPDX-License-Identifier: BSD-3-Clause */
/* shm.h - shared memory files (/dev/shm) that a launch has left behind: MPI libraries remove theirs
 * at the end, unless they are killed, and a full /dev/shm stops every later launch. */
#ifndef HARNESS_BASE_SHM_H
#define HARNESS_BASE_SHM_H

#include <sys/types.h>
#include <time.h>

enum { SHM_MOST = 256, SHM_PATH = 256 };

struct shm_files {
    size_t n;
    struct {
        char path[SHM_PATH];
        dev_t dev;
        ino_t ino;
    } file[SHM_MOST];
};

/* Finds the files of /dev/shm that are provably a launch's own: mapped by a descendant of a
 * process, owned by our user, and not last written before the launch began. What is beyond SHM_MOST
 * is left alone. */
void shm_find(struct shm_files *files, pid_t ancestor, time_t since);

/* Removes those that are still there, the same, and that no other process maps. */
void shm_remove(const struct shm_files *files);

#endif
