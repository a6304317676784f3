/* SPDX-License-Identifier: BSD-3-Clause */
/* loggp-t.c - the event walk against times counted by hand, and its path against its time. */
#include "analysis/walk/loggp.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEGMENT = 8192 };

/* At the segment: a hop of 54 us, a send of 4, a receive of 9. */
static const double L = 54e-6, S = 4e-6, R = 9e-6;

/* Sums of some thousand terms in another order: rounding only. */
static const double ROUNDING = 1e-12;

static const struct loggp_scale plain = { 1, 1 };
static const struct loggp_place alone = { 0 };

static struct loggp_costs costs_new(double slope)
{
    struct loggp_costs c = { .latency.n = 0 };
    for (int m = 0; m <= 2 * SEGMENT; m += SEGMENT) {
        double more = slope * (m - SEGMENT);
        curve_add(&c.latency, m, L + more);
        curve_add(&c.send, m, S + more / 4);
        curve_add(&c.receive, m, R + more / 4);
    }
    return c;
}

static int walk(const char *collective, const char *name, int procs, int root, int segments,
                struct loggp_scale scale, double slope, struct loggp_result *r)
{
    struct loggp_costs costs = costs_new(slope);
    struct schedule s;
    struct err err = { 0 };
    int status = schedule_init(&s, algorithm_find(collective, name), procs, root,
                               (uint64_t)segments * SEGMENT, SEGMENT, 0, &err);
    if (status == 0)
        status = loggp_walk(&s, &costs, alone, scale, r, &err);
    if (status < 0)
        diag("%s P=%d: %s", name, procs, err.text);
    loggp_costs_clear(&costs);
    return status;
}

static double seconds(const char *collective, const char *name, int procs, int segments)
{
    struct loggp_result r;
    return walk(collective, name, procs, 0, segments, plain, 0, &r) < 0 ? NAN : r.clock.time;
}

static double bcast(const char *name, int procs, int segments)
{
    return seconds("bcast", name, procs, segments);
}

static int ceil_log2(int n)
{
    int k = 0;
    while (1 << k < n)
        k++;
    return k;
}

/* ---- by hand ---- */

/* A relay receives and sends each segment; the last rank only receives. */
static double pipeline(int procs, int segments)
{
    double interval = procs == 2 ? fmax(S, R) : R + S;
    return (procs - 1) * L + (segments - 1) * interval;
}

/* Every rank sends to its largest subtree first: the last of the root's children got it k - 1 sends
 * later, and so on; the longest way is that over the hops, or over the sends. */
static double binomial(int procs)
{
    int k = ceil_log2(procs); /* procs = 2^k: with i hops among k steps, the others are sends */
    double longest = 0;
    for (int hops = 1; hops <= k; hops++)
        longest = fmax(longest, hops * L + (k - hops) * S);
    return longest;
}

static void by_hand(void)
{
    int wrong[5] = { 0 };
    for (int procs = 2; procs <= 130; procs++) {
        for (int n = 1; n <= 64; n *= 4)
            wrong[0] += fabs(bcast("pipeline", procs, n) / pipeline(procs, n) - 1) > ROUNDING;
        wrong[1] += fabs(bcast("basic_linear", procs, 1) / (L + (procs - 2) * S) - 1) > ROUNDING;
        if ((procs & (procs - 1)) == 0)
            wrong[2] += fabs(bcast("binomial", procs, 1) / binomial(procs) - 1) > ROUNDING;
        wrong[4] += fabs(seconds("gather", "basic_linear", procs, 1) / (L + (procs - 2) * R) - 1) >
                    ROUNDING;
    }
    ok(wrong[0] == 0, "pipeline: (P-1) latency + (n-1) (receive + send), %d wrong", wrong[0]);
    ok(wrong[1] == 0, "linear: latency + (P-2) send, %d wrong", wrong[1]);
    ok(wrong[2] == 0, "binomial among 2^k, one segment: k latency, %d wrong", wrong[2]);
    ok(wrong[4] == 0, "linear gather: latency + (P-2) receive, %d wrong", wrong[4]);
    /* Three relays of two children in a row decide, not the root, which only sends. */
    double step = bcast("binary_tree", 31, 40) - bcast("binary_tree", 31, 39);
    is_near(R + 2 * S, step, 1e-9, "binary tree: a further segment costs receive + 2 send");
    is_near(2 * S, bcast("binary_tree", 3, 40) - bcast("binary_tree", 3, 39), 0.2,
            "… and about the larger of receive and 2 send where the root's children are leaves");
}

/* P blocks of one segment: the scatter, then P - 1 hops, each waiting for the one before. */
static void ring(void)
{
    struct loggp_result r;
    if (walk("bcast", "scatter_allgather_ring", 8, 0, 8, plain, 0, &r) < 0)
        return (void)ok(0, "ring");
    is_near(7 * L, r.clock.time, 0.5, "ring: at least P-1 hops");
    ok(r.clock.time >= 7 * L + L, "… after a scatter of at least one (%g s)", r.clock.time);
}

/* ---- the path ---- */

static void path_is_time(void)
{
    static const struct loggp_scale scales[] = { { 1, 1 }, { 0.7, 1.9 }, { 2.5, 0 }, { 0, 1 } };
    const int all = getenv("COLLSEL_LONG") != NULL;
    int wrong = 0, stuck = 0, n = 0;
    for (const struct algorithm *a = algorithm_next(NULL); a; a = algorithm_next(a))
        for (int procs = 2; procs <= (a->levels  ? 0
                                      : a->unfit ? 2
                                                 : 130);
             procs += all || procs < 34 ? 1 : 24)
            for (int k = 0; k < 4; k++, n++) {
                struct loggp_result r;
                if (walk(a->collective, a->name, procs, procs / 3, 1 + 5 * k, scales[k], 2e-9, &r) <
                    0) {
                    stuck++;
                    continue;
                }
                double t = scales[k].latency * r.clock.latency + scales[k].gap * r.clock.gap;
                wrong += !(fabs(t - r.clock.time) <= 1e-9 * r.clock.time);
            }
    ok(stuck == 0, "every algorithm among 2 to 130 ranks ends (%d of %d do not)", stuck, n);
    ok(wrong == 0, "the path's sums times the scales are the time (%d of %d are not)", wrong, n);
}

/* ---- ports ---- */

/* A chain of fan-out one over nodes of two: every other message leaves a node. */
static void ports(void)
{
    struct loggp_costs costs = costs_new(0);
    const struct loggp_place two = { .nodes = 8, .ppn = 2 }, dealt = { 8, 2, 1 };
    struct loggp_result r;
    struct schedule s;
    enum { SEGMENTS = 100 };
    double bytes = (double)SEGMENTS * SEGMENT;
    costs.port = 20e-6 / SEGMENT;
    schedule_init(&s, algorithm_find("bcast", "pipeline"), 16, 0, (uint64_t)bytes, SEGMENT, 0,
                  NULL);
    loggp_walk(&s, &costs, two, plain, &r, NULL);
    is_near(15 * L + bytes * costs.port, r.clock.time, 1e-9,
            "a port of 20 us per segment decides over relays of 13");
    is_near(bytes * costs.port, r.port_s, 1e-9, "… and is told apart");
    loggp_walk(&s, &costs, dealt, plain, &r, NULL);
    is_near(15 * L + 2 * bytes * costs.port, r.clock.time, 1e-9,
            "ranks dealt out to nodes in turn: both of a node send away");
    costs.port = 5e-6 / SEGMENT;
    loggp_walk(&s, &costs, two, plain, &r, NULL);
    is_near(pipeline(16, SEGMENTS), r.clock.time, 1e-9, "a fast port does not");
    loggp_costs_clear(&costs);
}

/* ---- more receives at a time than are kept ---- */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* When the slowest rank of a linear all-to-all is done, with no list of messages but each rank's
 * own: at[src x procs + dst] is the place of dst among the sends of src. */
static double all_at_once(const struct schedule *s, const int *at, double *arrivals)
{
    const int procs = s->procs;
    double slowest = 0;
    for (int rank = 0; rank < procs; rank++) {
        double now = (procs - 1) * S;
        int n = 0;
        for (int src = 0; src < procs; src++)
            if (src != rank)
                arrivals[n++] = at[(size_t)src * (size_t)procs + (size_t)rank] * S + L;
        qsort(arrivals, (size_t)n, sizeof *arrivals, ascending);
        for (int i = 0; i < n; i++)
            now = fmax(now + R, arrivals[i]);
        slowest = fmax(slowest, now);
    }
    return slowest;
}

/* 2.36 million receives, of which some 2 million are kept at a time: some messages go out twice,
 * and count once in the ports. */
static void many_receives(void)
{
    enum { PROCS = 1536 };
    struct loggp_costs costs = costs_new(0);
    const struct loggp_place two = { .nodes = PROCS / 2, .ppn = 2 };
    struct loggp_result r;
    struct schedule s;
    struct round round = { 0 };
    struct err err = { 0 };
    int *at = calloc((size_t)PROCS * PROCS, sizeof *at);
    double *arrivals = calloc(PROCS, sizeof *arrivals);
    ok((uint64_t)PROCS * (PROCS - 1) > WALK_RECEIVES, "more receives than are kept");
    schedule_init(&s, algorithm_find("alltoall", "linear"), PROCS, 0, SEGMENT, 0, 0, &err);
    for (int src = 0; src < PROCS; src++) {
        int place = 0;
        schedule_round(&s, src, 0, &round);
        for (size_t i = 0; i < round.n; i++)
            if (round.ops[i].kind == OP_SEND)
                at[src * PROCS + round.ops[i].peer] = place++;
    }
    is_int(0, loggp_walk(&s, &costs, alone, plain, &r, &err), "an all-to-all of many is walked");
    is_near(all_at_once(&s, at, arrivals), r.clock.time, 1e-9,
            "... and takes what it takes by hand");
    costs.port = 1;
    loggp_walk(&s, &costs, two, plain, &r, &err);
    is_near(2.0 * (PROCS - 2) * SEGMENT, r.port_s, 1e-9, "... each message is once in a port");
    loggp_costs_clear(&costs);
    round_free(&round);
    free(arrivals);
    free(at);
}

/* ---- curves ---- */

static void curves(void)
{
    struct curve c = { 0 };
    is_near(0, curve_value(&c, 5), 0, "an empty curve is 0");
    curve_add(&c, 100, 3);
    is_near(3, curve_value(&c, 1e6), 0, "one point is a constant");
    curve_add(&c, 300, 7);
    curve_add(&c, 200, 4);
    is_near(3.5, curve_value(&c, 150), ROUNDING, "linear between points, in any order of adding");
    is_near(10, curve_value(&c, 400), ROUNDING, "the last slope beyond");
    is_near(2.5, curve_value(&c, 50), ROUNDING, "the first slope before");
    curve_add(&c, 100, 0.1);
    is_near(0, curve_value(&c, 0), 0, "never negative");
    curve_clear(&c);
}

int main(void)
{
    by_hand();
    ring();
    path_is_time();
    ports();
    many_receives();
    curves();
    return tap_done();
}
