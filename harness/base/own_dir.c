/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/own_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/fs.h"

enum { TRIES = 100 };

static const char prefix[] = "collsel.", lock_name[] = "lock";

const char *own_dir_temporary(void)
{
    const char *dir = getenv("TMPDIR");
    return dir && *dir ? dir : "/tmp";
}

/* Opens a directory itself, not what a link points to. -1 with errno, which is EPERM where it is
 * another user's or open to others. */
static int open_own(const char *path, struct stat *st)
{
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -1;
    if (fstat(fd, st) == 0 && st->st_uid == geteuid() && !(st->st_mode & 077))
        return fd;
    close(fd);
    errno = EPERM;
    return -1;
}

/* ---- removing ---- */

/* All but the lock, which holds off those who would join. */
static void empty(const char *path)
{
    char inside[PATH_SIZE];
    struct dirent *e;
    DIR *d = opendir(path);
    while (d && (e = readdir(d)))
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 &&
            strcmp(e->d_name, lock_name) != 0 &&
            fs_path(inside, sizeof inside, NULL, "%s/%s", path, e->d_name) == 0)
            fs_remove_tree(inside, NULL);
    if (d)
        closedir(d);
}

/* The caller has the lock to itself. */
static void remove_dir(const char *path)
{
    char lock[PATH_SIZE];
    empty(path);
    if (fs_path(lock, sizeof lock, NULL, "%s/%s", path, lock_name) == 0 && unlink(lock) == 0)
        rmdir(path);
}

static void remove_if_dead(const char *path)
{
    struct stat st;
    const int fd = open_own(path, &st);
    if (fd < 0)
        return;
    const int lock = openat(fd, lock_name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    close(fd);
    if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0)
        remove_dir(path);
    if (lock >= 0)
        close(lock);
    else if (errno == ENOENT)
        rmdir(path); /* killed before it had a lock: there is nothing in it */
}

void own_dir_clear_away(const char *base)
{
    char path[PATH_SIZE];
    struct dirent *e;
    const size_t n = sizeof prefix - 1;
    DIR *d = opendir(base);
    while (d && (e = readdir(d))) {
        const char *number = e->d_name + n;
        if (strncmp(e->d_name, prefix, n) == 0 && *number &&
            strspn(number, "0123456789") == strlen(number) &&
            fs_path(path, sizeof path, NULL, "%s/%s", base, e->d_name) == 0)
            remove_if_dead(path);
    }
    if (d)
        closedir(d);
}

/* ---- holding ---- */

/* 1: held; 0: it went away meanwhile, or somebody is removing it; -1 with errno. */
static int join(struct own_dir *dir)
{
    struct stat st;
    if (mkdir(dir->path, 0700) < 0 && errno != EEXIST)
        return -1;
    const int fd = open_own(dir->path, &st);
    if (fd < 0)
        return errno == ENOENT ? 0 : -1;
    dir->lock = openat(fd, lock_name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    close(fd);
    if (dir->lock < 0)
        return errno == ENOENT ? 0 : -1;
    if (flock(dir->lock, LOCK_SH) == 0 && fstat(dir->lock, &st) == 0 && st.st_nlink > 0)
        return 1;
    close(dir->lock);
    dir->lock = -1;
    return 0;
}

int own_dir_take(struct own_dir *dir, const char *base, long number, struct err *err)
{
    int joined = 0;
    dir->lock = -1;
    own_dir_clear_away(base);
    if (fs_path(dir->path, sizeof dir->path, err, "%s/%s%ld", base, prefix, number) < 0)
        return -1;
    for (int i = 0; i < TRIES && joined == 0; i++)
        joined = join(dir);
    if (joined > 0)
        return 0;
    if (joined < 0 && (errno == EPERM || errno == ELOOP || errno == ENOTDIR))
        return err_set(err,
                       "'%s' is not a directory of ours that is closed to others (want: remove it)",
                       dir->path);
    dir->path[0] = '\0';
    return 0;
}

void own_dir_drop(struct own_dir *dir)
{
    if (dir->lock < 0)
        return;
    if (flock(dir->lock, LOCK_EX | LOCK_NB) == 0)
        remove_dir(dir->path);
    close(dir->lock);
    *dir = (struct own_dir){ .lock = -1 };
}
