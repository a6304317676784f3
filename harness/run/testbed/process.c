/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/testbed/process.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- starting: what follows runs in the forked process ---- */

/* Writes what went wrong for the parent to read, and ends. */
static void give_up(int tell, const char *what)
{
    struct err err = { 0 };
    err_errno(&err, "%s", what);
    if (write(tell, err.text, strlen(err.text)) < 0)
        _exit(126);
    _exit(127);
}

/* /sys shows the interfaces of the namespace in which it was mounted: mounts it anew, and puts back
 * what is mounted on its cgroup directory, which a node's slurmd wants to see. */
static void renew_sys(const struct state *s, int tell)
{
    static const char at[] = "/sys/fs/cgroup";
    char aside[PATH_SIZE];
    state_path(s, aside, "cgroup");
    if (mount(at, aside, NULL, MS_BIND | MS_REC, NULL) < 0 ||
        mount("sysfs", "/sys", "sysfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0 ||
        mount(aside, at, NULL, MS_MOVE, NULL) < 0)
        give_up(tell, "cannot mount its /sys");
}

/* The testbed's own list of hosts in place of the machine's. Of the controller, too: it listens on
 * the address that its host name has there. */
static void take_hosts(const struct state *s, int tell)
{
    char path[PATH_SIZE];
    if (unshare(CLONE_NEWNS) < 0)
        give_up(tell, "cannot have separate mounts");
    /* Mounts that end outside end here too, or namespaces removed there would live on in here. */
    if (mount("none", "/", NULL, MS_REC | MS_SLAVE, NULL) < 0)
        give_up(tell, "cannot make its mounts its own");
    if (fs_exists("/etc/hosts") &&
        mount(state_path(s, path, "hosts"), "/etc/hosts", NULL, MS_BIND, NULL) < 0)
        give_up(tell, "cannot put its list of hosts on /etc/hosts");
}

static void enter_node(const struct state *s, int node, int tell)
{
    char netns[TESTBED_NETNS], host[TESTBED_NETNS], path[PATH_SIZE];
    net_netns(&s->net, node, netns);
    net_host(&s->net, node, host);
    snprintf(path, sizeof path, "/run/netns/%s", netns);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || setns(fd, CLONE_NEWNET) < 0)
        give_up(tell, "cannot enter its network namespace");
    if (unshare(CLONE_NEWUTS) < 0 || sethostname(host, strlen(host)) < 0)
        give_up(tell, "cannot have a separate host name");
    take_hosts(s, tell);
    renew_sys(s, tell);
}

static void exec_daemon(const struct state *s, int node, const struct argv *args, const char *log,
                        int tell)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid();
    for (int fd = 3; fd < 1024; fd++)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int out = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (null < 0 || out < 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0)
        give_up(tell, "cannot open its log");
    if (node >= 0)
        enter_node(s, node, tell);
    else if (strcmp(args->v[0], "slurmctld") == 0)
        take_hosts(s, tell);
    if (chdir(s->dir) < 0)
        give_up(tell, "cannot enter its directory");
    execvp(args->v[0], args->v);
    give_up(tell, "cannot run it");
}

pid_t process_start(const struct state *s, int node, const struct argv *args, const char *log,
                    struct err *err)
{
    int tell[2];
    char said[256];
    if (pipe2(tell, O_CLOEXEC) < 0)
        return err_errno(err, "cannot make a pipe");
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        exec_daemon(s, node, args, log, tell[1]);
    close(tell[1]);
    ssize_t n = pid < 0 ? -1 : read(tell[0], said, sizeof said - 1);
    close(tell[0]);
    if (n == 0)
        return pid;
    if (n < 0)
        return err_errno(err, "cannot start '%s'", args->v[0]);
    said[n] = '\0';
    return err_set(err, "cannot start '%s': %s", args->v[0], said);
}

struct ns_set {
    struct {
        dev_t dev;
        ino_t ino;
    } v[2 * TESTBED_NODES];
    size_t n;
};

static int ns_has(const struct ns_set *set, const struct stat *st)
{
    return any_below(i, set->n, set->v[i].ino == st->st_ino && set->v[i].dev == st->st_dev);
}

static void ns_add(struct ns_set *set, const struct stat *st)
{
    if (set->n == 2 * TESTBED_NODES || ns_has(set, st))
        return;
    set->v[set->n].dev = st->st_dev;
    set->v[set->n++].ino = st->st_ino;
}

static int netns_of(pid_t pid, struct stat *st)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/ns/net", (int)pid);
    return stat(path, st);
}

/* A file below /run/netns that is no namespace (an `ip netns add` cut short) lies on the file
 * system of /run, not on nsfs. */
static void add_named(const char *kind, const char *name, void *arg)
{
    char path[PATH_SIZE];
    struct stat st, own;
    snprintf(path, sizeof path, "/run/netns/%s", name);
    if (strcmp(kind, "netns") == 0 && stat(path, &st) == 0 && netns_of(getpid(), &own) == 0 &&
        st.st_dev == own.st_dev && st.st_ino != own.st_ino)
        ns_add(arg, &st);
}

static void read_proc(pid_t pid, const char *file, char *buf, size_t size, size_t *len)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
    FILE *f = fopen(path, "re");
    *len = f ? fread(buf, 1, size - 1, f) : 0;
    buf[*len] = '\0';
    if (f)
        fclose(f);
}

static int has_word(const char *cmdline, size_t len, const char *word)
{
    for (const char *p = cmdline; p < cmdline + len; p += strlen(p) + 1)
        if (strcmp(p, word) == 0)
            return 1;
    return 0;
}

/* Daemons start in our directory and stay there; slurmctld's helper, slurmscriptd, hides its
 * command line. By inode: the path of a process of another mount namespace may be longer. */
static int works_in(pid_t pid, const char *dir)
{
    char path[64];
    struct stat cwd, own;
    snprintf(path, sizeof path, "/proc/%d/cwd", (int)pid);
    return stat(path, &cwd) == 0 && stat(dir, &own) == 0 && cwd.st_dev == own.st_dev &&
           cwd.st_ino == own.st_ino;
}

/* 1 when pid is a daemon of this program name (NULL: any of ours) of the testbed. */
static int is_daemon(const struct state *s, pid_t pid, const char *program, const char *word)
{
    static const char *const ours[] = { "munged", "slurmctld", "slurmd", "slurmstepd",
                                        "slurmscriptd" };
    char comm[64], cmdline[4096], part[sizeof s->dir + 2];
    size_t len;
    int known = 0;
    read_proc(pid, "comm", comm, sizeof comm, &len);
    comm[strcspn(comm, "\n")] = '\0';
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
        known |= strcmp(comm, program ? program : ours[i]) == 0;
    if (!known)
        return 0;
    read_proc(pid, "cmdline", cmdline, sizeof cmdline, &len);
    size_t n = (size_t)snprintf(part, sizeof part, "%s/", s->dir);
    if (word && !has_word(cmdline, len, word))
        return 0;
    return memmem(cmdline, len, part, n) != NULL || works_in(pid, s->dir);
}

/* Calls f for every process of the machine but us; ends when f gives 1. */
static void each_process(int (*f)(pid_t pid, void *arg), void *arg)
{
    DIR *dir = opendir("/proc");
    struct dirent *d;
    while (dir && (d = readdir(dir))) {
        long pid = isdigit((unsigned char)d->d_name[0]) ? strtol(d->d_name, NULL, 10) : 0;
        if (pid > 1 && pid != (long)getpid() && f((pid_t)pid, arg))
            break;
    }
    if (dir)
        closedir(dir);
}

struct search {
    const struct state *state;
    const char *program, *word;
    pid_t found;
};

static int is_sought(pid_t pid, void *arg)
{
    struct search *search = arg;
    if (is_daemon(search->state, pid, search->program, search->word))
        search->found = pid;
    return search->found != 0;
}

/* Seconds since a process started: /proc/PID/stat, field 22, in ticks since boot. */
static double age_of(pid_t pid)
{
    char text[1024];
    size_t len;
    unsigned long long ticks = 0;
    struct timespec now;
    read_proc(pid, "stat", text, sizeof text, &len);
    const char *p = strrchr(text, ')');
    for (int field = 2; p && field < 22; field++)
        p = strchr(p + 1, ' ');
    if (!p || sscanf(p, "%llu", &ticks) != 1 || clock_gettime(CLOCK_BOOTTIME, &now) < 0)
        return 0;
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec -
           (double)ticks / (double)sysconf(_SC_CLK_TCK);
}

pid_t process_find(const struct state *s, const char *program, const char *word, double *age_s)
{
    struct search search = { .state = s, .program = program, .word = word };
    each_process(is_sought, &search);
    if (search.found && age_s)
        *age_s = age_of(search.found);
    return search.found;
}

struct hunt {
    const struct state *state;
    struct ns_set ns;
    struct stat own; /* our own namespace, which is nobody's prey */
    size_t alive;
};

/* A slurmd whose namespace lost its name still tells where its jobs are. */
static int learn_namespace(pid_t pid, void *arg)
{
    struct hunt *hunt = arg;
    struct stat st;
    if (is_daemon(hunt->state, pid, NULL, NULL) && netns_of(pid, &st) == 0 &&
        st.st_ino != hunt->own.st_ino)
        ns_add(&hunt->ns, &st);
    return 0;
}

static int is_zombie(pid_t pid)
{
    char text[512];
    size_t len;
    read_proc(pid, "stat", text, sizeof text, &len);
    const char *p = strrchr(text, ')');
    return !p || p[1] == '\0' || p[2] == 'Z' || p[2] == 'X';
}

static int kill_ours(pid_t pid, void *arg)
{
    struct hunt *hunt = arg;
    struct stat st;
    if (!(netns_of(pid, &st) == 0 && ns_has(&hunt->ns, &st)) &&
        !is_daemon(hunt->state, pid, NULL, NULL))
        return 0;
    if (!is_zombie(pid)) {
        kill(pid, SIGKILL);
        hunt->alive++;
    }
    return 0;
}

int process_kill_all(const struct state *s, size_t *n, struct err *err)
{
    struct hunt hunt = { .state = s };
    const struct timespec pause = { .tv_nsec = 20000000 };
    if (netns_of(getpid(), &hunt.own) < 0)
        return err_errno(err, "cannot read /proc");
    state_made(s, add_named, &hunt.ns);
    each_process(learn_namespace, &hunt);
    for (int round = 0; round < 500; round++) {
        hunt.alive = 0;
        each_process(kill_ours, &hunt);
        if (round == 0 && n)
            *n += hunt.alive;
        if (hunt.alive == 0)
            return 0;
        nanosleep(&pause, NULL);
    }
    return err_set(err, "%zu processes of the testbed do not die", hunt.alive);
}
