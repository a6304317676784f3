/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/lock.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "harness/run/progress.h"

enum { TEXT_SIZE = 512, HOST_SIZE = 128 };

static const double moment_s = 0.5; /* that lock_held may take */
static const double ending_s = 3;   /* that what a collsel left that was killed may take */

/* 0, or -1 with errno and no text. */
static int read_text(int fd, char text[TEXT_SIZE])
{
    ssize_t n = pread(fd, text, TEXT_SIZE - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    return n < 0 ? -1 : 0;
}

/* Error that names who holds the lock, since when, and how to end it. */
static int held_by(int fd, const char *what, struct err *err)
{
    char text[TEXT_SIZE], pid[32] = "?", host[HOST_SIZE] = "?", job[LOCK_JOB] = "", since[40] = "";
    struct stat st;
    struct tm tm;
    read_text(fd, text);
    text[strcspn(text, "\n")] = '\0';
    sscanf(text, "%31s %127s %31s", pid, host, job);
    if (*job) /* whose requests are written behind it */
        return err_set(err,
                       "another collsel (process %s on %s, job %s) is at work on '%s' (want: wait "
                       "for it, or: scancel %s)",
                       pid, host, job, what, job);
    if (fstat(fd, &st) == 0)
        strftime(since, sizeof since, " since %Y-%m-%d %H:%M:%S UTC", gmtime_r(&st.st_mtime, &tm));
    return err_set(err,
                   "another collsel (process %s on %s) is at work on '%s'%s (want: wait for it, or "
                   "end it: kill %s, on %s)",
                   pid, host, what, since, pid, host);
}

static int sign(int fd, const struct lock_owner *owner, const char *path, struct err *err)
{
    char host[HOST_SIZE] = "?", text[TEXT_SIZE];
    gethostname(host, sizeof host - 1);
    int n = snprintf(text, sizeof text, "%ld %s", (long)getpid(), host);
    if (owner && *owner->job)
        n += snprintf(text + n, sizeof text - (size_t)n, " %s %d", owner->job, owner->restarts);
    text[n++] = '\n';
    if (ftruncate(fd, 0) == 0 && pwrite(fd, text, (size_t)n, 0) == n)
        return 0;
    return err_errno(err, "cannot write '%s'", path);
}

/* flock, tried again for so many seconds while somebody else has it. 0, or -1 with errno. */
static int try_lock(int fd, double seconds)
{
    const struct timespec pause = { .tv_nsec = 50000000 };
    const double end = now_s() + seconds;
    while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
        if (errno != EWOULDBLOCK || now_s() > end)
            return -1;
        nanosleep(&pause, NULL);
    }
    return 0;
}

/* 1 when who took the lock is dead: what it had started is being ended, and lets go then. */
static int is_dying(int fd)
{
    char text[TEXT_SIZE], host[HOST_SIZE], here[HOST_SIZE] = "?";
    long pid;
    read_text(fd, text);
    gethostname(here, sizeof here - 1);
    return sscanf(text, "%ld %127s", &pid, host) == 2 && strcmp(host, here) == 0 && pid > 0 &&
           kill((pid_t)pid, 0) < 0 && errno == ESRCH;
}

/* what: whose work the lock is, for the message. */
static int take(const char *path, const char *what, const struct lock_owner *owner, double seconds,
                struct err *err)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return err_errno(err, "cannot write '%s'", path);
    int status = 0;
    int locked = try_lock(fd, seconds);
    if (locked < 0 && errno == EWOULDBLOCK && is_dying(fd))
        locked = try_lock(fd, ending_s);
    if (locked < 0)
        status = errno == EWOULDBLOCK ? held_by(fd, what, err)
                                      : err_errno(err,
                                                  "cannot lock '%s' (want results on a file system "
                                                  "with locks; Lustre: mounted with -o flock)",
                                                  path);
    if (status == 0)
        status = sign(fd, owner, path, err);
    if (status == 0)
        return fd;
    close(fd);
    return -1;
}

int lock_take_file(const char *path, const char *what, struct err *err)
{
    return take(path, what, NULL, 0, err);
}

int lock_wait(const char *dir, double seconds, struct err *err)
{
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, err, "%s/.lock", dir) < 0)
        return -1;
    return take(path, dir, NULL, seconds, err);
}

int lock_take(const char *dir, struct err *err)
{
    return lock_wait(dir, moment_s, err);
}

/* Says whom we wait for, then waits. */
static int wait_for(int fd, const char *dir, FILE *out)
{
    char text[TEXT_SIZE], pid[32] = "?", host[HOST_SIZE] = "?";
    read_text(fd, text);
    sscanf(text, "%31s %127s", pid, host);
    fprintf(out, "waiting for process %s on %s, which works on '%s'\n", pid, host, dir);
    while (flock(fd, LOCK_EX) < 0)
        if (errno != EINTR)
            return -1;
    return 0;
}

int lock_analysis(const char *dir, FILE *out, int *lock, struct err *err)
{
    char path[PATH_SIZE];
    *lock = -1;
    if (fs_path(path, sizeof path, err, "%s/.analysis.lock", dir) < 0)
        return -1;
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0)
        return errno == ENOENT ? 0 : err_errno(err, "cannot write '%s'", path);
    int status = flock(fd, LOCK_EX | LOCK_NB);
    if (status < 0 && errno == EWOULDBLOCK)
        status = wait_for(fd, dir, out);
    if (status == 0 && sign(fd, NULL, path, err) < 0) { /* else the file system has no locks */
        close(fd);
        return -1;
    }
    *lock = fd;
    return 0;
}

int lock_held(const char *dir, struct err *err)
{
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, err, "%s/.lock", dir) < 0)
        return -1;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? 0 : err_errno(err, "cannot open '%s'", path);
    int held = flock(fd, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK;
    close(fd);
    return held;
}

static int launch_path(char path[PATH_SIZE], const char *dir, const char *launch, struct err *err)
{
    return fs_path(path, PATH_SIZE, err, "%s/launches/%s.lock", dir, launch);
}

int lock_take_launch(const char *dir, const char *launch, const struct lock_owner *owner,
                     struct err *err)
{
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, err, "%s/launches", dir) < 0 || fs_mkdirs(path, err) < 0 ||
        launch_path(path, dir, launch, err) < 0)
        return -1;
    return take(path, launch, owner, moment_s, err);
}

int lock_launch_owner(const char *dir, const char *launch, struct lock_owner *owner,
                      struct err *err)
{
    char path[PATH_SIZE], text[TEXT_SIZE];
    *owner = (struct lock_owner){ .restarts = 0 };
    if (launch_path(path, dir, launch, err) < 0)
        return -1;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? 0 : err_errno(err, "cannot open '%s'", path);
    const int status = read_text(fd, text) < 0 ? err_errno(err, "cannot read '%s'", path) : 0;
    close(fd);
    text[strcspn(text, "\n")] = '\0';
    return status < 0 ? -1 : sscanf(text, "%*s %*s %31s %d", owner->job, &owner->restarts) == 2;
}

int lock_ask_launch(const char *dir, const char *launch, const struct lock_owner *owner,
                    struct err *err)
{
    char path[PATH_SIZE], line[64];
    if (launch_path(path, dir, launch, err) < 0)
        return -1;
    const int fd = open(path, O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC);
    const int n = snprintf(line, sizeof line, "wanted %s\n", owner->job);
    int status = fd >= 0 && write(fd, line, (size_t)n) == n ? 0 : -1;
    if (fd >= 0 && close(fd) != 0)
        status = -1;
    return status < 0 ? err_errno(err, "cannot write '%s'", path) : 0;
}

int lock_is_wanted(int lock, char job[LOCK_JOB])
{
    char text[TEXT_SIZE];
    read_text(lock, text);
    const char *line = strchr(text, '\n');
    return line && sscanf(line + 1, "wanted %31s", job) == 1;
}
