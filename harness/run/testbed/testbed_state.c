/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/testbed/testbed_state.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

const char *state_path(const struct state *state, char *buf, const char *fmt, ...)
{
    va_list args;
    int n = snprintf(buf, PATH_SIZE, "%s/", state->dir);
    va_start(args, fmt);
    vsnprintf(buf + n, PATH_SIZE - (size_t)n, fmt, args);
    va_end(args);
    return buf;
}

enum { LOCK_ROUNDS = 300 }; /* of 50 ms */

/* Opens a directory and locks it; the lock counts only when the directory is still the one of that
 * name. Returns the descriptor, -1 with errno (EWOULDBLOCK: somebody holds it; ENOENT: gone). */
static int lock_directory(const char *path, int wait)
{
    struct stat mine, there;
    int fd = open(path, O_RDONLY | O_DIRECTORY);
    if (fd < 0)
        return -1;
    if (flock(fd, LOCK_EX | (wait ? 0 : LOCK_NB)) == 0 && fstat(fd, &mine) == 0) {
        if (stat(path, &there) == 0 && mine.st_ino == there.st_ino && mine.st_dev == there.st_dev)
            return fd;
        errno = ENOENT;
    }
    int saved = errno;
    close(fd);
    errno = saved;
    return -1;
}

/* The lock of /run/collsel itself, held while a number is chosen. */
static int lock_root(struct err *err)
{
    for (int i = 0; i < 100; i++) {
        if (fs_mkdirs(TESTBED_ROOT, err) < 0)
            return -1;
        int fd = lock_directory(TESTBED_ROOT, 1);
        if (fd >= 0)
            return fd;
        if (errno != ENOENT)
            break;
    }
    return err_errno(err, "cannot lock '%s'", TESTBED_ROOT);
}

static int is_directory_name(const struct dirent *d)
{
    return d->d_name[0] != '.';
}

static void numbers_of_testbeds(char *taken)
{
    struct dirent **found;
    int n = scandir(TESTBED_ROOT, &found, is_directory_name, NULL);
    for (int i = 0; i < n; i++) {
        char path[PATH_SIZE];
        struct net net;
        snprintf(path, sizeof path, "%s/%s/net", TESTBED_ROOT, found[i]->d_name);
        if (net_read(path, &net, NULL) == 0)
            taken[net.index] = 1;
        free(found[i]);
    }
    if (n >= 0)
        free(found);
}

/* Numbers whose interface names or addresses somebody else uses. */
static void numbers_of_strangers(char *taken)
{
    struct if_nameindex *names = if_nameindex();
    struct ifaddrs *addresses;
    int k;
    char kind;
    for (struct if_nameindex *i = names; i && i->if_name; i++)
        if (sscanf(i->if_name, "cs%d%c", &k, &kind) == 2 && k >= 0 && k < TESTBED_COUNT)
            taken[k] = 1;
    if (names)
        if_freenameindex(names);
    if (getifaddrs(&addresses) < 0)
        return;
    for (struct ifaddrs *a = addresses; a; a = a->ifa_next) {
        if (!a->ifa_addr || a->ifa_addr->sa_family != AF_INET)
            continue;
        struct sockaddr_in in;
        memcpy(&in, a->ifa_addr, sizeof in);
        uint32_t ip = ntohl(in.sin_addr.s_addr);
        if (ip >> 16 == (198U << 8 | 18U))
            taken[ip >> 8 & 255] = 1;
    }
    freeifaddrs(addresses);
}

static int choose_number(struct err *err)
{
    char taken[TESTBED_COUNT] = { 0 };
    numbers_of_testbeds(taken);
    numbers_of_strangers(taken);
    for (int i = 0; i < TESTBED_COUNT; i++)
        if (!taken[i])
            return i;
    return err_set(err, "all %d testbeds are in use", TESTBED_COUNT);
}

static int write_net(const struct state *s, struct err *err)
{
    struct whole_file f;
    char path[PATH_SIZE];
    if (fs_begin(&f, state_path(s, path, "net"), err) < 0)
        return -1;
    net_write(f.file, &s->net);
    return fs_commit(&f, err);
}

static int put_link(const char *ifname, void *out)
{
    fprintf(out, "link %s\n", ifname);
    return 0;
}

/* Debian mounts /run noexec, and Slurm runs batch scripts from its spool directory. */
static int needs_mount(const struct state *s)
{
    struct statvfs v;
    return statvfs(s->dir, &v) == 0 && (v.f_flag & ST_NOEXEC);
}

static int write_made(const struct state *s, struct err *err)
{
    struct whole_file f;
    char path[PATH_SIZE], netns[TESTBED_NETNS];
    if (fs_begin(&f, state_path(s, path, "made"), err) < 0)
        return -1;
    net_each(&s->net, put_link, f.file);
    for (int i = 0; i < s->net.nodes; i++) {
        net_netns(&s->net, i, netns);
        fprintf(f.file, "netns %s\n", netns);
    }
    if (needs_mount(s))
        fprintf(f.file, "mount %s/spool\n", s->dir);
    return fs_commit(&f, err);
}

/* A namespace of one of our names that is not ours must not be used, nor noted as ours. */
static int check_netns(const struct net *net, struct err *err)
{
    for (int i = 0; i < net->nodes; i++) {
        char netns[TESTBED_NETNS], path[PATH_SIZE];
        net_netns(net, i, netns);
        snprintf(path, sizeof path, "/run/netns/%s", netns);
        if (fs_exists(path))
            return err_set(err, "network namespace '%s' exists already, and no testbed made it",
                           netns);
    }
    return 0;
}

static int claim_locked(struct state *s, struct err *err)
{
    if (fs_exists(s->dir))
        return state_is_ready(s)
                   ? err_set(err, "testbed '%s' is up already", s->net.name)
                   : err_set(err,
                             "testbed '%s' is half made, or being made just now; if not, "
                             "'collsel testbed down %s' clears it away",
                             s->net.name, s->net.name);
    if (check_netns(&s->net, err) < 0 || (s->net.index = choose_number(err)) < 0)
        return -1;
    if (mkdir(s->dir, 0755) < 0 || (s->lock = lock_directory(s->dir, 1)) < 0)
        return err_errno(err, "cannot make '%s'", s->dir);
    if (write_net(s, err) == 0 && write_made(s, err) == 0)
        return 0;
    state_remove(s, NULL);
    state_close(s);
    return -1;
}

int state_claim(const struct net *net, struct state *s, struct err *err)
{
    *s = (struct state){ .lock = -1, .net = *net, .has_net = 1 };
    snprintf(s->dir, sizeof s->dir, "%s/%s", TESTBED_ROOT, net->name);
    int root = lock_root(err);
    if (root < 0)
        return -1;
    int result = claim_locked(s, err);
    if (result < 0)
        rmdir(TESTBED_ROOT);
    close(root);
    return result;
}

/* What a killed `up` had started last (an ip, say) may hold the lock a moment longer than it. */
static int lock_patiently(const char *dir)
{
    const struct timespec pause = { .tv_nsec = 50000000 };
    int fd = lock_directory(dir, 0);
    for (int i = 0; i < LOCK_ROUNDS && fd < 0 && errno == EWOULDBLOCK; i++) {
        nanosleep(&pause, NULL);
        fd = lock_directory(dir, 0);
    }
    return fd;
}

int state_open(const char *name, int lock, struct state *s, struct err *err)
{
    char path[PATH_SIZE];
    *s = (struct state){ .lock = -1 };
    if (!*name || *name == '.' || strchr(name, '/') || strlen(name) > TESTBED_NAME)
        return err_usage(err, "'%s' is not the name of a testbed", name);
    snprintf(s->dir, sizeof s->dir, "%s/%s", TESTBED_ROOT, name);
    if (!fs_exists(s->dir))
        return 0;
    if (lock && (s->lock = lock_patiently(s->dir)) < 0) {
        if (errno == ENOENT)
            return 0;
        return errno == EWOULDBLOCK ? err_set(err,
                                              "another collsel is at work on testbed '%s' (want: "
                                              "wait for it; which one: fuser -v %s)",
                                              name, s->dir)
                                    : err_errno(err, "cannot lock '%s'", s->dir);
    }
    state_path(s, path, "net");
    s->has_net = fs_exists(path);
    if (s->has_net && net_read(path, &s->net, err) < 0) {
        state_close(s);
        return -1;
    }
    return 1;
}

int state_ready(const struct state *s, struct err *err)
{
    char path[PATH_SIZE];
    return fs_write(state_path(s, path, "ready"), "", err);
}

int state_is_ready(const struct state *s)
{
    char path[PATH_SIZE];
    return fs_exists(state_path(s, path, "ready"));
}

void state_made(const struct state *s, void (*f)(const char *kind, const char *name, void *arg),
                void *arg)
{
    char path[PATH_SIZE], line[512], kind[16], name[256];
    FILE *in = fopen(state_path(s, path, "made"), "re");
    while (in && fgets(line, sizeof line, in))
        if (strchr(line, '\n') && sscanf(line, "%15s %255s", kind, name) == 2)
            f(kind, name, arg);
    if (in)
        fclose(in);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
    (void)st;
    (void)ftw;
    return (kind == FTW_DP || kind == FTW_D ? rmdir(path) : unlink(path)) < 0 && errno != ENOENT;
}

int state_remove(const struct state *s, struct err *err)
{
    if (nftw(s->dir, remove_one, 32, FTW_DEPTH | FTW_PHYS | FTW_MOUNT) != 0 && fs_exists(s->dir))
        return err_errno(err, "cannot remove '%s'", s->dir);
    rmdir(TESTBED_ROOT);
    return 0;
}

void state_close(struct state *s)
{
    if (s->lock >= 0)
        close(s->lock);
    s->lock = -1;
}
