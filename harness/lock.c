/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "harness/base/fs.h"

/* Error that names who holds the lock. */
static int held_by(int fd, const char *what, struct err *err)
{
    char holder[32] = "";
    ssize_t n = pread(fd, holder, sizeof holder - 1, 0);
    holder[n > 0 ? n : 0] = '\0';
    holder[strcspn(holder, "\n")] = '\0';
    return err_set(err, "another sweep (process %s) is at work on '%s'", *holder ? holder : "?",
                   what);
}

static int sign(int fd, const char *path, struct err *err)
{
    char holder[32];
    int n = snprintf(holder, sizeof holder, "%ld\n", (long)getpid());
    if (ftruncate(fd, 0) == 0 && pwrite(fd, holder, (size_t)n, 0) == n)
        return 0;
    return err_errno(err, "cannot write '%s'", path);
}

/* what: whose work the lock is, for the message. */
static int take(const char *path, const char *what, struct err *err)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return err_errno(err, "cannot write '%s'", path);
    int status = 0;
    if (flock(fd, LOCK_EX | LOCK_NB) < 0)
        status = errno == EWOULDBLOCK ? held_by(fd, what, err)
                                      : err_errno(err, "cannot lock '%s'", path);
    if (status == 0)
        status = sign(fd, path, err);
    if (status == 0)
        return fd;
    close(fd);
    return -1;
}

int lock_take(const char *dir, struct err *err)
{
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, err, "%s/.lock", dir) < 0)
        return -1;
    return take(path, dir, err);
}

int lock_take_launch(const char *dir, const char *launch, struct err *err)
{
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, err, "%s/launches", dir) < 0 || fs_mkdirs(path, err) < 0 ||
        fs_path(path, sizeof path, err, "%s/launches/%s.lock", dir, launch) < 0)
        return -1;
    return take(path, launch, err);
}

int lock_held(const char *dir)
{
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, NULL, "%s/.lock", dir) < 0)
        return 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    int held = flock(fd, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK;
    close(fd);
    return held;
}
