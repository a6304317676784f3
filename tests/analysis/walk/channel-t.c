/* SPDX-License-Identifier: BSD-3-Clause */
/* channel-t.c - the fits per channel against planted parameters, and the channel model's algebra.
 */
#include "analysis/models/channel/channel_fit.h"
#include "analysis/models/model.h"
#include "analysis/models/parameters.h"
#include "analysis/walk/channel.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Planted: ping-pong alpha + beta m and fan-out a + b (P - 1) with a = alpha + beta m - b, so that
 * gamma(2) = 1; at 1 MiB channel socket is slower than node. */
static const double ALPHA[N_CHANNELS] = { 0, 1e-7, 3e-7, 6e-7, 2e-6 };
static const double BETA[N_CHANNELS] = { 0, 5e-11, 1e-10, 2e-10, 9e-11 };
static const double GROWTH[N_CHANNELS] = { 0, 0.2, 0.3, 0.4,
                                           0.25 };           /* b as part of the ping-pong */
static const int MOST[N_CHANNELS] = { 0, 5, 16, 16, 24 };    /* ranks of the largest fan-out */
static const int MOST_IN[N_CHANNELS] = { 0, 5, 10, 16, 24 }; /* ... and fan-in */

/* Measured here: a dissemination barrier before each call. */
static const struct facts FACTS = {
    .backend = "local", .confidence = 0.95, .nodes = 2, .sockets = 2, .cores = 8, .cache_cores = 4
};

/* What noise-free numbers leave after scaling and solving. */
static const double SOLVED = 1e-6;

static double pingpong(int c, double m)
{
    return ALPHA[c] + BETA[c] * m;
}

static double fanout(int c, double procs, double m)
{
    return pingpong(c, m) * (1 + GROWTH[c] * (procs - 2));
}

static void add(struct points *points, enum experiment experiment, int channel, int procs,
                uint64_t bytes, double seconds, double mean)
{
    points->row = realloc(points->row, (points->n + 1) * sizeof *points->row);
    struct measured *m = &points->row[points->n++];
    memset(m, 0, sizeof *m);
    m->point = (struct point){ .experiment = experiment,
                               .purpose = FOR_FIT,
                               .channel = (enum channel)channel,
                               .cell = { .collective = "bcast",
                                         .mpi = "openmpi",
                                         .mapping = "core",
                                         .nodes = 2,
                                         .ppn = 16,
                                         .procs = procs,
                                         .bytes = bytes } };
    m->time.value = seconds;
    m->mean_rank_s = mean;
}

static struct points planted(void)
{
    struct points points = { .n = 0 };
    for (int c = CHANNEL_CACHE; c < N_CHANNELS; c++)
        for (uint64_t m = 1; m <= 1 << 20; m *= 4) {
            const double x = (double)m;
            add(&points, EXP_PINGPONG, c, 2, m, pingpong(c, x), NAN);
            for (int procs = 2; procs <= MOST[c]; procs++) {
                add(&points, EXP_FANOUT, c, procs, m, fanout(c, procs, x), fanout(c, procs, x) / 2);
                if (procs <= MOST_IN[c])
                    add(&points, EXP_FANIN, c, procs, m, 3 * fanout(c, procs, x), NAN);
            }
        }
    return points;
}

/* ---- the fits ---- */

static void recovered(const struct channel_platform *p)
{
    for (int c = CHANNEL_CACHE; c < N_CHANNELS; c++) {
        const struct channel_hockney *h = &p->lines.hockney[c];
        const char *name = channel_words[(enum channel)c];
        is_near(ALPHA[c], h->line.intercept, SOLVED, "%s: planted alpha", name);
        is_near(BETA[c], h->line.slope, SOLVED, "%s: planted beta", name);
        is_near(BETA[c], h->line.robust_slope, SOLVED, "%s: by Huber too", name);
        is_int(MOST[c], h->most_procs, "%s: as many ranks as its largest fan-out", name);
        ok(h->worst_error < SOLVED, "%s: and the line meets its points", name);
    }
    int wrong = 0;
    for (size_t i = 0; i < p->lines.n_fanouts; i++) {
        const struct channel_fanout *f = &p->lines.fanout[i];
        const double m = (double)f->bytes, b = pingpong(f->channel, m) * GROWTH[f->channel] *
                                               (f->experiment == EXP_FANIN ? 3 : 1);
        wrong += fabs(f->slowest.slope / b - 1) > SOLVED;
        if (f->experiment == EXP_FANOUT)
            wrong += fabs(f->mean.slope / (b / 2) - 1) > SOLVED;
        else
            wrong += f->mean.status == FIT_OK;
    }
    is_int(0, wrong, "planted slopes of all %zu fan-outs and fan-ins", p->lines.n_fanouts);
}

static void gammas(const struct channel_platform *p)
{
    int wrong = 0, n = 0;
    for (int c = CHANNEL_CACHE; c < N_CHANNELS; c++)
        for (int procs = 2; procs <= MOST[c]; procs++)
            for (double m = 1; m <= 1 << 20; m *= 2, n++) /* also between measured sizes */
                wrong +=
                    fabs(channel_fanout_time(&p->lines, EXP_FANOUT, (enum channel)c, procs, m, 0) /
                             channel_pingpong(&p->lines, (enum channel)c, m) /
                             (1 + GROWTH[c] * (procs - 2)) -
                         1) > SOLVED;
    is_int(0, wrong, "gamma(P, m) = 1 + g (P - 2), %d times", n);
}

static void ratios(const struct channel_platform *p)
{
    enum channel slow;
    const double small = 64, large = 1 << 20;
    is_near(pingpong(4, small) / pingpong(3, small),
            channel_ratio(&p->lines, CHANNEL_SOCKET, CHANNEL_NODE, small, &slow), SOLVED,
            "Q of a small message between nodes and sockets");
    is_int(CHANNEL_NODE, slow, "... the network is slower");
    is_near(pingpong(3, large) / pingpong(4, large),
            channel_ratio(&p->lines, CHANNEL_SOCKET, CHANNEL_NODE, large, &slow), SOLVED,
            "of a large one the other way round, still at least 1");
    is_int(CHANNEL_SOCKET, slow, "... the socket is slower");
}

/* ---- linear broadcasts over several channels ---- */

static double nbft(const struct channel_platform *p, int cache, int core, int socket, int node,
                   uint64_t bytes, int *extrapolated)
{
    const int children[N_CHANNELS] = { 0, cache, core, socket, node };
    const struct channel_time t = channel_nbft(&p->lines, EXP_FANOUT, children, bytes);
    if (extrapolated)
        *extrapolated = t.extrapolated;
    return t.slowest;
}

static void mixed(const struct channel_platform *p)
{
    int beyond;
    const uint64_t large = 1 << 20;
    const double m = 1024, q = pingpong(3, m) / pingpong(2, m), l = (double)large;
    is_near(fanout(2, 8, m), nbft(p, 0, 7, 0, 0, 1024, &beyond), SOLVED, "one channel: its own");
    is_int(0, beyond, "... within what was measured");
    is_near(fanout(2, 1 + 3 + 2 * q, m), nbft(p, 0, 3, 2, 0, 1024, NULL), SOLVED,
            "two on the slower channel count as 2 Q on the faster one");
    const double cached = fanout(1, 1 + 1 + pingpong(2, m) / pingpong(1, m), m);
    ok(cached < pingpong(2, m), "one in the cache and one outside: by Q alone");
    is_near(pingpong(2, m), nbft(p, 1, 1, 0, 0, 1024, NULL), SOLVED,
            "... less than the ping-pong of the slower one, which is the least it takes");
    is_near(fanout(2, 1 + 3 + 2, m), nbft(p, 3, 2, 0, 0, 1024, &beyond), SOLVED,
            "where it has no room not in the cache: its transfers count as one each");
    is_int(0, beyond, "... which is no extrapolation");
    is_near(fanout(4, 1 + 2 + 2 * pingpong(3, l) / pingpong(4, l), l),
            nbft(p, 0, 0, 2, 2, large, NULL), SOLVED,
            "inverted: large messages to the socket count on the network, which is quicker");
    is_near(fanout(2, 31, m), nbft(p, 0, 30, 0, 0, 1024, &beyond), SOLVED,
            "beyond its largest fan-out the line goes on");
    is_int(1, beyond, "... and says so");
    ok(isnan(nbft(p, 5, 0, 0, 0, 1024, NULL)), "six ranks in a cache of five: refused");
    const int twelve[N_CHANNELS] = { 0, 0, 12, 0, 0 };
    const struct channel_time out = channel_nbft(&p->lines, EXP_FANOUT, twelve, 1024);
    const struct channel_time in = channel_nbft(&p->lines, EXP_FANIN, twelve, 1024);
    is_int(0, out.extrapolated, "a fan-out among thirteen was measured");
    is_int(1, in.extrapolated, "... a fan-in only among ten");
    is_near(3 * fanout(2, 13, m), in.slowest, SOLVED, "... and its line goes on");
    is_near(fanout(2, 13, m), out.slowest, SOLVED, "the slowest rank of thirteen");
    is_near(fanout(2, 13, m) / 2, out.mean, SOLVED, "... and the mean over ranks, planted as half");
    is_int(MOST_IN[2], channel_fanout_procs(&p->lines, EXP_FANIN, CHANNEL_CORE, 1000),
           "between two sizes as at them");
    is_int(0, channel_fanout_procs(&p->lines, EXP_FANIN, CHANNEL_CORE, 1 << 21),
           "beyond all: none");
}

/* ---- stages ---- */

static struct facts facts_of(void)
{
    return (struct facts){ .backend = "imported",
                           .nodes = 2,
                           .sockets = 2,
                           .cores = 8,
                           .cache_cores = 4,
                           .memory_cores = 4 };
}

static struct cell cell_of(const char *collective, const char *mapping, int procs, uint64_t bytes)
{
    struct cell cell = { .mpi = "openmpi", .nodes = 2, .ppn = 16, .procs = procs, .bytes = bytes };
    snprintf(cell.collective, NAME_SIZE, "%s", collective);
    snprintf(cell.mapping, NAME_SIZE, "%s", mapping);
    return cell;
}

/* By a version of Open MPI. */
static struct prediction predict_by(const char *version, const struct channel_fits *fits,
                                    const char *model, const char *collective,
                                    const char *algorithm, int procs, uint64_t bytes)
{
    struct facts facts = facts_of();
    const struct parameters p = { .facts = &facts, .held = { { &channel_set, fits, NULL } } };
    const struct cell cell = cell_of(collective, "core", procs, bytes);
    struct candidate c = { .fanout = strstr(algorithm, "knomial") ? 4 : 0 };
    facts.n_mpis = 1;
    snprintf(facts.mpi[0], NAME_SIZE, "openmpi");
    snprintf(facts.mpi_version[0], NAME_SIZE, "%s", version);
    snprintf(c.algorithm, NAME_SIZE, "%s", algorithm);
    return model_predict(model_find(model), &p, &cell, &c);
}

static struct prediction predict(const struct channel_fits *fits, const char *model,
                                 const char *collective, const char *algorithm, int procs,
                                 uint64_t bytes)
{
    return predict_by("4.1.5", fits, model, collective, algorithm, procs, bytes);
}

static void stages(const struct channel_fits *fits)
{
    const char *channel = "channel_stage";
    const double m = 1024;
    /* Cores 0 ... 3 share a cache, 4 ... 7 another; 8 is on the other socket, 16 on the other node.
     * One chain of 17: 12 hops in a cache, 2 to the other cache of a socket, 1, 1. */
    const double chain =
        12 * fanout(1, 2, m) + 2 * fanout(2, 2, m) + fanout(3, 2, m) + fanout(4, 2, m);
    is_near(chain, predict(fits, channel, "bcast", "openmpi:chain", 17, 1024).seconds, SOLVED,
            "a chain is one chain of all ranks, each hop by its channel");
    is_near(3 * chain, predict(fits, channel, "reduce", "openmpi:chain", 17, 1024).seconds, SOLVED,
            "a reduction mirrors it with fan-ins, here three times as dear");
    /* Binary tree of seven, core: 0 -> 1, 2 in the cache; 1 -> 3 (cache), 5 (core), 2 -> 4, 6. */
    const double q = pingpong(2, m) / pingpong(1, m);
    const double binary = fanout(1, 3, m) + fmax(fanout(1, 2 + q, m), fanout(2, 3, m));
    is_near(binary, predict(fits, channel, "bcast", "openmpi:binary_tree", 7, 1024).seconds, SOLVED,
            "binary tree: the larger of the broadcasts of a stage");
    const struct prediction far = predict(fits, channel, "bcast", "openmpi:basic_linear", 32, 1024);
    is_int(PREDICT_EXTRAPOLATED, far.status, "linear among 32: extrapolated");
    is_int(PREDICT_NO_FORMULA,
           predict(fits, channel, "reduce", "openmpi:rabenseifner", 16, 1024).status,
           "no reading of Rabenseifner's reduction");
}

/* Among 16 ranks 1 KiB takes a k-nomial tree in 4.1 and a binomial one in 3.1. */
static void defaults(const struct channel_fits *fits)
{
    static const char *const both[] = { "channel_stage", "channel_walk" };
    static const char *const by[][2] = { { "3.1.4", "openmpi:binomial" },
                                         { "4.1.5", "openmpi:knomial" } };
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            const double wanted = predict(fits, both[i], "bcast", by[k][1], 16, 1024).seconds;
            const struct prediction p =
                predict_by(by[k][0], fits, both[i], "bcast", "openmpi:default", 16, 1024);
            is_near(wanted, p.seconds, SOLVED, "%s: the default of %s is %s", both[i], by[k][0],
                    by[k][1]);
            is_int(PREDICT_OK, p.status, "... which is no extrapolation");
        }
    is_int(PREDICT_NO_FORMULA,
           predict_by("4.0.3", fits, "channel_stage", "bcast", "openmpi:default", 16, 1024).status,
           "of other versions it is not known");
    is_int(PREDICT_NO_FORMULA,
           predict_by("4.10", fits, "channel_stage", "bcast", "openmpi:default", 16, 1024).status,
           "... and 4.10 is not 4.1");
    is_int(PREDICT_NO_SCHEDULE,
           predict_by("5.0", fits, "channel_walk", "bcast", "openmpi:default", 16, 1024).status,
           "... to either model");
}

/* What the event walk says of what it rests on; planted up to 1 MiB. */
static void sizes(const struct channel_fits *fits)
{
    const char *event = "channel_walk", *linear = "openmpi:basic_linear";
    is_int(PREDICT_OK, predict(fits, event, "bcast", linear, 16, 1 << 20).status,
           "the largest measured size");
    is_int(PREDICT_EXTRAPOLATED, predict(fits, event, "bcast", linear, 16, 1 << 21).status,
           "twice as large: extrapolated");
    is_int(PREDICT_EXTRAPOLATED, predict(fits, event, "bcast", linear, 2, 1 << 21).status,
           "... with one message, too");
    ok(predict(fits, event, "bcast", linear, 16, 1 << 21).seconds >
           predict(fits, event, "bcast", linear, 16, 1 << 20).seconds,
       "... and there is a time");
    /* The root sends to 23, then 24 ranks of other nodes; fan-outs there were among 24. */
    is_int(PREDICT_OK, predict(fits, event, "bcast", linear, 39, 1024).status,
           "as many messages of one rank as in a fan-out");
    is_int(PREDICT_EXTRAPOLATED, predict(fits, event, "bcast", linear, 40, 1024).status,
           "one more: extrapolated");
    is_int(PREDICT_OK, predict(fits, event, "bcast", "openmpi:binomial", 40, 1024).status,
           "... but not a tree of as many");
    is_int(PREDICT_TOO_MANY, predict(fits, event, "alltoall", "openmpi:linear", 1500, 64).status,
           "2.2 million messages at once: too many to walk");
}

/* ---- the costs of the event walk ---- */

/* Planted fan-ins cost three times what fan-outs do, so one more to send is the least of both. */
static void ports(const struct channel_fits *fits)
{
    const struct seat_costs *moving = &fits->platform[0].costs[FOR_MOVING];
    const struct seat_costs *reducing = &fits->platform[0].costs[FOR_REDUCING];
    const struct seat_channel_costs *node = &moving->of[CHANNEL_NODE];
    is_near(curve_value(&node->send, 1024), curve_value(&moving->port, 1024), SOLVED,
            "a port passes small messages as fast as they are sent");
    is_near(curve_value(&node->send, 1024), curve_value(&reducing->port, 1024), SOLVED,
            "... in a reduction, too");
    is_near(curve_value(&reducing->of[CHANNEL_NODE].receive, 1), moving->port_message, SOLVED,
            "and each message keeps both ports as the smallest keeps a receiver");
    is_near(curve_value(&moving->of[CHANNEL_SOCKET].latency, 1) -
                curve_value(&moving->of[CHANNEL_CACHE].latency, 1),
            moving->of[CHANNEL_SOCKET].line, SOLVED,
            "a line comes as much later over a channel as the smallest message");
    is_int(0, moving->of[CHANNEL_CACHE].line > 0, "... and within a cache at once");
}

/* A pair as two ranks are timed (walk/seat_walk.h): S and T from a latency, a start and who waits.
 */
static void costs(void)
{
    static const double start = 2e-6;
    struct points points = { .n = 0 };
    struct channel_fits fits;
    struct err err;
    for (uint64_t m = 1; m <= 1 << 20; m *= 4) {
        const double latency = start + 1e-10 * (double)(m - 1);
        const int waits = m >= 4096;
        const double other = waits ? latency : 1e-7;
        const double slowest = latency + fmin(start, latency - other);
        add(&points, EXP_PINGPONG, CHANNEL_NODE, 2, m, 5 * latency, NAN);
        for (int procs = 2; procs <= 9; procs++) {
            const double more = (procs - 2) * (1e-7 + 5e-11 * (double)m);
            add(&points, EXP_FANOUT, CHANNEL_NODE, procs, m, slowest + more,
                (slowest + other) / 2 + more);
        }
    }
    is_int(0, channel_fit(&points, &FACTS, &fits, &err), "fitted");
    const struct seat_channel_costs *node = &fits.platform[0].costs[FOR_MOVING].of[CHANNEL_NODE];
    is_near(start, curve_value(&node->latency, 1), SOLVED,
            "the smallest message: the mean of both ranks");
    is_near(start + 1e-10 * 1023, curve_value(&node->latency, 1024), SOLVED,
            "eager: less the start, not the ping-pong's");
    is_near(start + 1e-10 * 65535, curve_value(&node->latency, 65536), SOLVED,
            "where both wait: the time itself");
    is_near(4096, node->rendezvous_bytes, SOLVED, "and from there on sends are rendezvous");
    is_near(1e-7 + 5e-11 * 1024, curve_value(&node->send, 1024), 1e-3, "eager: the sender is busy");
    is_near(1e-7 + 5e-11, curve_value(&node->send, 65536), 1e-3,
            "rendezvous: as little as for the smallest message");
    is_near(1e-7 + 5e-11 * 65536, curve_value(&node->share, 65536), 1e-3,
            "... and what it reads from for the rest");
    channel_fits_clear(&fits);
    free(points.row);
}

/* Fan-ins among two. waits > 0: the sender copies for a quarter of the latency or less, and from so
 * many bytes on it waits, for two thirds. -1: it never waits but copies for a tenth of the latency
 * of the smallest message, 0.71 of that of 64 KiB and 0.86 of that of 256 KiB. */
static double threshold_of(enum channel channel, double waits)
{
    struct points points = { .n = 0 };
    struct channel_fits fits;
    struct err err;
    for (uint64_t m = 1; m <= 1 << 20; m *= 4) {
        const double x = (double)m, latency = 2e-6 + 1e-10 * x;
        const double sender = waits > 0 && x >= waits ? latency / 1.5 : 2e-7 + 9e-11 * x / 4;
        const double copies = waits > 0 ? sender : 2e-7 + 9e-11 * x;
        const double slowest = latency + fmin(2e-6, latency - copies);
        add(&points, EXP_FANIN, channel, 2, m, slowest, (slowest + copies) / 2);
    }
    is_int(0, channel_fit(&points, &FACTS, &fits, &err), "fitted");
    const double bytes = fits.platform[0].costs[FOR_REDUCING].of[channel].rendezvous_bytes;
    channel_fits_clear(&fits);
    free(points.row);
    return bytes;
}

static void thresholds(void)
{
    is_near(65536, threshold_of(CHANNEL_NODE, 65536), SOLVED,
            "reductions are rendezvous from where the sender's time jumps");
    is_near(262144, threshold_of(CHANNEL_CORE, 262144), SOLVED, "... wherever that is");
    ok(isinf(threshold_of(CHANNEL_NODE, -1)),
       "a sender that copies for nine tenths of the latency does not wait");
}

/* Of two ranks, whose sender is busy for `eager` seconds below 4 KiB and for a share of the latency
 * from there on: the size from which sends are found to wait. */
static double waits_from(enum experiment experiment, double eager, double share)
{
    const int reducing = experiment == EXP_FANIN;
    struct points points = { .n = 0 };
    struct channel_fits fits;
    struct err err;
    for (uint64_t m = 1; m <= 1 << 20; m *= 4) {
        const double latency = 2e-6 + 1e-10 * (double)m;
        const double sender = m < 4096 ? eager : share * latency;
        const double slowest = latency + fmin(2e-6, latency - sender);
        add(&points, experiment, CHANNEL_NODE, 2, m, slowest, (slowest + sender) / 2);
    }
    is_int(0, channel_fit(&points, &FACTS, &fits, &err), "fitted");
    const struct seat_costs *costs = &fits.platform[0].costs[reducing ? FOR_REDUCING : FOR_MOVING];
    const double bytes = costs->of[CHANNEL_NODE].rendezvous_bytes;
    channel_fits_clear(&fits);
    free(points.row);
    return bytes;
}

static void shares(void)
{
    is_near(4096, waits_from(EXP_FANOUT, 1e-7, 0.9), SOLVED,
            "a sender of a fan-out that is busy for nine tenths of the latency waits");
    ok(isinf(waits_from(EXP_FANOUT, 1e-7, 0.5)), "... for half of it: it does not");
    is_near(4096, waits_from(EXP_FANIN, 2e-8, 0.6), SOLVED,
            "one of a fan-in whose time jumps to more than half of the latency waits");
    ok(isinf(waits_from(EXP_FANIN, 2e-8, 0.4)), "... to less: it does not");
}

/* Blocking sends stay eager four times as long as those of a fan-out, at half the speed: 2 us + 0.2
 * ns per byte up to 64 KiB, then what a fan-out takes, 2 us + 0.1 ns per byte. In the cache both
 * are ten times as quick. */
static void relays(void)
{
    struct points points = { .n = 0 };
    struct channel_fits fits;
    struct err err;
    for (int c = CHANNEL_CACHE; c <= CHANNEL_CORE; c++)
        for (uint64_t m = 1; m <= 1 << 20; m *= 4) {
            const double quick = c == CHANNEL_CACHE ? 0.1 : 1, x = (double)m;
            const double single = quick * (2e-6 + 1e-10 * x), both = quick * (2e-6 + 2e-10 * x);
            const int waits = m >= 16384;
            const double latency = waits ? single : both, other = waits ? latency : quick * 1e-7;
            const double start = quick * (2e-6 + 2e-10);
            add(&points, EXP_PINGPONG, c, 2, m, m <= 65536 ? both : single, NAN);
            for (int procs = 2; procs <= 9; procs++) {
                const double slowest = latency + fmin(start, latency - other);
                const double more = (procs - 2) * quick * (1e-7 + 5e-11 * x);
                add(&points, EXP_FANOUT, c, procs, m, slowest + more, (slowest + other) / 2 + more);
            }
        }
    is_int(0, channel_fit(&points, &FACTS, &fits, &err), "fitted");
    const struct seat_channel_costs *of = fits.platform[0].costs[FOR_MOVING].of;
    const struct seat_channel_costs *cache = &of[CHANNEL_CACHE], *core = &of[CHANNEL_CORE];
    is_near(16384, core->rendezvous_bytes, SOLVED, "a fan-out's sends are rendezvous from here on");
    is_near(2e-6 + 2e-10 * 1024, curve_value(&core->relay, 1024), SOLVED,
            "to a relay, eager: as to anybody");
    is_near(2e-6 + 2e-10 * 65536, curve_value(&core->relay, 65536), SOLVED,
            "rendezvous: the ping-pong, which is eager still");
    is_near(2e-6 + 2e-10 * (1 << 20), curve_value(&core->relay, 1 << 20), SOLVED,
            "... and where it is no more, its line goes on");
    is_near(2e-6 + 1e-10 * (1 << 20), curve_value(&core->latency, 1 << 20), SOLVED,
            "... which the latency does not");
    is_near(2e-6 + 2e-10 * (1 << 20), curve_value(&cache->relay, 1 << 20), SOLVED,
            "in a cache as on the socket");
    is_near(2e-7 + 1e-11 * (1 << 20), curve_value(&cache->latency, 1 << 20), SOLVED,
            "... but to a leaf");
    channel_fits_clear(&fits);
    free(points.row);
}

/* Ping-pongs alone, and later fan-outs of 64 B or more: the ping-pongs are the latency; what one
 * more message costs is not known. */
static void pingpongs_alone(void)
{
    const char *event = "channel_walk", *linear = "openmpi:basic_linear";
    struct points points = { .n = 0 };
    struct channel_fits fits;
    struct err err;
    for (uint64_t m = 1; m <= 4096; m *= 4)
        add(&points, EXP_PINGPONG, CHANNEL_CORE, 2, m, 1e-6 + 1e-10 * (double)m, NAN);
    for (uint64_t m = 1; m <= 4096; m *= 4)
        add(&points, EXP_PINGPONG, CHANNEL_CACHE, 2, m, 1e-6 + 1e-10 * (double)m, NAN);
    is_int(0, channel_fit(&points, &FACTS, &fits, &err), "fitted");
    is_near(1e-6 + 1e-10 * 64, curve_value(&fits.platform[0].costs[0].of[CHANNEL_CORE].latency, 64),
            SOLVED, "without fan-outs the ping-pong is the latency");
    is_int(0, fits.platform[0].lines.hockney[CHANNEL_CORE].most_procs, "... and there is no gamma");
    is_int(PREDICT_OK, predict(&fits, event, "bcast", linear, 2, 64).status,
           "... which gives one message its time");
    is_int(PREDICT_NO_FIT, predict(&fits, event, "bcast", linear, 3, 64).status,
           "... and two of a rank none");
    is_int(PREDICT_NO_FIT, predict(&fits, event, "reduce", "openmpi:linear", 3, 64).status,
           "... nor two that it receives");
    is_int(PREDICT_OK, predict(&fits, event, "bcast", "openmpi:pipeline", 8, 64).status,
           "a chain sends once each");
    is_int(PREDICT_NO_FIT, predict(&fits, event, "bcast", "openmpi:pipeline", 9, 64).status,
           "... until it comes to a channel that was not measured");
    channel_fits_clear(&fits);
    for (uint64_t m = 64; m <= 4096; m *= 4)
        for (int c = CHANNEL_CACHE; c <= CHANNEL_CORE; c++)
            for (int procs = 2; procs <= 4; procs++)
                add(&points, EXP_FANOUT, c, procs, m, procs * 1e-6, procs * 1e-6);
    is_int(0, channel_fit(&points, &FACTS, &fits, &err), "fitted with fan-outs");
    is_int(PREDICT_OK, predict(&fits, event, "bcast", linear, 3, 64).status, "with them it has");
    is_int(PREDICT_EXTRAPOLATED, predict(&fits, event, "bcast", linear, 3, 16).status,
           "... extrapolated below their sizes");
    is_int(PREDICT_OK, predict(&fits, event, "bcast", linear, 2, 16).status,
           "... but not of one message");
    is_int(PREDICT_NO_FIT, predict(&fits, event, "reduce", "openmpi:linear", 3, 64).status,
           "a reduction needs fan-ins");
    channel_fits_clear(&fits);
    free(points.row);
}

/* Points without a channel are no channel experiments; of alike ones the median counts. */
static void medians(void)
{
    struct points points = { .n = 0 };
    struct channel_fits fits;
    struct err err;
    add(&points, EXP_PINGPONG, CHANNEL_NONE, 2, 64, 9, NAN);
    is_int(0, channel_fit(&points, &FACTS, &fits, &err), "a ping-pong on no channel");
    is_int(0, (long long)fits.n, "... makes no platform");
    channel_fits_clear(&fits);
    for (int i = 0; i < 5; i++)
        add(&points, EXP_PINGPONG, CHANNEL_CORE, 2, 64, i == 3 ? 1000 : 1 + i, NAN);
    is_int(0, channel_fit(&points, &FACTS, &fits, &err), "five alike");
    is_near(3, fits.platform[0].sample[0].slowest, SOLVED, "one wild time does not move them");
    is_int(5, (long long)fits.platform[0].sample[0].points, "... and all are counted");
    channel_fits_clear(&fits);
    points.n = 0;
    add(&points, EXP_PINGPONG, CHANNEL_CORE, 2, 64, 200, NAN);
    points.row[0].time.median = 3;
    add(&points, EXP_FANOUT, CHANNEL_CORE, 2, 64, 5, 4);
    points.row[1].time.median = 1;
    is_int(0, channel_fit(&points, &FACTS, &fits, &err), "means and medians");
    const struct channel_platform *p = &fits.platform[0];
    is_near(3, channel_sample_find(p, EXP_PINGPONG, CHANNEL_CORE, 2, 64)->slowest, SOLVED,
            "of a ping-pong's receivers the median counts");
    is_near(5, channel_sample_find(p, EXP_FANOUT, CHANNEL_CORE, 2, 64)->slowest, SOLVED,
            "of a fan-out the mean, as its other number is one");
    channel_fits_clear(&fits);
    free(points.row);
}

/* Planted costs of a walk: a message to the next channel 1 us more, one more 0.5 us, between nodes
 * with many ranks 0.8 us and its way `longer`. */
static struct seat_costs truth(double send, double longer)
{
    struct seat_costs costs = { .port_message = 0 };
    for (int c = CHANNEL_CACHE; c < N_CHANNELS; c++) {
        const double start = 1e-6 * c + (c == CHANNEL_NODE ? longer : 0);
        curve_add(&costs.of[c].latency, 0, start);
        curve_add(&costs.of[c].latency, 1, start + 1e-10);
        curve_add(&costs.of[c].send, 1, c == CHANNEL_NODE ? send : 5e-7);
        costs.of[c].rendezvous_bytes = INFINITY;
    }
    return costs;
}

/* The time of a fan-out on a channel, with its mean; sockets of eight cores, four in a cache. */
static struct seat_time fan_of(int channel, int procs, uint64_t bytes,
                               const struct seat_costs *costs)
{
    static const int first[N_CHANNELS] = { 0, 1, 4, 8, 16 };
    struct place rank[64] = { { 0, 0, 0, 0 } };
    struct seat_time time;
    struct schedule s;
    struct err err = { 0 };
    for (int i = 1; i < procs; i++) {
        const int core = first[channel] + i - 1;
        rank[i] = (struct place){ core / 16, core / 8, core / 4, core / 8 };
    }
    const struct places places = { .procs = procs, .rank = rank, .nodes = 8, .memories = 16 };
    schedule_init(&s, algorithm_find("bcast", "basic_linear"), procs, 0, bytes, 0, 0, &err);
    if (seat_time(&s, &places, costs, BARRIER_DISSEMINATION, &time, &err) < 0)
        diag("%s", err.text);
    return time;
}

/* Fan-outs on all channels as those costs give them, from 33 ranks on with the second. */
static struct points walked(const struct seat_costs *few, const struct seat_costs *many)
{
    static const int most[N_CHANNELS] = { 0, 4, 5, 9, 63 };
    struct points points = { .n = 0 };
    for (int c = CHANNEL_CACHE; c < N_CHANNELS; c++)
        for (uint64_t m = 1; m <= 4096; m *= 8)
            for (int procs = 2; procs <= most[c]; procs++) {
                const struct seat_time t = fan_of(c, procs, m, procs < 33 ? few : many);
                add(&points, EXP_FANOUT, c, procs, m, t.slowest, t.mean);
            }
    return points;
}

static void many_ranks(void)
{
    for (int breaks = 0; breaks < 2; breaks++) {
        struct seat_costs few_costs = truth(5e-7, 0);
        struct seat_costs many_costs = truth(breaks ? 8e-7 : 5e-7, breaks ? 2e-6 : 0);
        struct points points = walked(&few_costs, &many_costs);
        struct channel_fits fits;
        struct err err;
        is_int(0, channel_fit(&points, &FACTS, &fits, &err), "fitted");
        const struct channel_platform *p = &fits.platform[0];
        is_int(breaks ? 33 : 0, p->many_procs, "from so many ranks on messages cost more");
        is_near(5e-7, curve_value(&p->costs[FOR_MOVING].of[CHANNEL_NODE].send, 1), 0.4,
                "one more message below, but for what the rounds of barriers bend");
        ok(channel_costs_of(p, FOR_MOVING, 32) == &p->costs[FOR_MOVING], "32 ranks are few");
        if (breaks) {
            const struct seat_channel_costs *few = &p->costs[FOR_MOVING].of[CHANNEL_NODE];
            const struct seat_channel_costs *many = &p->many[FOR_MOVING].of[CHANNEL_NODE];
            is_near(8e-7, curve_value(&many->send, 1), 0.1, "... and from there on");
            ok(channel_costs_of(p, FOR_MOVING, 33) == &p->many[FOR_MOVING], "33 are many");
            const double longer = curve_value(&many->latency, 1) - curve_value(&few->latency, 1);
            ok(longer > 1e-6 && longer < 4e-6, "their messages take longer, too: by %g", longer);
        } else {
            ok(channel_costs_of(p, FOR_MOVING, 1000) == &p->costs[FOR_MOVING], "so are 1000");
        }
        channel_fits_clear(&fits);
        seat_costs_clear(&few_costs);
        seat_costs_clear(&many_costs);
        free(points.row);
    }
}

/* Ping-pongs that begin below zero, and ones that fall with the bytes. */
static void signs(void)
{
    struct points points = { .n = 0 };
    struct channel_fits fits;
    for (uint64_t m = 4; m <= 1 << 20; m *= 4) {
        add(&points, EXP_PINGPONG, CHANNEL_CACHE, 2, m, 1e-9 * (double)m - 1e-9, NAN);
        add(&points, EXP_PINGPONG, CHANNEL_CORE, 2, m, 1e-5 - 1e-12 * (double)m, NAN);
        add(&points, EXP_PINGPONG, CHANNEL_NODE, 2, m, 1e-6 + 1e-9 * (double)m, NAN);
    }
    is_int(0, channel_fit(&points, &FACTS, &fits, NULL), "fitted");
    const struct channel_platform *p = channel_platform_find(&fits, "openmpi");
    static const struct {
        enum channel channel;
        enum fit_status sign;
        int used;
    } wanted[] = { { CHANNEL_CACHE, FIT_ALPHA_UNIDENTIFIED, 1 },
                   { CHANNEL_CORE, FIT_BETA_NEGATIVE, 0 },
                   { CHANNEL_NODE, FIT_OK, 1 } };
    for (size_t i = 0; i < 3; i++) {
        is_str(fit_status_words[wanted[i].sign],
               fit_status_words[p->lines.hockney[wanted[i].channel].line.sign], "%s: said so",
               channel_words[wanted[i].channel]);
        is_int(wanted[i].used, channel_pingpong(&p->lines, wanted[i].channel, 4096) > 0,
               wanted[i].used ? "and used" : "and not used");
    }
    channel_fits_clear(&fits);
    free(points.row);
}

int main(void)
{
    struct points points = planted();
    struct channel_fits fits;
    struct err err = { 0 };
    is_int(0, channel_fit(&points, &FACTS, &fits, &err), "fitted: %s", err.text);
    const struct channel_platform *p = channel_platform_find(&fits, "openmpi");
    if (!ok(p != NULL, "a platform"))
        return tap_done();
    recovered(p);
    gammas(p);
    ratios(p);
    mixed(p);
    stages(&fits);
    defaults(&fits);
    sizes(&fits);
    ports(&fits);
    costs();
    thresholds();
    shares();
    relays();
    pingpongs_alone();
    medians();
    signs();
    channel_fits_clear(&fits);
    free(points.row);
    many_ranks();
    return tap_done();
}
