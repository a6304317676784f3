/* SPDX-License-Identifier: BSD-3-Clause */
/* broken_disk.c - to be preloaded by tests: the k-th call that writes below a directory fails, and
 * all after it where the disk is full. All processes of a run count together, in a file that they
 * map. Variables:
 *
 *   BROKEN_UNDER  the directory's path, as /proc tells it
 *   BROKEN_COUNT  the file with the count, 8 bytes
 *   BROKEN_AT     the call that fails, from 1
 *   BROKEN_ERRNO  with what; 28 (no space) stays, any other happens once
 *
 * Calls: open and fopen for writing, mkdir, write, pwrite, fflush, fsync, rename, renameat2,
 * ftruncate.
 *
 *   BROKEN_READ   instead: a path; each open, fopen, opendir and scandir that would read it fails,
 * and counts BROKEN_TELL   instead: a file that gets the paths below BROKEN_UNDER that these read,
 * one a line */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static uint64_t *counter(void)
{
    static uint64_t *at;
    const char *path = getenv("BROKEN_COUNT");
    if (!at && path) {
        const int fd = REAL(open)(path, O_RDWR | O_CLOEXEC);
        void *v = fd < 0 ? MAP_FAILED : mmap(NULL, 8, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        at = v == MAP_FAILED ? NULL : v;
        if (fd >= 0)
            close(fd);
    }
    return at;
}

static int is_under(const char *path)
{
    const char *under = getenv("BROKEN_UNDER");
    const size_t n = under ? strlen(under) : 0;
    return n && strncmp(path, under, n) == 0 && (path[n] == '/' || !path[n]);
}

/* 1 when this call is to fail; errno says why. */
static int fails(const char *path)
{
    uint64_t *n = is_under(path) ? counter() : NULL;
    const char *at = getenv("BROKEN_AT"), *with = getenv("BROKEN_ERRNO");
    if (!n || !at || !with)
        return 0;
    const uint64_t now = __atomic_add_fetch(n, 1, __ATOMIC_SEQ_CST),
                   wanted = strtoull(at, NULL, 10);
    const int error = atoi(with);
    if (now < wanted || (error != ENOSPC && now > wanted))
        return 0;
    errno = error;
    return 1;
}

static int fd_fails(int fd)
{
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t n = readlink(link, path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    return fails(path);
}

static void tell(const char *path)
{
    const char *to = getenv("BROKEN_TELL");
    const int fd = to && is_under(path) ? REAL(open)(to, O_WRONLY | O_APPEND | O_CREAT, 0666) : -1;
    if (fd < 0)
        return;
    dprintf(fd, "%s\n", path);
    close(fd);
}

/* 1 when this call would read the path that cannot be read; errno says why. */
static int is_unreadable(const char *path)
{
    tell(path);
    const char *unreadable = getenv("BROKEN_READ"), *with = getenv("BROKEN_ERRNO");
    uint64_t *n = unreadable && with && strcmp(path, unreadable) == 0 ? counter() : NULL;
    if (!n)
        return 0;
    __atomic_add_fetch(n, 1, __ATOMIC_SEQ_CST);
    errno = atoi(with);
    return 1;
}

DIR *opendir(const char *path)
{
    return is_unreadable(path) ? NULL : REAL(opendir)(path);
}

int scandir(const char *restrict path, struct dirent ***restrict names,
            int (*take)(const struct dirent *),
            int (*order)(const struct dirent **, const struct dirent **))
{
    return is_unreadable(path) ? -1 : REAL(scandir)(path, names, take, order);
}

int open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
    va_end(args);
    const int reads = (flags & O_ACCMODE) == O_RDONLY && !(flags & O_CREAT);
    return (flags & O_CREAT && fails(path)) || (reads && is_unreadable(path))
               ? -1
               : REAL(open)(path, flags, mode);
}

FILE *fopen(const char *path, const char *mode)
{
    const int bad = strpbrk(mode, "wa+") ? fails(path) : is_unreadable(path);
    return bad ? NULL : REAL(fopen)(path, mode);
}

int mkdir(const char *path, mode_t mode)
{
    return fails(path) ? -1 : REAL(mkdir)(path, mode);
}

ssize_t write(int fd, const void *data, size_t n)
{
    return fd > 2 && fd_fails(fd) ? -1 : REAL(write)(fd, data, n);
}

ssize_t pwrite(int fd, const void *data, size_t n, off_t at)
{
    return fd_fails(fd) ? -1 : REAL(pwrite)(fd, data, n, at);
}

int fflush(FILE *file)
{
    return file && file != stdout && file != stderr && fd_fails(fileno(file)) ? EOF
                                                                              : REAL(fflush)(file);
}

int fsync(int fd)
{
    return fd_fails(fd) ? -1 : REAL(fsync)(fd);
}

int rename(const char *from, const char *to)
{
    return fails(to) ? -1 : REAL(rename)(from, to);
}

int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
    return fails(to) ? -1 : REAL(renameat2)(from_dir, from, to_dir, to, flags);
}

int ftruncate(int fd, off_t size)
{
    return fd_fails(fd) ? -1 : REAL(ftruncate)(fd, size);
}
