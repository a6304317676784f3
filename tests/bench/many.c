/* SPDX-License-Identifier: BSD-3-Clause */
/* many.c - what the walkers need for the many messages of an all-to-all: 4,096 ranks (or the number
 * given), linear and pairwise, 16.8 million messages each. Each walk is a process of its own, so
 * that its memory is its own. Prints CSV on stdout. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/walk/channel.h"
#include "analysis/walk/link_walk.h"
#include "analysis/walk/replay.h"
#include "analysis/walk/seat_walk_time.h"
#include "analysis/walk/stage_walk.h"
#include "harness/base/memory.h"

static double bytes[] = { 1, 1048576 }, message_s[] = { 1e-6, 2e-4 };
static const struct curve curve = { 2, bytes, message_s };

static int by_stage(const struct schedule *s, double *seconds, struct err *err)
{
    struct stage_profile profile;
    const int status = stage_walk(s, &profile, err);
    static const struct gamma gamma = { .intercept = 0.9, .slope = 0.1 };
    *seconds = status < 0 ? 0 : stage_time(&profile, &gamma, 1e-6, 1e-9);
    stage_profile_clear(&profile);
    return status;
}

static int by_links(const struct schedule *s, double *seconds, struct err *err)
{
    const struct network network = {
        .kind = TOPOLOGY_STAR, .nodes = s->procs, .link_rate = 5e9, .link_latency = 1e-7
    };
    const struct seating seating = {
        .mapping = "core", .nodes = s->procs, .ppn = 1, .procs = s->procs, .sockets = 1, .cores = 1
    };
    static const struct curve no_copy = { 0 };
    const struct links_costs costs = { .message = &curve, .copy = &no_copy };
    struct topology star;
    struct links_result r;
    if (topology_init(&star, &network, err) < 0)
        return -1;
    struct links_net *net = links_net_new(&star, "in_order", &seating, err);
    const int status = net ? links_walk(net, s, &costs, NULL, &r, err) : -1;
    links_net_free(net);
    *seconds = status < 0 ? 0 : r.network_s;
    return status;
}

static void one_to_a_node(struct places *places, int procs)
{
    const struct seating seating = {
        .mapping = "core", .nodes = procs, .ppn = 1, .procs = procs, .sockets = 1, .cores = 1
    };
    places_init(places, &seating, 0, 0);
}

/* No channel was measured: what is walked is the same. */
static int by_channel(const struct schedule *s, double *seconds, struct err *err)
{
    static const struct channel_lines lines = { 0 };
    struct channel_time time = { 0 };
    struct places places;
    one_to_a_node(&places, s->procs);
    const int status = channel_stage_walk(s, &places, &lines, EXP_FANOUT, &time, err);
    places_clear(&places);
    *seconds = time.slowest;
    return status;
}

static int by_place(const struct schedule *s, double *seconds, struct err *err)
{
    struct seat_costs costs = { .port_message = 1e-7 };
    for (int c = 0; c < N_CHANNELS; c++)
        costs.of[c] = (struct seat_channel_costs){
            .latency = curve, .send = curve, .receive = curve, .rendezvous_bytes = INFINITY
        };
    struct places places;
    struct seat_time time = { .slowest = 0 };
    one_to_a_node(&places, s->procs);
    const int status = seat_time(s, &places, &costs, BARRIER_DISSEMINATION, &time, err);
    places_clear(&places);
    *seconds = time.slowest;
    return status;
}

/* On whole nodes of gros. */
static int by_replay(const struct schedule *s, int whole, double *seconds, struct err *err)
{
    struct cluster c;
    if (cluster_load("clusters", "gros", &c, err) < 0)
        return -1;
    const int ppn = c.sockets * c.cores;
    const struct seating seating = { .mapping = "core",
                                     .nodes = (s->procs + ppn - 1) / ppn,
                                     .ppn = ppn,
                                     .procs = s->procs,
                                     .sockets = c.sockets,
                                     .cores = c.cores };
    const struct replay_part part = { s, 0 };
    const struct replay_call call = { .part = &part, .parts = 1, .times = 1, .whole = whole };
    double *end_s = memory_zeros((size_t)s->procs, sizeof *end_s);
    struct platform *platform = platform_new(&c, &seating, err);
    struct replay *replay = platform ? replay_new(platform) : NULL;
    const int status = replay ? replay_walk(replay, &call, end_s, NULL, err) : -1;
    for (int r = 0; r < s->procs; r++)
        *seconds = fmax(*seconds, end_s[r]);
    replay_free(replay);
    platform_free(platform);
    cluster_free(&c);
    free(end_s);
    return status;
}

static int by_classes(const struct schedule *s, double *seconds, struct err *err)
{
    return by_replay(s, 1, seconds, err);
}

static int by_all(const struct schedule *s, double *seconds, struct err *err)
{
    return by_replay(s, s->procs, seconds, err);
}

static const struct walker {
    const char *name;
    int (*walk)(const struct schedule *s, double *seconds, struct err *err);
    int by_name; /* only when its name is given */
} walkers[] = {
    { "stage", by_stage, 0 },
    { "channel_stage", by_channel, 0 },
    { "links_step", by_links, 0 },
    { "channel_walk", by_place, 0 },
    { "replay_classes", by_classes, 1 },
    { "replay_all", by_all, 1 },
};

static int walk_one(const struct walker *w, const char *name, int procs)
{
    struct schedule s;
    struct err err = { 0 };
    double seconds = 0;
    struct rusage used;
    const int status =
        schedule_init(&s, algorithm_find("alltoall", name), procs, 0, 8, 0, 0, &err) < 0
            ? -1
            : w->walk(&s, &seconds, &err);
    getrusage(RUSAGE_SELF, &used);
    if (status < 0)
        fprintf(stderr, "many: %s: %s\n", w->name, err.text);
    else
        printf("%s,%s,%d,%.2f,%ld,%.6g\n", w->name, name, procs,
               (double)used.ru_utime.tv_sec + (double)used.ru_utime.tv_usec * 1e-6 +
                   (double)used.ru_stime.tv_sec + (double)used.ru_stime.tv_usec * 1e-6,
               used.ru_maxrss / 1024, seconds);
    return status < 0;
}

int main(int argc, char **argv)
{
    static const char *const names[] = { "linear", "pairwise" };
    const int procs = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 4096;
    int failed = 0;
    puts("walker,algorithm,procs,core_s,mib,predicted_s");
    for (size_t w = 0; w < sizeof walkers / sizeof *walkers; w++)
        for (size_t a = 0; a < sizeof names / sizeof *names; a++) {
            int status = 1;
            if (argc > 2 ? strcmp(walkers[w].name, argv[2]) != 0 : walkers[w].by_name)
                continue;
            fflush(stdout);
            const pid_t child = fork();
            if (child == 0) {
                status = walk_one(&walkers[w], names[a], procs);
                fflush(stdout);
                _exit(status);
            }
            failed |= child < 0 || waitpid(child, &status, 0) < 0 || status != 0;
        }
    return failed;
}
