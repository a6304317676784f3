/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/subprocess.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/scratch_dir.h"

/* Shared memory files (/dev/shm) that a launch has left behind: MPI libraries remove theirs at the
 * end, unless they are killed, and a full /dev/shm stops every later launch. */

enum { SHM_MOST = 256, SHM_PATH = 256 };

struct shm_files {
    size_t n;
    struct {
        char path[SHM_PATH];
        dev_t dev;
        ino_t ino;
    } file[SHM_MOST];
};

static const char prefix[] = "/dev/shm/";

/* Calls each() for every path below /dev/shm that a process maps. */
static void each_mapped(pid_t pid, void (*each)(const char *path, void *user), void *user)
{
    char name[64], *line = NULL;
    size_t cap = 0;
    snprintf(name, sizeof name, "/proc/%d/maps", (int)pid);
    FILE *f = fopen(name, "re");
    while (f && getline(&line, &cap, f) > 0) {
        char *path = strchr(line, '/');
        if (!path || strncmp(path, prefix, sizeof prefix - 1) != 0)
            continue;
        path[strcspn(path, "\n")] = '\0';
        each(path, user);
    }
    free(line);
    if (f)
        fclose(f);
}

struct search {
    struct shm_files *files;
    time_t since;
};

static int is_known(const struct shm_files *files, const struct stat *st)
{
    return any_below(i, files->n,
                     files->file[i].dev == st->st_dev && files->file[i].ino == st->st_ino);
}

static void keep_segment(const char *path, void *user)
{
    struct search *search = user;
    struct shm_files *files = search->files;
    struct stat st;
    if (files->n == SHM_MOST || strlen(path) >= SHM_PATH || lstat(path, &st) < 0 ||
        !S_ISREG(st.st_mode) || st.st_uid != getuid() || is_known(files, &st) ||
        st.st_mtime < search->since)
        return;
    snprintf(files->file[files->n].path, SHM_PATH, "%s", path);
    files->file[files->n].dev = st.st_dev;
    files->file[files->n++].ino = st.st_ino;
}

static void search_children(pid_t pid, struct search *search)
{
    char path[64];
    long child;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    FILE *f = fopen(path, "re");
    while (f && fscanf(f, "%ld", &child) == 1) {
        each_mapped((pid_t)child, keep_segment, search);
        search_children((pid_t)child, search);
    }
    if (f)
        fclose(f);
}

/* Finds the files of /dev/shm that are provably a launch's own: mapped by a descendant of a
 * process, owned by our user, and not last written before the launch began. What is beyond SHM_MOST
 * is left alone. */
static void shm_find(struct shm_files *files, pid_t ancestor, time_t since)
{
    struct search search = { files, since };
    files->n = 0;
    search_children(ancestor, &search);
}

struct use {
    const char *path;
    int used;
};

static void compare(const char *path, void *user)
{
    struct use *use = user;
    use->used |= strcmp(path, use->path) == 0;
}

static int is_used(const char *path)
{
    struct use use = { path, 0 };
    struct dirent *e;
    DIR *d = opendir("/proc");
    if (!d)
        return 1;
    while (!use.used && (e = readdir(d))) {
        const long pid = strtol(e->d_name, NULL, 10);
        if (pid > 0)
            each_mapped((pid_t)pid, compare, &use);
    }
    closedir(d);
    return use.used;
}

/* Removes those that are still there, the same, and that no other process maps. */
static void shm_remove(const struct shm_files *files)
{
    for (size_t i = 0; i < files->n; i++) {
        const char *path = files->file[i].path;
        struct stat st;
        if (lstat(path, &st) == 0 && st.st_dev == files->file[i].dev &&
            st.st_ino == files->file[i].ino && !is_used(path))
            unlink(path);
    }
}

/* GRACE_ROUNDS: of 2 ms, for a launcher to end by itself. */
enum { NOT_FOUND = 127, LONGEST_TREE = 4096, ROUNDS = 2000, GRACE_ROUNDS = 1000 };

static const char keeper_name[] = "collsel-keeper"; /* at most 15 letters */

/* ---- the keeper: everything here runs in the forked process ---- */

/* Appends the direct children of a process to list; returns the new length. */
static size_t add_children(pid_t pid, pid_t *list, size_t n)
{
    char path[64];
    long child;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    FILE *f = fopen(path, "re");
    while (f && n < LONGEST_TREE && fscanf(f, "%ld", &child) == 1)
        list[n++] = (pid_t)child;
    if (f)
        fclose(f);
    return n;
}

static void pause_shortly(void)
{
    const struct timespec pause = { .tv_nsec = 2000000 };
    nanosleep(&pause, NULL);
}

/* Kills the first n processes of a list with all their descendants. */
static void kill_all(pid_t *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        n = add_children(list[i], list, n);
    for (size_t i = 0; i < n; i++)
        kill(list[i], SIGKILL);
}

/* Kills all descendants; orphans come to us, so this ends when there are none. */
static void kill_tree(void)
{
    pid_t list[LONGEST_TREE];
    for (int round = 0; round < ROUNDS; round++) {
        const size_t n = add_children(getpid(), list, 0);
        if (n == 0)
            return;
        kill_all(list, n);
        while (waitpid(-1, NULL, WNOHANG) > 0)
            continue;
        pause_shortly();
    }
}

/* A launcher that is told to end takes its ranks and their shared memory along. One that does not
 * within GRACE_ROUNDS is killed with the rest. */
static void end_tree(pid_t program, time_t began)
{
    struct shm_files files;
    shm_find(&files, getpid(), began);
    kill(program, SIGTERM);
    for (int round = 0; round < GRACE_ROUNDS; round++) {
        pid_t ended;
        while ((ended = waitpid(-1, NULL, WNOHANG)) > 0)
            if (ended == program)
                round = GRACE_ROUNDS;
        pause_shortly();
    }
    kill_tree();
    shm_remove(&files);
}

int run_signal(int status)
{
    return status > 128 && status <= 128 + 64 ? status - 128 : 0;
}

static int status_of(int raw)
{
    return WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + (WIFSIGNALED(raw) ? WTERMSIG(raw) : 0);
}

/* Waits until the program ends (its status) or our driver closes its end of life (-1). */
static int keep(pid_t program, int life, int children)
{
    struct pollfd fds[2] = { { .fd = life, .events = POLLIN },
                             { .fd = children, .events = POLLIN } };
    struct signalfd_siginfo info;
    for (;;) {
        int raw;
        pid_t ended;
        while ((ended = waitpid(-1, &raw, WNOHANG)) > 0)
            if (ended == program)
                return status_of(raw);
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            return -1;
        if (fds[0].revents)
            return -1;
        if (fds[1].revents && read(children, &info, sizeof info) < 0)
            return -1;
    }
}

static void exec_program(const struct argv *args, const struct argv *env, int out, int err_fd)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int null = open("/dev/null", O_RDONLY);
    if (null < 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 || dup2(err_fd, 2) < 0)
        _exit(NOT_FOUND);
    for (size_t i = 0; env && i < env->n; i++)
        putenv(env->v[i]);
    execvp(args->v[0], args->v);
    dprintf(2, "cannot run '%s': %s\n", args->v[0], strerror(errno));
    _exit(NOT_FOUND);
}

/* Closes what we inherited but for the given descriptors. */
static void close_others(const int *keep_open, size_t n)
{
    for (int fd = 3; fd < 1024; fd++) {
        int wanted = 0;
        for (size_t i = 0; i < n; i++)
            wanted |= keep_open[i] == fd;
        if (!wanted)
            close(fd);
    }
}

static void keeper_main(const struct argv *args, const struct argv *env, int life, int tell,
                        int out, int err_fd, int hold)
{
    const int wanted[] = { life, tell, out, err_fd, hold };
    const time_t began = time(NULL);
    sigset_t mask;
    close_others(wanted, 5);
    prctl(PR_SET_NAME, keeper_name);
    setpgid(0, 0); /* the terminal's Ctrl-C is for the driver */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    sigfillset(&mask);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    sigemptyset(&mask);
    sigaddset(&mask, SIGCHLD);
    int children = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
    pid_t program = children < 0 ? -1 : fork();
    if (program == 0)
        exec_program(args, env, out, err_fd);
    if (program < 0 || write(tell, &program, sizeof program) != (ssize_t)sizeof program)
        _exit(NOT_FOUND);
    close(tell);
    close(out);
    close(err_fd);
    int status = keep(program, life, children);
    if (status < 0)
        end_tree(program, began);
    else
        kill_tree();
    scratch_dir_clear_away(SCRATCH_DIR_SHARED); /* ranks that were killed could not */
    _exit(status < 0 ? 128 + SIGKILL : status);
}

static void close_pair(int *pair)
{
    if (pair[0] >= 0)
        close(pair[0]);
    if (pair[1] >= 0)
        close(pair[1]);
    pair[0] = pair[1] = -1;
}

static int start_keeper(const struct argv *args, const struct argv *env, int log_fd, int *life,
                        int *tell, int *output, int hold, struct child *child, struct err *err)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* the orphans of a keeper that is killed come to us */
    fflush(NULL);
    child->keeper = fork();
    if (child->keeper < 0)
        return err_errno(err, "cannot start '%s'", args->v[0]);
    if (child->keeper == 0) {
        close(life[1]);
        close(tell[0]);
        close(output[0]);
        keeper_main(args, env, life[0], tell[1], log_fd, output[1], hold);
    }
    close(tell[1]);
    tell[1] = -1;
    if (read(tell[0], &child->pid, sizeof child->pid) != (ssize_t)sizeof child->pid) {
        waitpid(child->keeper, NULL, 0);
        return err_set(err, "cannot start '%s'", args->v[0]);
    }
    return 0;
}

int run_start(const struct argv *args, const struct argv *env, int log_fd, int hold,
              struct child *child, struct err *err)
{
    int life[2] = { -1, -1 }, tell[2] = { -1, -1 }, output[2] = { -1, -1 };
    *child = (struct child){ .keeper = -1, .life = -1, .output = -1 };
    if (pipe2(life, O_CLOEXEC) < 0 || pipe2(tell, O_CLOEXEC) < 0 || pipe2(output, O_CLOEXEC) < 0) {
        err_errno(err, "cannot make a pipe");
    } else if (start_keeper(args, env, log_fd, life, tell, output, hold, child, err) == 0) {
        child->life = life[1];
        child->output = output[0];
        life[1] = output[0] = -1;
        fcntl(child->output, F_SETFL, O_NONBLOCK);
    }
    int started = child->output >= 0;
    close_pair(life);
    close_pair(tell);
    close_pair(output);
    return started ? 0 : -1;
}

void run_kill(struct child *child)
{
    if (child->life >= 0) {
        kill(child->keeper, SIGCONT); /* somebody may have stopped it */
        close(child->life);
    }
    child->life = -1;
}

static int is_keeper(pid_t pid)
{
    char path[64], name[32] = "";
    snprintf(path, sizeof path, "/proc/%d/comm", (int)pid);
    FILE *f = fopen(path, "re");
    const int known = f && fscanf(f, "%31s", name) == 1;
    if (f)
        fclose(f);
    return !known || strcmp(name, keeper_name) == 0;
}

/* After a keeper has died before its time: what it kept is ours now, and is killed. Children of
 * ours that are no keepers can be nothing else, since run_capture waits for its own. */
static void kill_orphans(void)
{
    pid_t list[LONGEST_TREE];
    for (int round = 0, quiet = 0; round < ROUNDS && quiet < 2; round++) {
        const size_t n = add_children(getpid(), list, 0);
        size_t orphans = 0, ended = 0;
        for (size_t i = 0; i < n; i++) {
            if (is_keeper(list[i]))
                continue;
            if (waitpid(list[i], NULL, WNOHANG) == 0)
                list[orphans++] = list[i];
            else
                ended++; /* its children may have come to us since the list was read */
        }
        quiet = orphans + ended ? 0 : quiet + 1;
        kill_all(list, orphans);
        pause_shortly();
    }
}

int run_wait(struct child *child, int block)
{
    int raw;
    pid_t ended;
    if (child->exited)
        return 1;
    do
        ended = waitpid(child->keeper, &raw, block ? 0 : WNOHANG);
    while (ended < 0 && errno == EINTR);
    if (ended == 0)
        return 0;
    child->exited = 1;
    child->status = ended > 0 ? status_of(raw) : NOT_FOUND;
    if (ended > 0 && WIFSIGNALED(raw)) {
        child->keeper_signal = WTERMSIG(raw);
        kill_orphans();
        scratch_dir_clear_away(SCRATCH_DIR_SHARED);
    }
    run_kill(child);
    return 1;
}

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Reads until the other side closes, the buffer is full or time is up: then 1. */
static int collect(int fd, char *out, size_t size, int limit_ms)
{
    const int64_t end = now_ms() + limit_ms;
    struct pollfd p = { .fd = fd, .events = POLLIN };
    size_t used = 0;
    ssize_t n = 1;
    int ready = 1;
    while (n > 0 && used + 1 < size && ready > 0) {
        const int64_t left = end - now_ms();
        ready = poll(&p, 1, left > 0 ? (int)left : 0);
        n = ready > 0 ? read(fd, out + used, size - 1 - used) : 0;
        used += n > 0 ? (size_t)n : 0;
    }
    out[used] = '\0';
    return ready == 0;
}

int run_capture(const char *const *args, char *out, size_t size)
{
    return run_capture_for(args, 10, out, size);
}

int run_capture_for(const char *const *args, int seconds, char *out, size_t size)
{
    int pair[2];
    if (pipe2(pair, O_CLOEXEC) < 0)
        return -1;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        int null = open("/dev/null", O_RDONLY);
        dup2(null, 0);
        dup2(pair[1], 1);
        dup2(pair[1], 2);
        alarm((unsigned)seconds + 1); /* of what has closed its output */
        execvp(args[0], (char *const *)(uintptr_t)args);
        _exit(NOT_FOUND);
    }
    close(pair[1]);
    out[0] = '\0';
    const int late = pid > 0 && collect(pair[0], out, size, 1000 * seconds);
    pid_t tree[LONGEST_TREE] = { pid };
    if (late)
        kill_all(tree, 1);
    close(pair[0]);
    int raw;
    if (pid < 0 || waitpid(pid, &raw, 0) < 0)
        return -1;
    if (late)
        return 128 + SIGALRM;
    return status_of(raw) == NOT_FOUND ? -1 : status_of(raw);
}

/* As execvp finds it: an empty part of the path is the current directory, and what is no file is
 * passed over. */
int run_find(const char *program, char *buf, size_t size)
{
    const char *path = getenv("PATH");
    char try[4096];
    struct stat st;
    const char *p = path ? path : "/bin:/usr/bin", *end;
    do {
        end = p + strcspn(p, ":");
        snprintf(try, sizeof try, "%.*s%s%s", (int)(end - p), p, end > p ? "/" : "./", program);
        if (access(try, X_OK) == 0 && stat(try, &st) == 0 && S_ISREG(st.st_mode)) {
            if (buf)
                snprintf(buf, size, "%s", try);
            return 1;
        }
        p = end + 1;
    } while (*end);
    return 0;
}
