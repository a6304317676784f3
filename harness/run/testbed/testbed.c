/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/testbed/testbed.h"

#include <signal.h>

#include "harness/run/testbed/testbed_build.h"
#include "harness/run/testbed/process.h"

static void say(FILE *chatter, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void say(FILE *chatter, const char *fmt, ...)
{
    va_list args;
    if (!chatter)
        return;
    va_start(args, fmt);
    vfprintf(chatter, fmt, args);
    va_end(args);
    fflush(chatter);
}

/* Signals wait while we build; build_interrupted looks for them between the steps. */
static void hold_signals(sigset_t *before)
{
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGINT);
    sigaddset(&wanted, SIGTERM);
    sigaddset(&wanted, SIGHUP);
    sigprocmask(SIG_BLOCK, &wanted, before);
}

/* Puts the mask back; a signal that made us stop has been answered by stopping. */
static void release_signals(const sigset_t *before)
{
    sigset_t wanted;
    const struct timespec none = { 0 };
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGINT);
    sigaddset(&wanted, SIGTERM);
    sigaddset(&wanted, SIGHUP);
    while (sigtimedwait(&wanted, NULL, &none) > 0)
        continue;
    sigprocmask(SIG_SETMASK, before, NULL);
}

static int tear_down(struct state *s, size_t *killed, struct err *err)
{
    if (process_kill_all(s, killed, err) < 0 || network_remove(s, err) < 0)
        return -1;
    return state_remove(s, err);
}

static int build(const struct state *s, FILE *chatter, struct err *err)
{
    size_t n;
    say(chatter, "%d nodes, %d switch%s, network 198.18.%d.0/24\n", s->net.nodes,
        net_switches(&s->net), of_number(net_switches(&s->net), "", "es"), s->net.index);
    if (network_make(s, err) < 0)
        return err_prefix(err, "network");
    say(chatter, "starting munged, slurmctld and %d slurmd\n", s->net.nodes);
    if (slurm_configure(s, err) < 0 || slurm_start(s, &n, err) < 0 || slurm_wait(s, err) < 0)
        return err_prefix(err, "Slurm");
    return build_interrupted(err) < 0 ? -1 : state_ready(s, err);
}

int testbed_up(const struct cluster *cluster, FILE *chatter, struct err *err)
{
    struct state s;
    struct net net;
    struct err undo;
    sigset_t before;
    if (net_make(cluster, &net, err) < 0 || build_check_machine(err) < 0)
        return -1;
    net.ipv6 = fs_exists("/proc/sys/net/ipv6");
    hold_signals(&before);
    if (state_claim(&net, &s, err) < 0) {
        release_signals(&before);
        return -1;
    }
    int result = build(&s, chatter, err);
    if (result == 0)
        say(chatter, "testbed '%s' is up; to use its Slurm: export SLURM_CONF=%s/slurm.conf\n",
            net.name, s.dir);
    else if (tear_down(&s, NULL, &undo) < 0)
        say(chatter, "undoing it: %s\n", undo.text);
    state_close(&s);
    release_signals(&before);
    return result;
}

int testbed_down(const char *name, FILE *chatter, struct err *err)
{
    struct state s;
    size_t killed = 0;
    int there = state_open(name, 1, &s, err);
    if (there < 0)
        return -1;
    if (there == 0) {
        say(chatter, "testbed '%s' is not up\n", name);
        return 0;
    }
    int result = tear_down(&s, &killed, err);
    state_close(&s);
    if (result == 0)
        say(chatter, "testbed '%s' is down (%zu processes ended)\n", name, killed);
    return result;
}

static int open_ready(const char *name, int lock, struct state *s, struct err *err)
{
    int there = state_open(name, lock, s, err);
    if (there < 0)
        return -1;
    if (there && s->has_net && state_is_ready(s))
        return 0;
    if (there)
        state_close(s);
    return there ? err_set(err,
                           "testbed '%s' is half made ('collsel testbed down %s' clears it away)",
                           name, name)
                 : err_set(err, "testbed '%s' is not up ('collsel testbed up %s' makes it)", name,
                           name);
}

int testbed_start(const char *name, FILE *chatter, size_t *n, struct err *err)
{
    struct state s;
    size_t started = 0;
    if (open_ready(name, 1, &s, err) < 0)
        return -1;
    int result = slurm_start(&s, &started, err);
    if (result == 0 && started)
        result = slurm_wait(&s, err);
    state_close(&s);
    if (result == 0)
        say(chatter, "%zu daemons started\n", started);
    if (n)
        *n = started;
    return result;
}

int testbed_conf(const char *name, char *path, size_t size, struct err *err)
{
    struct state s;
    if (open_ready(name, 0, &s, err) < 0)
        return -1;
    return fs_path(path, size, err, "%s/slurm.conf", s.dir);
}
