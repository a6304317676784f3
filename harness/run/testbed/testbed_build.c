/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/testbed/testbed_build.h"

#include <dirent.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/run/progress.h"
#include "harness/base/subprocess.h"
#include "harness/run/testbed/process.h"

enum { SAID = 8192, START_S = 60, MUNGE_S = 10, REMOVE_S = 15, KEY_BYTES_N = 128 };

int build_interrupted(struct err *err)
{
    static const int wanted[] = { SIGINT, SIGTERM, SIGHUP };
    sigset_t pending;
    sigpending(&pending);
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        if (sigismember(&pending, wanted[i]) == 1)
            return err_set(err, "interrupted");
    return 0;
}

static void nap(long ms)
{
    const struct timespec pause = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };
    nanosleep(&pause, NULL);
}

/* Whether a network namespace can be made here, by making one. */
static int check_namespaces(struct err *err)
{
    int raw;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        _exit(unshare(CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWNS) < 0 ? errno : 0);
    if (pid < 0 || waitpid(pid, &raw, 0) < 0)
        return err_errno(err, "cannot start a process");
    if (!WIFEXITED(raw) || WEXITSTATUS(raw) == 0)
        return 0;
    errno = WEXITSTATUS(raw);
    return err_errno(err, "cannot make a network namespace here");
}

int build_check_machine(struct err *err)
{
    static const char *const needed[][2] = {
        { "ip", "iproute2" },         { "tc", "iproute2" },   { "munged", "munge" },
        { "slurmctld", "slurmctld" }, { "slurmd", "slurmd" }, { "sinfo", "slurm-client" },
    };
    if (geteuid() != 0)
        return err_set(err, "a testbed needs root (it makes network namespaces)");
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (!run_find(needed[i][0], NULL, 0))
            return err_set(err, "no '%s' on the PATH (want the package %s, and /usr/sbin on it)",
                           needed[i][0], needed[i][1]);
    return check_namespaces(err);
}

/* Runs ip or tc on a batch file, in a namespace when netns is not NULL. */
static int run_batch(const char *program, const char *netns, const char *file, struct err *err)
{
    const char *args[6], *more[] = { "-batch", file, NULL };
    char said[SAID];
    size_t n = 0;
    args[n++] = program;
    if (netns) {
        args[n++] = "-n";
        args[n++] = netns;
    }
    for (size_t i = 0; i < 3; i++)
        args[n++] = more[i];
    int status = run_capture(args, said, sizeof said);
    if (status == 0)
        return 0;
    said[strcspn(said, "\n")] = '\0';
    return err_set(err, "%s%s%s failed: %s (see %s)", program, netns ? " in " : "",
                   netns ? netns : "", *said ? said : "it says nothing", file);
}

/* Writes a batch by one of net's functions. */
static int write_text(const char *path, void (*put)(FILE *out, const struct net *net),
                      const struct net *net, struct err *err)
{
    struct whole_file f;
    if (fs_begin(&f, path, err) < 0)
        return -1;
    put(f.file, net);
    return fs_commit(&f, err);
}

static int make_node(const struct state *s, int node, struct err *err)
{
    char netns[TESTBED_NETNS], ip[PATH_SIZE], tc[PATH_SIZE];
    FILE *f = fopen(state_path(s, ip, "node.ip"), "we");
    if (!f)
        return err_errno(err, "cannot write '%s'", ip);
    net_ip_node(f, &s->net, node);
    if (fclose(f) != 0)
        return err_errno(err, "cannot write '%s'", ip);
    net_netns(&s->net, node, netns);
    return run_batch("ip", netns, ip, err) < 0 ||
                   run_batch("tc", netns, state_path(s, tc, "node.tc"), err) < 0
               ? -1
               : 0;
}

int network_make(const struct state *s, struct err *err)
{
    char path[PATH_SIZE];
    if (write_text(state_path(s, path, "switches.ip"), net_ip_batch, &s->net, err) < 0 ||
        run_batch("ip", NULL, path, err) < 0 ||
        write_text(state_path(s, path, "switches.tc"), net_tc_batch, &s->net, err) < 0 ||
        run_batch("tc", NULL, path, err) < 0 ||
        write_text(state_path(s, path, "node.tc"), net_tc_node, &s->net, err) < 0)
        return -1;
    for (int i = 0; i < s->net.nodes; i++)
        if (build_interrupted(err) < 0 || make_node(s, i, err) < 0)
            return -1;
    return 0;
}

static void put_link_removal(const char *kind, const char *name, void *out)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "/sys/class/net/%s", name);
    if (strcmp(kind, "link") == 0 && fs_exists(path))
        fprintf(out, "link del %s\n", name);
}

static void drop_mount(const char *kind, const char *name, void *arg)
{
    char path[PATH_SIZE];
    (void)arg;
    if (strcmp(kind, "mount") == 0)
        umount2(name, MNT_DETACH);
    if (strcmp(kind, "netns") != 0)
        return;
    snprintf(path, sizeof path, "/run/netns/%s", name);
    umount2(path, MNT_DETACH);
    unlink(path);
}

static void look(const char *kind, const char *name, void *arg)
{
    char path[PATH_SIZE], *left = arg;
    int link = strcmp(kind, "link") == 0;
    snprintf(path, sizeof path, "%s/%s", link ? "/sys/class/net" : "/run/netns", name);
    if (!*left && (link || strcmp(kind, "netns") == 0) && fs_exists(path))
        snprintf(left, 256, "%.255s", path);
}

static int is_empty(const char *path)
{
    int n = 0;
    DIR *dir = opendir(path);
    while (dir && readdir(dir))
        n++;
    if (dir)
        closedir(dir);
    return dir && n <= 2; /* itself and above */
}

/* ip mounts /run/netns over itself when it makes the first namespace, and leaves that; an empty one
 * is of no use to anybody, and ip mounts it again when it needs it. */
/* Removes what there is; the first that is still there goes to left, ip's words to said. */
static int remove_once(const struct state *s, char left[256], char said[SAID], struct err *err)
{
    char path[PATH_SIZE];
    const char *args[] = { "ip", "-force", "-batch", path, NULL };
    FILE *f = fopen(state_path(s, path, "remove.ip"), "we");
    if (!f)
        return err_errno(err, "cannot write '%s'", path);
    state_made(s, put_link_removal, f);
    if (fclose(f) != 0)
        return err_errno(err, "cannot write '%s'", path);
    run_capture(args, said, SAID);
    state_made(s, drop_mount, NULL);
    if (is_empty("/run/netns"))
        umount2("/run/netns", MNT_DETACH);
    left[0] = '\0';
    state_made(s, look, left);
    return 0;
}

/* On a busy machine ip does not come to its end, and a namespace that somebody looks at is not
 * removed: both go a moment later. */
int network_remove(const struct state *s, struct err *err)
{
    char said[SAID], left[256];
    for (const double end = now_s() + REMOVE_S;; nap(100)) {
        if (remove_once(s, left, said, err) < 0)
            return -1;
        if (!*left)
            return 0;
        if (now_s() > end)
            return err_set(err, "cannot remove '%s': %.200s", left, said);
    }
}

static int write_key(const char *path, struct err *err)
{
    unsigned char key[KEY_BYTES_N];
    if (getrandom(key, sizeof key, 0) != (ssize_t)sizeof key)
        return err_errno(err, "cannot make a key");
    mode_t before = umask(077);
    FILE *f = fopen(path, "we");
    umask(before);
    if (!f)
        return err_errno(err, "cannot write '%s'", path);
    int bad = fwrite(key, 1, sizeof key, f) != sizeof key;
    bad |= fclose(f) != 0;
    return bad ? err_errno(err, "cannot write '%s'", path) : 0;
}

/* The name of this machine, which the controller has. */
static void control_name(char host[256])
{
    snprintf(host, 256, "localhost");
    gethostname(host, 255);
    host[strcspn(host, ".")] = '\0';
}

/* The nodes, and the controller at the address that only the testbed has. */
static int write_hosts(const struct state *s, const char *path, struct err *err)
{
    char host[256], address[TESTBED_IFNAME];
    struct whole_file f;
    if (fs_begin(&f, path, err) < 0)
        return -1;
    control_name(host);
    net_control(&s->net, address);
    net_hosts(f.file, &s->net);
    fprintf(f.file, "%s %s\n", address, host);
    return fs_commit(&f, err);
}

static int write_conf(const struct state *s, const char *path, struct err *err)
{
    char host[256];
    struct whole_file f;
    unsigned long mb =
        (unsigned long)sysconf(_SC_PHYS_PAGES) / 1024 * (unsigned long)sysconf(_SC_PAGESIZE) / 1024;
    control_name(host);
    if (fs_begin(&f, path, err) < 0)
        return -1;
    net_slurm_conf(f.file, &s->net, s->dir, host, mb / (unsigned long)s->net.nodes);
    return fs_commit(&f, err);
}

static int write_topology(const struct state *s, const char *path, struct err *err)
{
    struct whole_file f;
    if (s->net.leaves < 2)
        return 0;
    if (fs_begin(&f, path, err) < 0)
        return -1;
    net_slurm_topology(f.file, &s->net);
    return fs_commit(&f, err);
}

static void mount_spool(const char *kind, const char *name, void *arg)
{
    int *failed = arg;
    if (strcmp(kind, "mount") == 0)
        *failed |= mount("tmpfs", name, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755") < 0;
}

int slurm_configure(const struct state *s, struct err *err)
{
    static const char *const dirs[] = { "state", "spool", "logs", "cgroup" };
    char path[PATH_SIZE];
    int failed = 0;
    for (size_t i = 0; i < sizeof dirs / sizeof dirs[0]; i++)
        if (fs_mkdirs(state_path(s, path, "%s", dirs[i]), err) < 0)
            return -1;
    state_made(s, mount_spool, &failed);
    if (failed)
        return err_errno(err, "cannot mount '%s/spool' (%s is noexec)", s->dir, s->dir);
    if (write_key(state_path(s, path, "munge.key"), err) < 0 ||
        write_hosts(s, state_path(s, path, "hosts"), err) < 0 ||
        write_topology(s, state_path(s, path, "topology.conf"), err) < 0 ||
        fs_write(state_path(s, path, "cgroup.conf"), "# nothing is confined\n", err) < 0)
        return -1;
    return write_conf(s, state_path(s, path, "slurm.conf"), err);
}

static int munge_answers(const struct state *s)
{
    struct sockaddr_un at = { .sun_family = AF_UNIX };
    char path[PATH_SIZE];
    state_path(s, path, "munge.sock");
    snprintf(at.sun_path, sizeof at.sun_path, "%.100s", path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int result = fd >= 0 && connect(fd, (struct sockaddr *)&at, sizeof at) == 0;
    if (fd >= 0)
        close(fd);
    return result;
}

/* The last line of a log that tells why a daemon has ended. */
static void last_words(const char *log, char *buf, size_t size)
{
    char line[1024];
    FILE *f = fopen(log, "re");
    buf[0] = '\0';
    while (f && fgets(line, sizeof line, f))
        if (strcasestr(line, "fatal") || strcasestr(line, "error"))
            snprintf(buf, size, "%.*s", (int)strcspn(line, "\n"), line);
    if (f)
        fclose(f);
}

static int start_munged(const struct state *s, struct err *err)
{
    struct argv args = { 0 };
    char log[PATH_SIZE], words[300];
    argv_add(&args, "munged");
    argv_add(&args, "--foreground");
    argv_add(&args, "--force");
    argv_add(&args, "--num-threads=2");
    argv_add(&args, "--key-file=%s/munge.key", s->dir);
    argv_add(&args, "--socket=%s/munge.sock", s->dir);
    argv_add(&args, "--pid-file=%s/munge.pid", s->dir);
    argv_add(&args, "--seed-file=%s/munge.seed", s->dir);
    argv_add(&args, "--log-file=%s/logs/munged.log", s->dir);
    int result = process_start(s, -1, &args, state_path(s, log, "logs/munged.log"), err) < 0;
    argv_free(&args);
    for (double end = now_s() + MUNGE_S; result == 0; nap(20)) {
        if (munge_answers(s))
            return 0;
        if (now_s() < end && process_find(s, "munged", NULL, NULL))
            continue;
        last_words(log, words, sizeof words);
        result = err_set(err, "munged does not answer: %s", words);
    }
    return -1;
}

static int start_slurm_daemon(const struct state *s, int node, struct err *err)
{
    struct argv args = { 0 };
    char log[PATH_SIZE], host[TESTBED_NETNS];
    argv_add(&args, "%s", node < 0 ? "slurmctld" : "slurmd");
    argv_add(&args, "-D");
    argv_add(&args, "-f");
    argv_add(&args, "%s/slurm.conf", s->dir);
    snprintf(host, sizeof host, "slurmctld");
    if (node >= 0) {
        net_host(&s->net, node, host);
        argv_add(&args, "-N");
        argv_add(&args, "%s", host);
    }
    state_path(s, log, "logs/%s.log", host);
    pid_t pid = process_start(s, node, &args, log, err);
    argv_free(&args);
    return pid < 0 ? -1 : 0;
}

int slurm_start(const struct state *s, size_t *n, struct err *err)
{
    char host[TESTBED_NETNS];
    *n = 0;
    if (!process_find(s, "munged", NULL, NULL) && (++*n, start_munged(s, err) < 0))
        return -1;
    if (!process_find(s, "slurmctld", NULL, NULL) && (++*n, start_slurm_daemon(s, -1, err) < 0))
        return -1;
    for (int i = 0; i < s->net.nodes; i++) {
        net_host(&s->net, i, host);
        if (build_interrupted(err) < 0)
            return -1;
        if (!process_find(s, "slurmd", host, NULL) && (++*n, start_slurm_daemon(s, i, err) < 0))
            return -1;
    }
    return 0;
}

int slurm_ask(const struct state *s, char *out, size_t size)
{
    char conf[PATH_SIZE], env[PATH_SIZE + 16];
    const char *args[] = { "env", env, "sinfo", "-h", "-N", "-o", "%N %t", NULL };
    snprintf(env, sizeof env, "SLURM_CONF=%s", state_path(s, conf, "slurm.conf"));
    return run_capture(args, out, size);
}

/* How many lines say that their node is usable. */
static int count_usable(const char *said)
{
    static const char *const good[] = { " idle\n", " alloc\n", " mix\n", " comp\n" };
    int n = 0;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        for (const char *p = said; (p = strstr(p, good[i])); p++)
            n++;
    return n;
}

static int check_daemons(const struct state *s, struct err *err)
{
    char host[TESTBED_NETNS] = "slurmctld", path[PATH_SIZE], words[300];
    for (int i = -1; i < s->net.nodes; i++) {
        if (i >= 0)
            net_host(&s->net, i, host);
        if (process_find(s, i < 0 ? "slurmctld" : "slurmd", i < 0 ? NULL : host, NULL))
            continue;
        last_words(state_path(s, path, "logs/%s.log", host), words, sizeof words);
        return err_set(err, "%s%s has ended: %s", i < 0 ? "" : "slurmd of ", host, words);
    }
    return 0;
}

int slurm_wait(const struct state *s, struct err *err)
{
    char *said = memory_zeros(4, SAID);
    int result = 1;
    double end = now_s() + START_S;
    for (int round = 0; result > 0; round++) {
        nap(150);
        if (build_interrupted(err) < 0)
            result = -1;
        else if (slurm_ask(s, said, (size_t)SAID * 4) == 0 && count_usable(said) == s->net.nodes)
            result = 0;
        else if (round % 5 == 4 && check_daemons(s, err) < 0)
            result = -1;
        else if (now_s() > end)
            result = err_set(err, "Slurm has %d of %d nodes after %d s: %.200s", count_usable(said),
                             s->net.nodes, START_S, said);
    }
    free(said);
    return result;
}
