/* SPDX-License-Identifier: BSD-3-Clause */
/* replay-t.c - the replay walk by hand: one message, what waits for a link, what shares one; closed
 * forms; every schedule ends, with all of its messages, twice in the same time. */
#include "analysis/walk/replay.h"
#include "tests/analysis/deadlock.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 64, ENVELOPE = 16 };

/* A star of 1 Gbit/s, 125 bytes a microsecond, 10 us a link; costs are round. */
static const char plain_network[] = "link_rate = 1Gbps\nlink_latency = 10us\n";
static const double byte_s = 8e-9, latency_s = 20e-6;
static const char no_costs[] = "send_cost = 0:0:0\nisend_cost = 0:0:0\nrecv_cost = 0:0:0\n";

static char *directory;
static const char *mapping = "core";
static double end_s[MOST];

static void give_up(const char *text)
{
    fprintf(stderr, "%s\n", text);
    exit(1);
}

static void load(struct cluster *c, const char *network, const char *messages, const char *node)
{
    char path[256];
    struct err err = { 0 };
    snprintf(path, sizeof path, "%s/c.ini", directory);
    FILE *f = fopen(path, "w");
    fprintf(f,
            "[cluster]\nname = c\ntitle = test\nnodes = 16\nsockets = 2\ncores = 4\nthreads = 1\n"
            "cpu = none\n[network]\n%s[messages]\n%s[node]\nloopback_rate = 40Gbps\n"
            "loopback_latency = 1us\ncopy_cost = 0:0:0\nreduce_cost = 0:0:0\n%s",
            network, messages, node);
    fclose(f);
    if (cluster_load(".", path, c, &err) < 0)
        give_up(err.text);
}

/* The end of the last of procs ranks, ppn on a node; NaN where the walk fails. */
static double walk(const struct cluster *c, const struct schedule *s, int ppn, uint64_t *messages)
{
    const struct seating seating = { .mapping = mapping,
                                     .nodes = (s->procs + ppn - 1) / ppn,
                                     .ppn = ppn,
                                     .procs = s->procs,
                                     .sockets = c->sockets,
                                     .cores = c->cores };
    const struct replay_part part = { s, 0 };
    const struct replay_call call = { .part = &part, .parts = 1, .times = 1 };
    struct err err = { 0 };
    struct platform *platform = platform_new(c, &seating, &err);
    struct replay *replay = platform ? replay_new(platform) : NULL;
    double last = 0;
    if (!replay || replay_walk(replay, &call, end_s, messages, &err) < 0) {
        diag("%s", err.text);
        last = NAN;
    }
    for (int r = 0; r < s->procs; r++)
        last = fmax(last, end_s[r]);
    replay_free(replay);
    platform_free(platform);
    return last;
}

static struct schedule make(const char *collective, const char *algorithm, int procs,
                            uint64_t bytes, uint64_t segment)
{
    struct schedule s;
    struct err err = { 0 };
    if (schedule_init(&s, algorithm_find(collective, algorithm), procs, 0, bytes, segment, 1,
                      &err) < 0)
        give_up(err.text);
    return s;
}

static int near(double a, double b)
{
    if (fabs(a / b - 1) < 1e-9)
        return 1;
    diag("%.12g, not %.12g", a, b);
    return 0;
}

/* ---- one message ---- */

static const char costs[] = "send_cost = 0:1us:1ns\nisend_cost = 0:2us:0\nrecv_cost = 0:4us:2ns\n"
                            "eager_bytes = 1K\nrendezvous_bytes = 1K\n"
                            "bandwidth_factors = 0:1 2K:0.5\nlatency_factors = 0:1 500:3\n";

static void check_message(void)
{
    struct cluster c;
    load(&c, plain_network, costs, "");
    struct schedule s = make("bcast", "pipeline", 2, 100, 0);
    ok(near(walk(&c, &s, 1, NULL), 1.1e-6 + latency_s + 116 * byte_s + 4.2e-6),
       "a short message: cost, latency, bytes and envelope, cost");
    ok(near(end_s[0], 1.1e-6), "its sender is done when it has paid");
    s = make("bcast", "pipeline", 2, 490, 0);
    ok(near(walk(&c, &s, 1, NULL), 1.49e-6 + 3 * latency_s + 506 * byte_s + 4.98e-6),
       "factors go by the size with the envelope");
    s = make("bcast", "pipeline", 2, 3000, 0);
    ok(near(walk(&c, &s, 1, NULL), 3 * latency_s + 2 * 3016 * byte_s),
       "a long message in a blocking call costs no processor, and half the rate gives twice the "
       "time");
    ok(near(end_s[0], end_s[1]), "its sender waits until it has arrived");
    s = make("bcast", "pipeline", 2, 100, 0);
    ok(near(walk(&c, &s, 2, NULL), 1.1e-6 + 1e-6 + 116 * byte_s / 40 + 4.2e-6),
       "within a node it takes the loopback");
    cluster_free(&c);
}

/* ---- links that carry one message at a time ---- */

static void check_turns(void)
{
    struct cluster c;
    load(&c, plain_network, no_costs, "");
    const double body = (5000 + ENVELOPE) * byte_s;
    struct schedule s = make("gather", "basic_linear", 5, 5000, 0);
    ok(near(walk(&c, &s, 1, NULL), latency_s + 4 * body),
       "four messages to one node go one after the other");
    s = make("bcast", "basic_linear", 5, 5000, 0);
    ok(near(walk(&c, &s, 1, NULL), latency_s + 4 * body), "and so do four from one node");
    s = make("alltoall", "pairwise", 4, 5000, 0);
    ok(near(walk(&c, &s, 1, NULL), 3 * (latency_s + body)), "pairs hinder nobody");
    s = make("bcast", "pipeline", 8, 64000, 1000);
    c.eager_bytes = c.rendezvous_bytes = 0;
    ok(near(walk(&c, &s, 1, NULL), (8 + 64 - 2) * (latency_s + 1016 * byte_s)),
       "a pipeline without overheads takes (P + n - 2)(alpha + m beta)");
    cluster_free(&c);
}

/* A link serves who set out first, but does not wait for one who waits for another link. */
static void check_overtaking(void)
{
    struct cluster c;
    load(&c, plain_network, no_costs, "");
    struct schedule s = make("alltoall", "linear", 3, 5000, 0);
    ok(near(walk(&c, &s, 1, NULL), latency_s + 2 * (5000 + ENVELOPE) * byte_s),
       "three ranks send to the two others at once: no link is idle in between");
    cluster_free(&c);
}

/* ---- links that are shared ---- */

static void check_shares(void)
{
    struct cluster c;
    load(&c,
         "topology = tree\nswitch_ports = 4\ntrunk_rate = 1Gbps\ntrunk_latency = 5us\n"
         "link_rate = 1Gbps\nlink_latency = 10us\n",
         no_costs, "");
    struct schedule s = make("scatter", "basic_linear", 2, 5000, 0);
    const double body = (5000 + ENVELOPE) * byte_s;
    ok(near(walk(&c, &s, 1, NULL), latency_s + body), "within a leaf no trunk is crossed");
    /* ranks 0-3 exchange with 4-7: each trunk has four messages each way */
    s = make("allgather", "recursive_doubling", 8, 5000, 0);
    ok(near(walk(&c, &s, 1, NULL), 2 * latency_s + body + (10000 + ENVELOPE) * byte_s + latency_s +
                                       10e-6 + 4 * (20000 + ENVELOPE) * byte_s),
       "four messages that share a trunk take four times as long");
    c.trunk_rate *= 4;
    ok(near(walk(&c, &s, 1, NULL), 3 * latency_s + body + (10000 + ENVELOPE) * byte_s + 10e-6 +
                                       (20000 + ENVELOPE) * byte_s),
       "on a trunk of four times the rate each has its node's");
    cluster_free(&c);
    load(&c, "topology = torus\ntorus = 16\nlink_rate = 1Gbps\nlink_latency = 10us\n", no_costs,
         "");
    s = make("bcast", "basic_linear", 3, 5000, 0);
    walk(&c, &s, 1, NULL);
    /* penalties 10 us + 70.2 us and twice that: two thirds and one third of the link */
    ok(near(end_s[1], 20e-6 + (body - 10e-6) * 3 / 2),
       "on a torus the shorter way gets more of a link that two share");
    ok(near(end_s[2], 10e-6 + 2 * body),
       "and the longer is through when the link has carried both");
    cluster_free(&c);
}

/* ---- inside a node ---- */

static void check_inside(void)
{
    struct cluster c;
    load(&c, plain_network, no_costs,
         "core_rate = 8Gbps\ncore_latency = 2us\nsocket_rate = 4Gbps\nsocket_latency = 3us\n"
         "memory_rate = 16Gbps\n");
    struct schedule s = make("bcast", "pipeline", 2, 5000, 0);
    const double body = (5000 + ENVELOPE) * 1e-9;
    ok(near(walk(&c, &s, 8, NULL), 2e-6 + body), "cores of a socket: that channel");
    s = make("scatter", "basic_linear", 4, 5000, 0);
    ok(near(walk(&c, &s, 8, NULL), 2e-6 + body * 3 / 2),
       "three at once share a memory that would carry two");
    s = make("bcast", "pipeline", 2, 5000, 0);
    mapping = "socket";
    ok(near(walk(&c, &s, 8, NULL), 3e-6 + 2 * body), "the other socket has its own channel");
    mapping = "core";
    s = make("bcast", "pipeline", 2, 5000, 0);
    ok(near(walk(&c, &s, 1, NULL), latency_s + (5000 + ENVELOPE) * byte_s),
       "between nodes the network decides");
    cluster_free(&c);
}

/* ---- all schedules ---- */

static uint64_t sends_of(const struct schedule *s)
{
    struct round round = { 0 };
    uint64_t n = 0;
    for (int r = 0; r < s->procs; r++)
        for (uint64_t k = 0, rounds = schedule_rounds(s, r); k < rounds; k++) {
            schedule_round(s, r, k, &round);
            for (size_t i = 0; i < round.n; i++)
                n += round.ops[i].kind == OP_SEND;
        }
    round_free(&round);
    return n;
}

static void check_all(void)
{
    struct cluster c;
    int wrong = 0, walked = 0;
    load(&c, plain_network, costs, "");
    for (const struct algorithm *a = algorithm_next(NULL); a; a = algorithm_next(a))
        for (int procs = 1; procs <= 16; procs += procs < 9 ? 1 : 7) {
            struct schedule s;
            struct err err = { 0 };
            uint64_t messages = 0;
            if (schedule_init(&s, a, procs, 0, 4096, 512, 0, &err) < 0)
                continue;
            const double first = walk(&c, &s, 2, &messages), again = walk(&c, &s, 2, NULL);
            const uint64_t sends = sends_of(&s);
            walked++;
            if (isnan(first) || first != again || messages != sends) {
                wrong++;
                diag("%s %s among %d: %g s, again %g s, %llu of %llu messages",
                     algorithm_collective(a)->name, a->name, procs, first, again,
                     (unsigned long long)messages, (unsigned long long)sends);
            }
        }
    ok(wrong == 0 && walked > 500, "%d schedules end, with all their messages, always alike",
       walked);
    cluster_free(&c);
}

static void check_deadlock(void)
{
    struct cluster c;
    struct schedule s = make("bcast", "pipeline", 2, 100, 0);
    const struct replay_part part = { &s, 0 };
    const struct replay_call call = { .part = &part, .parts = 1, .times = 1 };
    const struct seating seating = {
        .mapping = "core", .nodes = 2, .ppn = 1, .procs = 2, .sockets = 2, .cores = 4
    };
    struct err err = { 0 };
    load(&c, plain_network, costs, "");
    struct platform *platform = platform_new(&c, &seating, &err);
    struct replay *replay = replay_new(platform);
    const struct algorithm *good = s.alg;
    s.alg = &deadlock;
    ok(replay_walk(replay, &call, end_s, NULL, &err) < 0 && strstr(err.text, "never ends"),
       "a schedule that never ends is told");
    s.alg = good;
    ok(replay_walk(replay, &call, end_s, NULL, &err) == 0 &&
           near(end_s[1], 1.1e-6 + latency_s + 116 * byte_s + 4.2e-6),
       "and leaves nothing to the next walk");
    replay_free(replay);
    platform_free(platform);
    cluster_free(&c);
}

int main(void)
{
    char template[] = "/tmp/replay-XXXXXX", path[64];
    directory = mkdtemp(template);
    check_message();
    check_turns();
    check_overtaking();
    check_shares();
    check_inside();
    check_all();
    check_deadlock();
    snprintf(path, sizeof path, "%s/c.ini", directory);
    unlink(path);
    rmdir(directory);
    return tap_done();
}
