/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/ask_program.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workloads/clocks/clock.h"

/* ---- children of the application that have ended or stopped and were not collected ---- */

/* A child that waits to be collected. `code`: its state (CLD_EXITED, CLD_STOPPED, ...). */
struct waitable_child {
    pid_t pid;
    int code;
};

struct waitable {
    struct waitable_child *v;
    size_t n;
};

static int has(const struct waitable *w, pid_t pid, int code)
{
    return any_below(i, w->n, w->v[i].pid == pid && w->v[i].code == code);
}

/* Who is no child of ours is an error, and not added. */
static void add(struct waitable *w, idtype_t type, pid_t pid, int stops)
{
    siginfo_t child = { .si_pid = 0 };
    const int wanted = WEXITED | (stops ? WSTOPPED | WCONTINUED : 0);
    if (waitid(type, (id_t)pid, &child, wanted | WNOHANG | WNOWAIT) < 0 || child.si_pid == 0 ||
        has(w, child.si_pid, child.si_code))
        return;
    *(struct waitable_child *)array_add(&w->v, &w->n) =
        (struct waitable_child){ child.si_pid, child.si_code };
}

/* Collects nothing. The children are looked for in /proc; without it one is known at most. `stops`
 * 1: those that stopped or went on count, too. To be given to waitable_free. */
static struct waitable waitable_now(int stops)
{
    struct waitable w = { .n = 0 };
    add(&w, P_ALL, 0, stops);
    DIR *processes = w.n ? opendir("/proc") : NULL;
    const struct dirent *entry;
    while (processes && (entry = readdir(processes)) != NULL) {
        const long pid = strtol(entry->d_name, NULL, 10);
        if (pid > 0)
            add(&w, P_PID, (pid_t)pid, stops);
    }
    if (processes)
        closedir(processes);
    return w;
}

/* 1 when `now` has a child that `before` lacks. */
static int waitable_more(const struct waitable *before, const struct waitable *now)
{
    return any_below(i, now->n, !has(before, now->v[i].pid, now->v[i].code));
}

static void waitable_free(struct waitable *w)
{
    free(w->v);
    *w = (struct waitable){ .n = 0 };
}

enum { PATIENCE_S = 60, LINGER_S = 10 };

/* Our environment without what is preloaded into ranks. */
static char **environment_for(void)
{
    size_t n = 0, kept = 0;
    while (environ[n])
        n++;
    char **out = memory_zeros(n + 1, sizeof *out);
    for (size_t i = 0; i < n; i++)
        if (strncmp(environ[i], "LD_PRELOAD=", 11) != 0 && strncmp(environ[i], "COLLSEL_", 8) != 0)
            out[kept++] = environ[i];
    return out;
}

/* Its standard output is the pipe's end; an application's own signals are none of its business. */
static int start(const char *const *word, int output, pid_t *pid)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t none, usual;
    char **environment = environment_for();
    sigemptyset(&none);
    sigemptyset(&usual);
    for (int s = 1; s < 32; s++)
        if (s != SIGKILL && s != SIGSTOP)
            sigaddset(&usual, s);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, output, 1);
    posix_spawnattr_init(&how);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setsigdefault(&how, &usual);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    const int rc = posix_spawn(pid, word[0], &files, &how, (char *const *)word, environment);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    free(environment);
    return rc;
}

/* Reads up to the end; -1: that does not come within PATIENCE_S, or it is too much. */
static int read_all(int fd, char *text)
{
    const int64_t until_ns = clock_now() + PATIENCE_S * INT64_C(1000000000);
    size_t n = 0;
    for (;;) {
        struct pollfd ready = { .fd = fd, .events = POLLIN };
        const int64_t left_ms = (until_ns - clock_now()) / 1000000;
        if (left_ms <= 0 || n == ASK_MOST_BYTES)
            return -1;
        if (poll(&ready, 1, (int)left_ms) <= 0)
            continue; /* a signal of the application's, or the time is up */
        const ssize_t got = read(fd, text + n, ASK_MOST_BYTES - n);
        if (got == 0) {
            text[n] = '\0';
            return 0;
        }
        if (got < 0 && errno != EINTR)
            return -1;
        n += got > 0 ? (size_t)got : 0;
    }
}

/* Waits until it has ended, for LINGER_S at most: who has closed its output may still hang. 1:
 * *status is what it ended with, -1 where nobody knows, as the application lets the system collect
 * its children; 0: it is still there. */
static int collect_in_time(pid_t pid, int *status)
{
    const int64_t until_ns = clock_now() + LINGER_S * INT64_C(1000000000);
    struct timespec pause = { .tv_nsec = 50000 };
    for (;;) {
        const pid_t seen = waitpid(pid, status, WNOHANG);
        if (seen == pid)
            return 1;
        if (seen < 0 && errno != EINTR) {
            *status = -1;
            return 1;
        }
        if (clock_now() > until_ns)
            return 0;
        nanosleep(&pause, NULL);
        pause.tv_nsec = pause.tv_nsec < 10000000 ? 2 * pause.tv_nsec : pause.tv_nsec;
    }
}

static void end(pid_t pid)
{
    kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

static int ends_well(const char *text)
{
    static const char end[] = "# end\n";
    const size_t n = strlen(text), last = sizeof end - 1;
    return n >= last && strcmp(text + n - last, end) == 0;
}

/* A whole answer of who does not end then is used: 0, with *err, which says so. */
static int run_question(const char *const *word, char *text, struct err *err)
{
    int ends[2];
    pid_t pid;
    if (pipe2(ends, O_CLOEXEC) < 0)
        return err_errno(err, "pipe");
    const int rc = start(word, ends[1], &pid);
    close(ends[1]);
    if (rc != 0) {
        close(ends[0]);
        errno = rc;
        return err_errno(err, "cannot run '%s'", word[0]);
    }
    const int late = read_all(ends[0], text) < 0;
    close(ends[0]);
    int status = 0;
    const int hangs = !late && !collect_in_time(pid, &status);
    if (late || hangs)
        end(pid);
    if (late)
        return err_set(err,
                       "'%s %s --table' gave no whole answer within %d s, or one of "
                       "more than %d KiB",
                       word[0], word[1], PATIENCE_S, ASK_MOST_BYTES >> 10);
    if (hangs)
        err_set(err, "'%s %s --table' closed its output, and did not end within %d s", word[0],
                word[1], LINGER_S);
    if (hangs)
        return ends_well(text) ? 0 : -1;
    if (status > 0 || !ends_well(text))
        return err_set(err, "'%s %s --table' failed", word[0], word[1]);
    return 0;
}

/* What the application does about ends of its children. */
struct told_children {
    struct sigaction action;
    int has_handler;
    int stops;              /* 1: it is told of stops, too */
    struct waitable before; /* what it has been told of, and did not collect */
};

/* A handler of the application's is not told of our child, whichever thread would run it: it is
 * away while that runs. Where the application ignores its children, or waits for the signal, all
 * stays as it is. */
static struct told_children hide_child(void)
{
    struct told_children t = { .has_handler = 0 };
    struct sigaction none;
    if (sigaction(SIGCHLD, NULL, &t.action) < 0)
        return t;
    t.has_handler = (t.action.sa_flags & SA_SIGINFO) ||
                    (t.action.sa_handler != SIG_DFL && t.action.sa_handler != SIG_IGN);
    none = t.action;
    none.sa_flags &= ~SA_SIGINFO;
    none.sa_handler = SIG_DFL;
    if (t.has_handler && sigaction(SIGCHLD, &none, NULL) < 0)
        t.has_handler = 0;
    t.stops = !(t.action.sa_flags & SA_NOCLDSTOP);
    t.before = waitable_now(t.stops);
    return t;
}

/* Puts the handler back, and takes our child's signal where all threads have blocked it. What came
 * of another child in between is said once more, as long as that was not collected. */
static void show_children(struct told_children *t)
{
    const struct timespec now = { .tv_sec = 0 };
    sigset_t child, pending;
    int taken = 0;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    if (t->has_handler)
        sigaction(SIGCHLD, &t->action, NULL);
    if (sigpending(&pending) == 0 && sigismember(&pending, SIGCHLD))
        taken = sigtimedwait(&child, NULL, &now) == SIGCHLD;
    struct waitable after = waitable_now(t->stops);
    if ((t->has_handler || taken) && waitable_more(&t->before, &after))
        kill(getpid(), SIGCHLD);
    waitable_free(&after);
    waitable_free(&t->before);
}

char *ask_program(const char *const *word, struct err *err)
{
    char *text = memory_zeros(ASK_MOST_BYTES + 1, 1);
    struct told_children told = hide_child();
    const int status = run_question(word, text, err);
    show_children(&told);
    if (status == 0)
        return text;
    free(text);
    return NULL;
}
