/* SPDX-License-Identifier: BSD-3-Clause */
/* links_fit-t.c - the links models from planted ping-pongs, copies and a network. */
#include "analysis/models/links/links_fit.h"

#include <math.h>
#include <string.h>

#include "analysis/models/predictions.h"
#include "tests/analysis/dir.h"
#include "tests/analysis/planted.h"
#include "tests/tap.h"

static const double EXACT = 1e-9;

/* Eight nodes in a ring; 1 us a hop by the file, tenfold from 64 KiB on. */
static struct facts ring_of_8(const char *order)
{
    struct facts f = { .has_topology = 1,
                       .nodes = 8,
                       .sockets = 1,
                       .cores = 1,
                       .latency_factors = { 2, { { 0, 1 }, { 65536, 10 } } } };
    const struct network net = {
        .kind = TOPOLOGY_TORUS, .dims = 1, .extent = { 8 }, .link_rate = 1e9, .link_latency = 1e-6
    };
    topology_init(&f.topology, &net, NULL);
    snprintf(f.order, sizeof f.order, "%s", order);
    return f;
}

/* t(m) = 5 us + 1 ns/byte on one link, and what further hops take really: 3 us each. */
static double t_of(double bytes, int hops)
{
    return 5e-6 + 1e-9 * bytes + 3e-6 * (hops - 1) * (bytes >= 65536 ? 10 : 1);
}

static struct point point_of(enum experiment experiment, const char *algorithm, int procs,
                             uint64_t bytes)
{
    struct point p = planted_point(experiment, algorithm, procs, bytes, 0, 0, 0);
    snprintf(p.cell.collective, NAME_SIZE, "allgather");
    p.cell.nodes = 8;
    point_identify(&p);
    return p;
}

static struct planted one = { .samples = 1 };
static const uint64_t sizes[] = { 64, 8192, 65536, 1 << 20 };

static void add_pingpongs(struct points *points, int hops)
{
    for (int i = 0; i < 4; i++) {
        const struct point p = point_of(EXP_PINGPONG, "portable:pingpong", 2, sizes[i]);
        planted_add(points, &one, &p, t_of((double)sizes[i], hops));
    }
}

static void add_copies(struct points *points)
{
    for (int i = 0; i < 4; i++) {
        const struct point p = point_of(EXP_COPY, "portable:copy", 1, sizes[i]);
        planted_add(points, &one, &p, 1e-10 * (double)sizes[i]);
    }
}

static void check_sums(void)
{
    struct points points = { .n = 0 };
    const struct facts facts = ring_of_8("in_order");
    struct links_fits c;
    struct links_result r;
    struct schedule s;
    const struct point bruck = point_of(EXP_TIME, "portable:bruck", 8, 1000);
    add_pingpongs(&points, 1);
    add_copies(&points);
    planted_add(&points, &one, &bruck, 1);
    ok(links_fit(&points, &facts, &c, NULL) == 0, "fits");
    is_int(1, (long long)c.n_platforms, "one platform");
    is_int(1, c.platform[0].hops, "whose ping-pong crosses one link");
    is_int(0, (long long)c.platform[0].scale_points, "and says nothing of further ones");
    is_int(1, (long long)c.n, "one point is walked");
    equivalent_schedule(NULL, &bruck.cell, &bruck.candidate, &s, NULL);
    ok(links_of(&c, &bruck.cell, &bruck.candidate, &s, &r) == 0, "and found");
    /* Steps of 1, 2 and 4 blocks over as many links, as many messages on each. */
    const double copies = 1e-10 * (1000 + 1000 + 2 * 7000);
    is_near(t_of(1000, 1) + t_of(4000, 1) + t_of(16000, 1) + copies, links_seconds(&r), EXACT,
            "with collisions: t(C M), and the copies");
    is_near(t_of(1000, 1) + t_of(2000, 1) + t_of(4000, 1) + copies, links_alone_seconds(&r), EXACT,
            "without: t(M)");
    is_near(links_seconds(&r) + 0 + 1e-6 + 3e-6, links_step_hops_seconds(&r), EXACT,
            "with hops: one and three more, at the cluster file's latency");
    is_int(4, r.collisions, "C");
    is_near(links_step_hops_seconds(&r), links_queue_seconds(&r), EXACT,
            "with queues: the same here, where all messages of a step are alike");
    links_fits_clear(&c);
    free(points.row);
}

/* In this order ranks 0 and 1 are further apart. */
static void check_distance(void)
{
    struct points points = { .n = 0 };
    struct facts facts = ring_of_8("random:7");
    struct links_fits c;
    int position[8];
    topology_order(&facts.topology, facts.order, position, NULL);
    const int hops = topology_route(&facts.topology, position[0], position[1], NULL);
    add_pingpongs(&points, hops);
    links_fit(&points, &facts, &c, NULL);
    ok(hops > 1, "the order puts ranks 0 and 1 apart");
    is_int(hops, c.platform[0].hops, "the ping-pong's links are counted");
    is_near(hops * 1e-6, c.platform[0].latency, EXACT, "… and their latency");
    links_fits_clear(&c);
    free(points.row);
}

/* Two ranks on a node: ranks 0 and 1 are together, the channel `node` is to the next. */
static void check_channels(void)
{
    struct points points = { .n = 0 };
    struct facts facts = ring_of_8("in_order");
    struct links_fits c;
    facts.cores = 2;
    for (int i = 0; i < 4; i++) {
        struct point p = point_of(EXP_PINGPONG, "portable:pingpong", 2, sizes[i]);
        snprintf(p.cell.mapping, NAME_SIZE, "core");
        p.cell.ppn = 2;
        planted_add(&points, &one, &p, 1e-7);
        p.channel = CHANNEL_NODE;
        planted_add(&points, &one, &p, t_of((double)sizes[i], 1));
    }
    links_fit(&points, &facts, &c, NULL);
    is_int(1, (long long)c.n_platforms, "ping-pongs between nodes make a platform");
    is_near(t_of(8192, 1), curve_value(&c.platform[0].message, 8192), EXACT,
            "… those within a node do not count");
    is_near(1e-7, curve_value(&c.platform[0].inside[CHANNEL_CORE], 8192), EXACT,
            "… but for their channel");
    is_int(0, (long long)c.platform[0].inside[CHANNEL_SOCKET].n, "another has none");
    links_fits_clear(&c);
    points.n = 1;
    links_fit(&points, &facts, &c, NULL);
    is_int(0, (long long)c.n_platforms, "without one between nodes there is none");
    links_fits_clear(&c);
    free(points.row);
}

/* Ping-pongs to nodes 1 and 4, one and four links away: a hop takes 3 us, the file says 1. */
static void check_scale(void)
{
    struct points points = { .n = 0 };
    const struct facts facts = ring_of_8("in_order");
    struct links_fits c;
    for (int i = 0; i < 4; i++) {
        struct point p = point_of(EXP_PINGPONG, "portable:pingpong", 5, sizes[i]);
        p.channel = CHANNEL_NODE;
        planted_add(&points, &one, &p, t_of((double)sizes[i], 4));
    }
    add_pingpongs(&points, 1);
    links_fit(&points, &facts, &c, NULL);
    is_int(1, c.platform[0].hops, "t(m) is of the nearer ping-pong");
    is_near(t_of(8192, 1), curve_value(&c.platform[0].message, 8192), EXACT, "… alone");
    is_int(4, (long long)c.platform[0].scale_points, "the farther ones give the latency of a hop");
    is_near(3, c.platform[0].latency_scale, EXACT,
            "… three times the file's, which is tenfold for large messages");
    links_fits_clear(&c);
    free(points.row);
}

static void check_models(void)
{
    struct points points = { .n = 0 };
    const struct facts facts = ring_of_8("in_order");
    struct links_fits c;
    const struct parameters p = { .facts = &facts, .held = { { &links_set, &c, NULL } } };
    const struct point ring = point_of(EXP_TIME, "portable:ring", 8, 1000),
                       held = point_of(EXP_TIME, "portable:bruck", 8, 3000);
    add_pingpongs(&points, 1);
    planted_add(&points, &one, &ring, 1);
    links_fit(&points, &facts, &c, NULL);
    struct prediction r = model_predict(model_find("links_step"), &p, &ring.cell, &ring.candidate);
    is_str("ok", predict_status_words[r.status], "a point is predicted");
    is_near(7 * t_of(1000, 1), r.seconds, EXACT, "… by its walk");
    r = model_predict(model_find("links_step"), &p, &held.cell, &held.candidate);
    is_near(t_of(3000, 1) + t_of(12000, 1) + t_of(48000, 1), r.seconds, EXACT,
            "what is no point is walked");
    r = model_predict(model_find("links_free"), &p, &held.cell, &held.candidate);
    is_near(t_of(3000, 1) + t_of(6000, 1) + t_of(12000, 1), r.seconds, EXACT, "without collisions");
    /* 7 hops of 300,000 segments: more messages than are walked in the order of time. */
    struct point many = planted_point(EXP_TIME, "portable:pipeline", 8, 300000, 1, 0, 0);
    many.cell.nodes = 8;
    r = model_predict(model_find("links_queue"), &p, &many.cell, &many.candidate);
    is_str("too_many", predict_status_words[r.status], "more messages than are walked: said so");
    r = model_predict(model_find("links_step"), &p, &many.cell, &many.candidate);
    is_near(300006 * t_of(1, 1), r.seconds, EXACT, "… which steps are");
    ok(model_find("links_step")->applies(&p), "the models apply");
    links_fits_clear(&c);
    ok(!model_find("links_step")->applies(&p), "without ping-pongs they do not");
    r = model_predict(model_find("links_step"), &p, &held.cell, &held.candidate);
    is_str("no_fit", predict_status_words[r.status], "… and predict nothing");
    free(points.row);
}

/* Four nodes of two cores, the ping-pong between nodes is of the channel and up to 1 MiB: the other
 * mapping has it, too. */
static void check_reach(void)
{
    struct points points = { .n = 0 };
    struct facts facts = ring_of_8("in_order");
    struct links_fits c;
    const struct parameters p = { .facts = &facts, .held = { { &links_set, &c, NULL } } };
    struct point at[4];
    const int procs[] = { 2, 8, 2, 8 };
    const uint64_t bytes[] = { 1000, 1000, 512 << 10, 512 << 10 };
    facts.cores = 2;
    for (int i = 0; i < 4; i++) {
        struct point ping = point_of(EXP_PINGPONG, "portable:pingpong", 2, sizes[i]);
        ping.channel = CHANNEL_NODE;
        planted_add(&points, &one, &ping, t_of((double)sizes[i], 1));
        at[i] = point_of(EXP_TIME, "portable:bruck", procs[i], bytes[i]);
        snprintf(at[i].cell.mapping, NAME_SIZE, "core");
        at[i].cell.ppn = 2;
        point_identify(&at[i]);
        planted_add(&points, &one, &at[i], 1);
    }
    links_fit(&points, &facts, &c, NULL);
    is_int(2, (long long)c.n_platforms, "a channel's ping-pong serves mappings without their own");
    is_int(4, (long long)c.n, "… and their points are walked");
    const struct model *with = model_find("links_step"), *alone = model_find("links_free");
    struct prediction r = model_predict(with, &p, &at[0].cell, &at[0].candidate);
    is_str("no_fit", predict_status_words[r.status], "all messages within a node: no prediction");
    r = model_predict(model_find("links_queue"), &p, &at[0].cell, &at[0].candidate);
    is_str("no_fit", predict_status_words[r.status], "… of any of the models");
    r = model_predict(with, &p, &at[1].cell, &at[1].candidate);
    is_str("ok", predict_status_words[r.status], "between nodes there is one");
    r = model_predict(with, &p, &at[3].cell, &at[3].candidate);
    is_str("extrapolated", predict_status_words[r.status], "C M beyond the ping-pong's sizes");
    r = model_predict(alone, &p, &at[3].cell, &at[3].candidate);
    is_str("extrapolated", predict_status_words[r.status], "… and so M = 4 blocks");
    at[3].cell.bytes = 256 << 10;
    r = model_predict(alone, &p, &at[3].cell, &at[3].candidate);
    is_str("ok", predict_status_words[r.status], "4 blocks of 256 KiB are within");
    r = model_predict(with, &p, &at[3].cell, &at[3].candidate);
    is_str("extrapolated", predict_status_words[r.status], "… but not with collisions");
    links_fits_clear(&c);
    free(points.row);
}

static size_t lines_of(const char *dir, const char *name)
{
    char path[PATH_SIZE];
    size_t n = 0;
    fs_path(path, sizeof path, NULL, "%s/fit/%s.csv", dir, name);
    char *text = fs_read(path, NULL, NULL);
    for (const char *p = text; p && (p = strchr(p, '\n')); p++)
        n++;
    free(text);
    return n;
}

static void check_files(void)
{
    struct points points = { .n = 0 };
    const struct facts facts = ring_of_8("in_order");
    struct links_fits c;
    struct err err = { 0 };
    char dir[200];
    if (!ok(dir_make(dir, sizeof dir) != NULL, "a directory"))
        return;
    const struct point ring = point_of(EXP_TIME, "portable:ring", 8, 1000);
    add_pingpongs(&points, 1);
    planted_add(&points, &one, &ring, 1);
    links_fit(&points, &facts, &c, NULL);
    ok(links_fits_write(dir, "unknown", &c, &err) == 0, "written%s", err.text);
    is_int(2, (long long)lines_of(dir, "links_platform"), "one platform");
    is_int(2, (long long)lines_of(dir, "links"), "one point");
    links_fits_clear(&c);
    ok(links_fits_write(dir, "unknown", &c, &err) == 0 && lines_of(dir, "links") == 0,
       "without a platform the files go");
    dir_remove(dir);
    free(points.row);
}

int main(void)
{
    check_sums();
    check_distance();
    check_channels();
    check_scale();
    check_models();
    check_reach();
    check_files();
    return tap_done();
}
