/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/scratch_dir.h"

#include <dirent.h>
#include "harness/base/base.h"
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* NUMBERS: names that are tried; NEXT: from one to the next, above all process numbers of Linux. */
enum { TRIES = 100, NUMBERS = 100, NEXT = 1 << 22 };

static const char prefix[] = "collsel.", lock_name[] = "lock";

const char *scratch_dir_temporary(void)
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

/* A file or directory in one that is open: the path leads there, whatever becomes of its own. */
static int path_below(int dir, const char *name, char path[PATH_SIZE])
{
    return fs_path(path, PATH_SIZE, NULL, "/proc/self/fd/%d/%s", dir, name);
}

/* The entries of a directory that is open; to be closed. */
static DIR *list(int dir)
{
    const int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    if (fd >= 0 && !d)
        close(fd);
    return d;
}

/* The next one but "." and "..", NULL at the end. */
static const char *next_name(DIR *d)
{
    const struct dirent *e;
    while ((e = readdir(d)) != NULL)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            return e->d_name;
    return NULL;
}

/* All but the lock, which holds off those who would join. */
static void empty(int dir)
{
    char inside[PATH_SIZE];
    const char *name;
    DIR *d = list(dir);
    while (d && (name = next_name(d)) != NULL)
        if (strcmp(name, lock_name) != 0 && path_below(dir, name, inside) == 0)
            fs_remove_tree(inside, NULL);
    if (d)
        closedir(d);
}

/* The caller has the lock to itself, if it is that of this directory. */
static void remove_dir(int dir, int lock, const char *path)
{
    struct stat ours, there;
    if (fstat(lock, &ours) < 0 || fstatat(dir, lock_name, &there, AT_SYMLINK_NOFOLLOW) < 0 ||
        there.st_ino != ours.st_ino || there.st_dev != ours.st_dev)
        return;
    empty(dir);
    if (unlinkat(dir, lock_name, 0) == 0)
        rmdir(path);
}

static void remove_if_dead(const char *path)
{
    struct stat st;
    const int fd = open_own(path, &st);
    if (fd < 0)
        return;
    const int lock = openat(fd, lock_name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (lock < 0 && errno == ENOENT)
        rmdir(path); /* killed before it had a lock: there is nothing in it */
    else if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0)
        remove_dir(fd, lock, path);
    if (lock >= 0)
        close(lock);
    close(fd);
}

void scratch_dir_clear_away(const char *base)
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

enum attempt {
    HELD,
    AGAIN,   /* it went away meanwhile, or somebody is removing it */
    ANOTHER, /* there is something else of that name */
    NONE     /* nothing can be made there, or nothing can be locked */
};

/* A directory that has files and no lock is none of ours: ours have the lock first and last. */
static int has_others(int dir)
{
    int files = 0, lock = 0;
    const char *name;
    DIR *d = list(dir);
    while (d && (name = next_name(d)) != NULL) {
        lock |= strcmp(name, lock_name) == 0;
        files++;
    }
    if (d)
        closedir(d);
    return !d || (files && !lock);
}

static enum attempt take_lock(struct scratch_dir *dir, int fd)
{
    struct stat st;
    if (has_others(fd))
        return ANOTHER;
    dir->lock = openat(fd, lock_name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (dir->lock < 0)
        return errno == ENOENT ? AGAIN : NONE;
    const int locked = flock(dir->lock, LOCK_SH | LOCK_NB) == 0;
    if (locked && fstat(dir->lock, &st) == 0 && st.st_nlink > 0)
        return HELD;
    const enum attempt status = locked || errno == EWOULDBLOCK || errno == EINTR ? AGAIN : NONE;
    close(dir->lock);
    dir->lock = -1;
    return status;
}

static enum attempt join(struct scratch_dir *dir)
{
    struct stat st;
    const int made = mkdir(dir->path, 0700) == 0;
    if (!made && errno != EEXIST)
        return NONE;
    const int fd = open_own(dir->path, &st);
    enum attempt status = fd >= 0           ? take_lock(dir, fd)
                          : errno == ENOENT ? AGAIN
                          : made            ? NONE
                                            : ANOTHER;
    if (made && status == NONE) {
        if (fd >= 0)
            unlinkat(fd, lock_name, 0);
        rmdir(dir->path);
    }
    if (fd >= 0)
        close(fd);
    return status;
}

/* Somebody who removes it holds it for a moment only; one that was stopped meanwhile holds it for
 * longer than we wait. */
static enum attempt join_patiently(struct scratch_dir *dir)
{
    const struct timespec pause = { .tv_nsec = 10000000 };
    for (int i = 0; i < TRIES; i++) {
        const enum attempt status = join(dir);
        if (status != AGAIN)
            return status;
        if (i >= TRIES / 2)
            nanosleep(&pause, NULL);
    }
    return ANOTHER;
}

/* An absolute path: a launcher may start its ranks elsewhere. */
static int name_dir(struct scratch_dir *dir, const char *base, long number)
{
    char here[PATH_SIZE] = "";
    if (*base != '/' && !getcwd(here, sizeof here))
        return -1;
    return fs_path(dir->path, sizeof dir->path, NULL, "%s%s%s/%s%ld", here, *here ? "/" : "", base,
                   prefix, number);
}

void scratch_dir_take(struct scratch_dir *dir, const char *base, long number)
{
    dir->lock = -1;
    scratch_dir_clear_away(base);
    for (int i = 0; i < NUMBERS && name_dir(dir, base, number + i * (long)NEXT) == 0; i++) {
        const enum attempt status = join_patiently(dir);
        if (status == HELD)
            return;
        if (status == NONE)
            break;
    }
    dir->path[0] = '\0';
}

void scratch_dir_drop(struct scratch_dir *dir)
{
    struct stat st;
    if (dir->lock < 0)
        return;
    const int fd = flock(dir->lock, LOCK_EX | LOCK_NB) == 0 ? open_own(dir->path, &st) : -1;
    if (fd >= 0) {
        remove_dir(fd, dir->lock, dir->path);
        close(fd);
    }
    close(dir->lock);
    *dir = (struct scratch_dir){ .lock = -1 };
}
