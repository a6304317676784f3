/* SPDX-License-Identifier: BSD-3-Clause */
/* The plan: placement, launches, names, files; estimates of messages. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/run/estimate.h"
#include "harness/study/libraries/natives.h"
#include "harness/study/plan.h"
#include "harness/study/plan/same.h"
#include "harness/study/plan/experiments.h"
#include "harness/study/plan/plan_build.h"
#include "harness/study/store.h"
#include "tests/tap.h"
#include "workloads/schedules/schedule.h"
#include "workloads/schedules/trace.h"

static void check_names(void)
{
    static const char *const good[] = { "smpi-core-124x1-p124-r1",
                                        "openmpi-4.1-gcc_12-core-1x2-p2-r1",
                                        "openmpi-node-2x18-p36-c3-r12" };
    static const char *const bad[] = { "",
                                       "smpi",
                                       "smpi-core-124x1-p124",
                                       "smpi-core-124x1-p124-r0",
                                       "smpi-core-0x1-p124-r1",
                                       "smpi-core-1x1-p-r1",
                                       "smpi-core-1x1-p1-r1-",
                                       "smpi-core-1x1-p1-c-r1",
                                       "smpi--1x1-p1-r1",
                                       "sm/pi-core-1x1-p1-r1",
                                       "smpi-core-1x1-p999999999999-r1" };
    struct launch l;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        if (ok(launch_parse(good[i], &l, NULL) == 0, "'%s' is a launch", good[i]))
            is_str(good[i], l.name, "and keeps its name");
    is_int(18, l.ppn, "its ranks per node");
    is_int(36, l.procs, "its world");
    is_int(3, l.chunk, "its chunk");
    is_int(12, l.repeat, "its repeat");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ok(launch_parse(bad[i], &l, NULL) < 0, "'%s' is none", bad[i]);
    launch_parse(good[1], &l, NULL);
    is_str("openmpi-4.1-gcc_12", l.mpi, "an entry's name may have '-' and '.'");
    is_str("core", l.mapping, "the mapping stands behind it");
    int attempt;
    char digest[16];
    is_int(1, store_parse_name("openmpi-4.1-core-1x2-p2-r1.a3-0123abcd.csv", &l, &attempt, digest),
           "so do the files of its samples");
    ok(attempt == 3 && !strcmp(digest, "0123abcd") && !strcmp(l.mpi, "openmpi-4.1"),
       "and are read");
}

struct placed {
    int procs, nodes, ppn; /* nodes 0: no room */
};

static void check_placement(const struct cluster *c, const struct study *s)
{
    static const struct placed rows[] = { { 1, 1, 1 },    { 50, 50, 1 }, { 51, 51, 1 },
                                          { 52, 26, 2 },  { 80, 40, 2 }, { 90, 45, 2 },
                                          { 102, 51, 2 }, { 103, 0, 0 } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int nodes, ppn, status = plan_place(c, s, "socket", rows[i].procs, &nodes, &ppn, NULL);
        if (rows[i].nodes == 0) {
            is_int(-1, status, "%d do not fit on grisou, one per CPU", rows[i].procs);
            continue;
        }
        is_int(rows[i].nodes, nodes, "%d processes take %d nodes", rows[i].procs, rows[i].nodes);
        is_int(rows[i].ppn, ppn, "with %d on each", rows[i].ppn);
    }
}

static int same_plans(const struct plan *a, const struct plan *b)
{
    if (a->n != b->n || a->n_launches != b->n_launches || a->n_skipped != b->n_skipped)
        return 0;
    for (size_t k = 0; k < a->n_launches; k++) {
        const struct launch *l = &a->launches[k], *m = &b->launches[k];
        if (strcmp(l->name, m->name) != 0 || l->n != m->n)
            return 0;
        for (size_t i = 0; i < l->n; i++)
            if (strcmp(a->points[l->first + i].id, b->points[m->first + i].id) != 0)
                return 0;
    }
    return 1;
}

static void check_files(const struct plan *plan)
{
    char dir[] = "/tmp/collsel-plan-XXXXXX", path[64];
    struct plan back;
    struct err err = { 0 };
    if (!mkdtemp(dir))
        return;
    snprintf(path, sizeof path, "%s/plan.csv", dir);
    ok(plan_write(plan, dir, &err) == 0, "a plan is written %s", err.text);
    if (ok(plan_read(path, &back, &err) == 0, "and read %s", err.text)) {
        ok(same_plans(plan, &back), "and is the same, skipped points included");
        plan_free(&back);
    }
    unlink(path);
    snprintf(path, sizeof path, "%s/skipped.csv", dir);
    unlink(path);
    rmdir(dir);
}

/* Each point is in one launch of each repeat, which has its library, mapping and room. */
static void check_launches(const struct plan *plan, int repeats)
{
    size_t points = 0, alien = 0;
    for (size_t k = 0; k < plan->n_launches; k++) {
        const struct launch *l = &plan->launches[k];
        points += l->n;
        for (size_t i = l->first; i < l->first + l->n; i++) {
            const struct cell *c = &plan->points[i].cell;
            alien += strcmp(c->mpi, l->mpi) != 0 || strcmp(c->mapping, l->mapping) != 0 ||
                     c->nodes != l->nodes || c->ppn != l->ppn || c->procs > l->procs;
        }
        ok(k == 0 || plan->launches[k - 1].repeat <= l->repeat, "%s: repeats in turn", l->name);
    }
    is_int((long long)plan->n, (long long)points, "every point is in a launch");
    is_int(0, (long long)alien, "and belongs there");
    ok(plan->n % (size_t)repeats == 0, "%d repeats of each", repeats);
}

static void check_study(const char *cluster, const char *study, const char *backend, int repeats)
{
    struct cluster c;
    struct study s;
    struct plan a, b;
    struct err err = { 0 };
    if (!ok(cluster_load("clusters", cluster, &c, &err) == 0, "%s loads %s", cluster, err.text))
        return;
    if (ok(study_load("clusters/studies", study, &c, &s, &err) == 0, "%s loads %s", study,
           err.text)) {
        s.repeats = repeats;
        if (ok(plan_build(&c, &s, backend, &a, &err) == 0, "it is planned %s", err.text)) {
            if (ok(plan_build(&c, &s, backend, &b, &err) == 0, "and again"))
                ok(same_plans(&a, &b), "and is the same");
            plan_free(&b);
            check_launches(&a, strcmp(backend, "local") == 0 ? repeats : 1);
            check_files(&a);
            plan_free(&a);
        }
        if (strcmp(cluster, "grisou") == 0)
            check_placement(&c, &s);
        study_free(&s);
    }
    cluster_free(&c);
}

static void check_chunks(void)
{
    struct cluster c;
    struct study s;
    struct plan p;
    double least = 1e300, most = 0;
    if (cluster_load("clusters", "gros", &c, NULL) < 0)
        return;
    if (study_load("clusters/studies", "bcast", &c, &s, NULL) == 0) {
        s.launch_messages = 500000;
        if (plan_build(&c, &s, "sim", &p, NULL) == 0) {
            for (size_t i = 0; i < p.n_launches; i++)
                if (p.launches[i].procs == 124) {
                    least = p.launches[i].messages < least ? p.launches[i].messages : least;
                    most = p.launches[i].messages > most ? p.launches[i].messages : most;
                }
            ok(most <= 550000, "chunks of P = 124 stay near the limit (%g messages)", most);
            ok(least > 0.9 * most, "and are of like size (%g to %g)", least, most);
            plan_free(&p);
        }
        study_free(&s);
    }
    cluster_free(&c);
}

static void check_left_out(void)
{
    struct cluster c;
    struct study s;
    struct plan p;
    if (cluster_load("clusters", "local", &c, NULL) < 0)
        return;
    if (study_load("clusters/studies", "bcast", &c, &s, NULL) == 0) {
        s.repeats = 2;
        if (plan_build(&c, &s, "local", &p, NULL) == 0) {
            size_t all = p.n, skipped = p.n_skipped, mpich = 0;
            for (size_t i = 0; i < p.n; i++)
                mpich += strcmp(p.points[i].cell.mpi, "mpich") == 0;
            plan_leave_out(&p, "mpich", "not here");
            is_int((long long)(all - mpich), (long long)p.n, "its points are no more planned");
            is_int((long long)(skipped + mpich / 2), (long long)p.n_skipped,
                   "but skipped, once for both repeats");
            check_launches(&p, 2);
            is_str("not here", p.skipped[p.n_skipped - 1].reason, "with the reason");
            plan_free(&p);
        }
        study_free(&s);
    }
    cluster_free(&c);
}

/* Two nodes of two sockets of four cores, two on a cache. */
static const struct packed {
    const char *mapping;
    int procs, nodes, ppn; /* nodes 0: no room */
} packed[] = {
    { "core", 1, 1, 1 },  { "core", 8, 1, 8 },   { "core", 9, 2, 8 },    { "core", 16, 2, 8 },
    { "core", 17, 0, 0 }, { "socket", 2, 1, 2 }, { "socket", 12, 2, 8 }, { "node", 1, 1, 1 },
    { "node", 2, 2, 1 },  { "node", 5, 2, 3 },   { "node", 16, 2, 8 },   { "node", 17, 0, 0 },
};

static void check_packed(const struct cluster *c, const struct study *s)
{
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++) {
        const struct packed *p = &packed[i];
        int nodes, ppn, status = plan_place(c, s, p->mapping, p->procs, &nodes, &ppn, NULL);
        is_int(p->nodes ? 0 : -1, status, "%s, packed: %d processes %s", p->mapping, p->procs,
               p->nodes ? "fit" : "do not");
        if (status < 0)
            continue;
        is_int(p->nodes, nodes, "on %d nodes", p->nodes);
        is_int(p->ppn, ppn, "with %d on each", p->ppn);
    }
}

struct team {
    enum channel channel;
    int procs, world;
};

/* By hand: with mapping core rank 1 shares rank 0's cache, 2 and 3 its socket, 4 to 7 its node; the
 * study launches 2, 6, 12 and 16 ranks. */
static void check_teams(const struct cluster *c, struct study *s)
{
    static const struct team teams[] = {
        { CHANNEL_CACHE, 2, 2 },  { CHANNEL_CORE, 2, 6 },    { CHANNEL_CORE, 3, 6 },
        { CHANNEL_SOCKET, 3, 6 }, { CHANNEL_SOCKET, 4, 12 }, { CHANNEL_SOCKET, 5, 12 },
        { CHANNEL_NODE, 5, 12 },  { CHANNEL_NODE, 9, 16 },   { CHANNEL_CACHE, 3, 0 },
        { CHANNEL_SOCKET, 6, 0 }, { CHANNEL_NODE, 10, 0 },
    };
    static const int most[N_CHANNELS] = { 16, 2, 3, 5, 9 };
    struct team_place at;
    struct err err = { 0 };
    for (size_t i = 0; i < sizeof teams / sizeof *teams; i++) {
        const struct team *t = &teams[i];
        const int status = plan_team_place(c, s, t->channel, t->procs, &at, &err);
        is_int(t->world ? 0 : -1, status, "%d processes on channel %s: %s", t->procs,
               channel_words[t->channel], t->world ? "there" : "nowhere");
        if (status == 0)
            is_int(t->world, at.world, "in a world of %d", t->world);
        if (status == 0)
            is_str("core", at.mapping, "by the first mapping");
    }
    for (int k = 1; k < N_CHANNELS; k++)
        is_int(most[k], plan_team_most(c, s, (enum channel)k), "channel %s holds %d",
               channel_words[(enum channel)k], most[k]);
    s->procs.n--; /* without 16 ranks, mapping node has more on the other node than mapping core */
    s->fit_procs.v[0] = 12;
    is_int(7, plan_team_most(c, s, CHANNEL_NODE), "12 ranks by node: six on the other");
    ok(plan_team_place(c, s, CHANNEL_NODE, 7, &at, &err) == 0 && strcmp(at.mapping, "node") == 0 &&
           at.world == 12,
       "seven are found there");
    ok(plan_team_place(c, s, CHANNEL_NODE, 9, &at, &err) == 0 && at.world == 16,
       "nine in a world of the whole cluster, which the study does not launch");
    s->procs.n++;
    s->fit_procs.v[0] = 16;
}

/* A channel point belongs to a launch of other ranks too; each is planned once. */
static void check_channel_points(const struct cluster *c, const struct study *s)
{
    static const int fans[N_CHANNELS] = { 0, 1, 2, 4, 8 };
    struct plan p;
    if (!ok(plan_build(c, s, "null", &p, NULL) == 0, "a study of channels is planned"))
        return;
    size_t count[N_EXPERIMENTS][N_CHANNELS] = { 0 }, mappings[3] = { 0 };
    for (size_t i = 0; i < p.n; i++) {
        const struct point *q = &p.points[i];
        count[q->experiment][q->channel]++;
        for (size_t k = 0; k < 3; k++)
            mappings[k] += strcmp(q->cell.mapping, s->mappings.v[k]) == 0;
    }
    for (int k = 1; k < N_CHANNELS; k++) {
        is_int(2, (long long)count[EXP_PINGPONG][k], "%s: ping-pong of two sizes",
               channel_words[(enum channel)k]);
        is_int(2 * fans[k], (long long)count[EXP_FANOUT][k], "%d fan-outs of two sizes", fans[k]);
        is_int(2 * fans[k], (long long)count[EXP_FANIN][k], "and as many fan-ins");
    }
    ok(mappings[0] && mappings[1] && mappings[2], "and all three mappings of the study are there");
    check_launches(&p, 1);
    check_files(&p);
    plan_free(&p);
}

/* Fewer nodes than there are. */
static void check_nodes(const struct cluster *c, struct study *s)
{
    int nodes, ppn;
    s->nodes = 1;
    is_int(0, plan_place(c, s, "node", 8, &nodes, &ppn, NULL), "one node of two is used");
    is_int(1, nodes, "by mapping node, too");
    is_int(8, ppn, "which then has all ranks");
    is_int(-1, plan_place(c, s, "core", 9, &nodes, &ppn, NULL), "and no more than it holds");
    s->nodes = 2;
}

/* Without reductions there is no fan-in. */
static void check_no_fanin(const struct cluster *c, struct study *s)
{
    struct plan p;
    size_t fanins = 0;
    s->collectives.n--;
    if (ok(plan_build(c, s, "null", &p, NULL) == 0, "broadcast alone is planned")) {
        for (size_t i = 0; i < p.n; i++)
            fanins += p.points[i].experiment == EXP_FANIN;
        is_int(0, (long long)fanins, "without fan-ins");
        plan_free(&p);
    }
    s->collectives.n++;
}

static void check_no_team(const struct cluster *c, struct study *s)
{
    struct plan p;
    size_t cache = 0;
    snprintf(s->ranks_per, sizeof s->ranks_per, "node");
    if (ok(plan_build(c, s, "null", &p, NULL) == 0, "one rank per node is planned")) {
        for (size_t i = 0; i < p.n_skipped; i++)
            cache += p.skipped[i].point.channel == CHANNEL_CACHE &&
                     strstr(p.skipped[i].reason, "on channel 'cache'") != NULL;
        is_int(2 * 3, (long long)cache, "ping-pong, fan-out and fan-in within a cache are skipped");
        check_files(&p);
        plan_free(&p);
    }
}

static void check_channels(void)
{
    struct cluster c;
    struct study s;
    struct err err = { 0 };
    if (!ok(cluster_load("", "tests/harness/caches.ini", &c, &err) == 0, "loads %s", err.text))
        return;
    if (ok(study_load("", "tests/harness/channels.ini", &c, &s, &err) == 0, "loads %s", err.text)) {
        check_packed(&c, &s);
        check_teams(&c, &s);
        check_channel_points(&c, &s);
        check_nodes(&c, &s);
        check_no_fanin(&c, &s);
        check_no_team(&c, &s);
        study_free(&s);
    }
    cluster_free(&c);
}

/* Who leads whom on a socket is known from the cluster alone. */
static void check_combination(void)
{
    struct cluster c;
    struct err err = { 0 };
    struct point p = { .experiment = EXP_TIME,
                       .cell = { .collective = "bcast",
                                 .mapping = "core",
                                 .nodes = 2,
                                 .ppn = 16,
                                 .procs = 32,
                                 .bytes = 1 << 20 } };
    snprintf(p.candidate.algorithm, NAME_SIZE, "portable:two_level.socket.chain-s64K.chain");
    if (!ok(cluster_load("", "clusters/grisou.ini", &c, &err) == 0, "loads %s", err.text))
        return;
    const double sockets = bound_messages(&p, &c, 1);
    snprintf(p.candidate.algorithm, NAME_SIZE, "portable:two_level.chain-s64K.chain");
    const double nodes = bound_messages(&p, &c, 1);
    ok(nodes > 2 * 31 + 160, "a combination of segments among nodes: %g", nodes);
    ok(sockets > 2 * 31 + 160, "… and among sockets: %g", sockets);
    cluster_free(&c);
}

/* ---- what goes over a node's link ---- */

enum { LINK_NODES = 16, LINK_BYTES = 4096 };

struct link_bytes {
    int ppn;
    double out[LINK_NODES], in[LINK_NODES];
};

static void add_pair(const struct traffic *pair, void *arg)
{
    struct link_bytes *l = arg;
    const int from = pair->src / l->ppn, to = pair->dst / l->ppn;
    if (from == to)
        return;
    l->out[from] += (double)pair->bytes;
    l->in[to] += (double)pair->bytes;
}

/* Bytes over the busiest link of nodes that are filled one after the other; 0: it does not run. */
static double busiest_link(const struct algorithm *a, int procs, int ppn)
{
    struct schedule s;
    struct link_bytes l = { .ppn = ppn };
    double most = 0;
    if (schedule_init(&s, a, procs, 0, LINK_BYTES, 0, 0, NULL) < 0)
        return 0;
    traffic_each(&s, add_pair, &l);
    for (int n = 0; n < LINK_NODES; n++)
        most = fmax(most, fmax(l.out[n], l.in[n]));
    return most;
}

/* Of every schedule there is: a call takes no longer than is bounded. */
static void check_links(void)
{
    static const int shapes[][2] = { { 16, 1 }, { 13, 1 }, { 16, 4 }, { 30, 8 }, { 32, 16 } };
    const struct cluster c = { .nodes = LINK_NODES, .sockets = 1, .cores = 16, .link_rate = 8 };
    const struct study s = { .inner = 1 };
    for (const struct collective *of = collectives; of->name && of->rows[0]; of++) {
        const char *worst = "none";
        double most = 0;
        for (const struct algorithm *a = NULL; (a = collective_algorithm(of, a));)
            for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
                struct point p = {
                    .experiment = EXP_TIME,
                    .cell = { .ppn = shapes[i][1], .procs = shapes[i][0], .bytes = LINK_BYTES }
                };
                snprintf(p.cell.collective, NAME_SIZE, "%s", of->name);
                snprintf(p.candidate.algorithm, NAME_SIZE, "portable:%s", a->name);
                const double share = a->levels ? 0
                                               : busiest_link(a, shapes[i][0], shapes[i][1]) /
                                                     bound_call(&p, &c, &s);
                worst = share > most ? a->name : worst;
                most = fmax(most, share);
            }
        ok(most <= 1, "%s: no schedule puts more on a node's link than is bounded (%s: %.2f of it)",
           of->name, worst, most);
    }
}

/* All-to-alls of 32 ranks, eight below each leaf switch, by hand. */
static void check_all_to_all(void)
{
    struct cluster c = { .nodes = 32,
                         .sockets = 1,
                         .cores = 1,
                         .link_rate = 1e8,
                         .trunk_rate = 1e8,
                         .switch_ports = 8 };
    const struct study s = { .inner = 1 };
    const double m = 8192, barrier = 32 * 5, start_s = 3e-6;
    struct point p = { .experiment = EXP_TIME,
                       .cell = { .collective = "alltoall",
                                 .mapping = "core",
                                 .nodes = 32,
                                 .ppn = 1,
                                 .procs = 32,
                                 .bytes = 8192 } };
    snprintf(p.candidate.algorithm, NAME_SIZE, "portable:linear");
    is_near(32 * 31 + barrier, bound_messages(&p, &c, 1), 1e-12,
            "a linear all-to-all sends all that it sends in one round");
    snprintf(p.candidate.algorithm, NAME_SIZE, "portable:pairwise");
    is_near(32 * 31 + barrier, bound_messages(&p, &c, 1), 1e-12, "a pairwise one as many");
    const double wired_s = (31 * m + 8 * 24 * m) * 8 / 1e8 + (32 * 31 + barrier) * start_s;
    is_near(wired_s, bound_call(&p, &c, &s), 1e-12,
            "31 blocks cross a node's link, and 8 x 24 the trunk of a leaf");
    c.emulated = 1;
    is_near(wired_s + 32 * 31 * m * 15e-9 / (double)sysconf(_SC_NPROCESSORS_ONLN),
            bound_call(&p, &c, &s), 1e-12, "emulated, this machine carries all of them");
    c.emulated = 0;
    c.trunk_rate = 0;
    is_near(31 * m * 8 / 1e8 + (32 * 31 + barrier) * start_s, bound_call(&p, &c, &s), 1e-12,
            "a trunk without a rate is never the bottleneck");
}

static void check_messages(void)
{
    struct cluster c = { .nodes = 100, .sockets = 1, .cores = 1 };
    struct point p = { .experiment = EXP_TIME,
                       .cell = { .collective = "bcast", .procs = 100, .bytes = 1 << 20 } };
    snprintf(p.candidate.algorithm, NAME_SIZE, "portable:pipeline");
    p.candidate.segment_bytes = 8192;
    double pipeline = bound_messages(&p, &c, 10);
    ok(pipeline > 128 * 99 && pipeline < 1.3 * 128 * 99,
       "a pipeline of 128 segments to 99 ranks: %g", pipeline);
    p.experiment = EXP_PINGPONG;
    is_near(2, bound_messages(&p, &c, 10), 0, "a ping-pong has two messages");
    p.experiment = EXP_BARRIER;
    is_near(10 * 100 * 7, bound_messages(&p, &c, 10), 0, "ten dissemination barriers of 100 ranks");
    check_combination();
    check_all_to_all();
    check_links();
}

/* ---- what is timed once ---- */

static void take_candidate(struct point *p, const char *algorithm, uint64_t segment_bytes)
{
    p->candidate = (struct candidate){ .segment_bytes = segment_bytes };
    snprintf(p->candidate.algorithm, NAME_SIZE, "%s", algorithm);
    point_identify(p);
}

static void check_same(void)
{
    struct cluster c = { .nodes = 100, .sockets = 1, .cores = 1 };
    struct study s = { .inner = 10, .min_reps = 10, .budget = 1, .warmup = 3 };
    const struct history none = { .n_twins = 0 };
    struct point p[6];
    for (int i = 0; i < 6; i++)
        p[i] = (struct point){ .experiment = EXP_TIME,
                               .cell = { .collective = "bcast",
                                         .mpi = "openmpi",
                                         .mapping = "core",
                                         .nodes = 8,
                                         .ppn = 1,
                                         .procs = 8,
                                         .bytes = 8192 } };
    take_candidate(&p[0], "openmpi:split_binary_tree", 8192);
    take_candidate(&p[1], "portable:pipeline", 8192);
    take_candidate(&p[2], "openmpi:pipeline", 8192);
    take_candidate(&p[3], "openmpi:pipeline", 4096);
    take_candidate(&p[4], "openmpi:pipeline", 8192);
    p[4].cell.bytes = 8191;
    take_candidate(&p[5], "openmpi:default", 0);
    size_t *same = same_find(&c, p, 6, NULL);
    is_int(0, (int)same[2], "a pipeline is timed with the split binary tree of one segment");
    ok(same[0] == 0 && same[1] == 1 && same[3] == 3 && same[4] == 4 && same[5] == 5,
       "not ours, not other segments or sizes, nor what the library chooses");
    free(same);
    same = same_find(&c, p, 6, "\0\1\1\1\1");
    is_int(2, (int)same[2], "what was measured before stands for nobody");
    free(same);
    for (int i = 0; i < 4; i++)
        snprintf(p[i].cell.collective, NAME_SIZE, "alltoall");
    take_candidate(&p[0], "openmpi:linear_sync", 0);
    take_candidate(&p[1], "portable:linear", 0);
    take_candidate(&p[2], "openmpi:linear", 0);
    take_candidate(&p[3], "openmpi:linear_sync", 0);
    p[3].candidate.fanout = 6;
    same = same_find(&c, p, 4, NULL);
    ok(same[2] == 0 && same[1] == 1 && same[3] == 3,
       "a linear all-to-all of seven requests is linear, of six it is not");
    free(same);
    for (int i = 0; i < 4; i++)
        snprintf(p[i].cell.collective, NAME_SIZE, "bcast");
    take_candidate(&p[0], "openmpi:split_binary_tree", 8192);
    take_candidate(&p[1], "portable:pipeline", 8192);
    take_candidate(&p[2], "openmpi:pipeline", 8192);
    const struct plan plan = { .points = p, .n = 6 };
    const struct launch both = { .n = 3 }, one = { .n = 2 };
    const double of_one = estimate_launch(&plan, &one, &c, &s, 1, NULL, &none),
                 more = estimate_launch(&plan, &both, &c, &s, 1, NULL, &none) - of_one;
    ok(more > 0 && more < 0.9 * (of_one - 0.5) / 2, "and takes but a look more: %g s beside %g s",
       more, of_one);
}

/* ---- allgather: no root, gamma from broadcasts, copies of what schedules copy ---- */

static size_t count(const struct plan *p, enum experiment experiment, const char *collective)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++)
        n += p->points[i].experiment == experiment &&
             strcmp(p->points[i].cell.collective, collective) == 0;
    return n;
}

static size_t count_other_roots(const struct plan *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++)
        n += p->points[i].cell.root != 0;
    return n;
}

/* Blocks of 8 bytes to 1 MiB among 24: a ring copies one block, Bruck at most 23 (MPICH's 24). */
static void check_copies(const struct study *s)
{
    struct study given = *s;
    struct size_list sizes;
    is_int(0, plan_copy_sizes(s, "allgather", &sizes, NULL), "sizes of copies");
    is_int(8, (long long)sizes.v[0], "from one block of the least size");
    is_int(16, (long long)sizes.v[1], "in doublings");
    is_int(24 << 20, (long long)sizes.v[sizes.n - 1], "to all blocks of the greatest");
    is_int(23, (long long)sizes.n, "so many");
    is_int(0, plan_copy_sizes(s, "bcast", &sizes, NULL), "a broadcast");
    is_int(0, (long long)sizes.n, "copies nothing");
    given.copy_bytes = (struct size_list){ 2, { 100, 5000 } };
    plan_copy_sizes(&given, "allgather", &sizes, NULL);
    is_int(2, (long long)sizes.n, "or the sizes that the study lists");
    given.copy_bytes.n = 0;
    given.procs = (struct int_list){ .n = 1, .v = { 1000000 } };
    plan_copy_sizes(&given, "allgather", &sizes, NULL);
    is_int(8, (long long)sizes.v[0], "among a million ranks, whose rings have as many rounds");
    is_int(1000000LL << 20, (long long)sizes.v[sizes.n - 1], "the same, without a look at each");
}

/* What runs among two ranks alone is skipped elsewhere, with the reason. */
static void check_two_only(const struct cluster *c, struct study *s)
{
    struct plan p;
    struct err err = { 0 };
    int two = 0, more = 0, told = 0;
    snprintf(s->portable.v[0], sizeof s->portable.v[0], "two_proc");
    s->portable.n = 1;
    s->procs = (struct int_list){ 2, { 2, 4 } };
    if (!ok(plan_build(c, s, "sim", &p, &err) == 0, "two_proc is planned %s", err.text))
        return;
    for (size_t i = 0; i < p.n; i++)
        if (strcmp(p.points[i].candidate.algorithm, "portable:two_proc") == 0)
            *(p.points[i].cell.procs == 2 ? &two : &more) += 1;
    for (size_t i = 0; i < p.n_skipped; i++)
        told += strcmp(p.skipped[i].reason, "two_proc: wants two processes") == 0;
    ok(two > 0 && more == 0, "among two ranks (%d points), not among more (%d)", two, more);
    ok(told >= 18, "which is said (%d points skipped)", told);
    plan_free(&p);
}

/* A radix with which the library would end the program is skipped, the others are not. */
static void check_fatal_radix(const struct cluster *c, const struct study *s)
{
    struct plan p;
    struct err err = { 0 };
    int small = 0, large = 0, told = 0;
    struct study with = *s;
    with.mpich = (struct name_list){ .n = 1, .v = { "recexch_doubling" } };
    with.mpi = (struct name_list){ .n = 1, .v = { "mpich" } };
    with.fanouts =
        (struct pair_list){ 2, { { "recexch_doubling", 8 }, { "recexch_doubling", 9 } } };
    with.portable.n = 0;
    with.procs = (struct int_list){ 1, { 16 } };
    if (!ok(plan_build(c, &with, "local", &p, &err) == 0, "a radix of 9 is planned %s", err.text))
        return;
    for (size_t i = 0; i < p.n; i++)
        if (strcmp(p.points[i].candidate.algorithm, "mpich:recexch_doubling") == 0)
            *(p.points[i].candidate.fanout == 9 ? &large : &small) += 1;
    for (size_t i = 0; i < p.n_skipped; i++)
        told += strstr(p.skipped[i].reason, "the library ends the program") != NULL;
    ok(small > 0 && large == 0, "with 8 among 16 ranks (%d points), not with 9 (%d)", small, large);
    ok(told > 0, "which is said (%d points skipped)", told);
    plan_free(&p);
}

/* A component takes part where it can, is left in by its launches, and fits no model. */
static void check_components(const struct cluster *c, struct study *s)
{
    struct plan p;
    struct err err = { 0 };
    int basic = 0, han = 0, refused = 0, fits = 0;
    struct study with = *s;
    with.openmpi = (struct name_list){ .n = 3, .v = { "ring", "basic", "han" } };
    with.mpi = (struct name_list){ .n = 1, .v = { "openmpi" } };
    with.portable.n = 0;
    with.procs = (struct int_list){ 1, { 4 } };
    if (!ok(plan_build(c, &with, "local", &p, &err) == 0, "components are planned %s", err.text))
        return;
    for (size_t i = 0; i < p.n; i++) {
        const char *name = p.points[i].candidate.algorithm;
        basic += strcmp(name, "openmpi:basic") == 0;
        han += strcmp(name, "openmpi:han") == 0;
        fits += p.points[i].purpose == FOR_FIT && native_is_component(name, "allgather");
    }
    for (size_t i = 0; i < p.n_skipped; i++)
        refused += strstr(p.skipped[i].reason, "several nodes with several ranks") != NULL;
    ok(basic > 0 && fits == 0, "basic is timed (%d points), and fits nothing", basic);
    ok(han == 0 && refused > 0, "han is skipped at one rank on a node, with the reason (%d)",
       refused);
    plan_free(&p);
}

static int has_candidate(const struct plan *p, const char *algorithm)
{
    for (size_t i = 0; i < p->n; i++)
        if (strcmp(p->points[i].candidate.algorithm, algorithm) == 0)
            return 1;
    for (size_t i = 0; i < p->n_skipped; i++)
        if (strcmp(p->skipped[i].point.candidate.algorithm, algorithm) == 0)
            return 1;
    return 0;
}

/* A star stands for all: our schedules without combinations, and what both libraries have. */
static void check_all_candidates(void)
{
    static const char *const in[] = { "portable:bine",    "portable:mpich_brucks",
                                      "openmpi:neighbor", "openmpi:han",
                                      "mpich:brucks",     "mpich:nb",
                                      "mpich:device",     "mpich:recursive_doubling" },
                             *const out[] = { "portable:two_level", "openmpi:sparbit",
                                              "mpich:k_brucks", "openmpi:*", "portable:*" };
    struct cluster c;
    struct study s;
    struct plan p;
    struct err err = { 0 };
    if (!ok(cluster_load("clusters", "mini", &c, &err) == 0 &&
                study_load("clusters/studies", "any", &c, &s, &err) == 0,
            "the study of any collective loads %s", err.text))
        return;
    s.collectives = (struct name_list){ .n = 1, .v = { "allgather" } };
    if (ok(plan_build(&c, &s, "local", &p, &err) == 0, "and is planned %s", err.text)) {
        for (size_t i = 0; i < sizeof in / sizeof *in; i++)
            ok(has_candidate(&p, in[i]), "%s is a candidate", in[i]);
        for (size_t i = 0; i < sizeof out / sizeof *out; i++)
            ok(!has_candidate(&p, out[i]), "%s is none", out[i]);
        plan_free(&p);
    }
    study_free(&s);
    cluster_free(&c);
}

/* Points of an algorithm that are skipped, and (*planned) those that are not; the last reason. */
static size_t count_of(const struct plan *p, const char *algorithm, size_t *planned,
                       const char **reason)
{
    size_t skipped = 0;
    *planned = 0;
    *reason = "";
    for (size_t i = 0; i < p->n; i++)
        *planned += strcmp(p->points[i].candidate.algorithm, algorithm) == 0;
    for (size_t i = 0; i < p->n_skipped; i++)
        if (strcmp(p->skipped[i].point.candidate.algorithm, algorithm) == 0) {
            *reason = p->skipped[i].reason;
            skipped++;
        }
    return skipped;
}

/* How MPICH's device splits a call is a candidate where the release can be told, and the ranks are
 * so placed: one on each node, or all on one. */
static void check_compositions(void)
{
    static const struct {
        const char *version, *algorithm;
        int procs, ppn, planned;
        const char *reason; /* NULL: it is planned */
    } rows[] = {
        { "4.2.1", "mpich:composition_beta", 4, 1, 1, NULL },
        { "4.2.1", "mpich:composition_alpha", 4, 1, 0, "where nodes have several ranks only" },
        { "4.2.1", "mpich:composition_gamma", 4, 1, 0, "on one node only" },
        { "4.2.1", "mpich:composition_delta", 4, 1, 0, "several nodes with several ranks" },
        { "4.2.1", "mpich:composition_alpha", 4, 4, 1, NULL },
        { "4.2.1", "mpich:composition_gamma", 4, 4, 1, NULL },
        { "4.2.1", "mpich:composition_delta", 4, 4, 0, "several nodes with several ranks" },
        { "4.0.2", "mpich:composition_beta", 4, 4, 0, "of 4.1 and later" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct native_release releases[] = { { "mpich", "" } };
        struct native_strangers installed = { .n_releases = 1, .releases = releases };
        struct cluster c;
        struct study s;
        struct plan p;
        struct err err = { 0 };
        size_t planned = 0;
        const char *reason = NULL;
        snprintf(releases[0].version, sizeof releases[0].version, "%s", rows[i].version);
        if (!ok(cluster_load("clusters", "mini", &c, &err) == 0, "a cluster loads %s", err.text))
            return;
        c.nodes = rows[i].procs / rows[i].ppn;
        c.cores = rows[i].ppn;
        if (!ok(study_load("clusters/studies", "any", &c, &s, &err) == 0, "a study %s", err.text))
            return;
        s.collectives = (struct name_list){ 1, { "allreduce" } };
        s.mpi = s.mpich = (struct name_list){ 1, { "mpich" } };
        snprintf(s.mpich.v[0], sizeof s.mpich.v[0], "%s", rows[i].algorithm + 6);
        s.mappings = (struct name_list){ 1, { "core" } };
        s.held_procs.n = 0;
        snprintf(s.ranks_per, sizeof s.ranks_per, "core");
        s.portable.n = s.openmpi.n = 0;
        s.procs = (struct int_list){ 1, { rows[i].procs } };
        s.strangers = &installed;
        if (ok(plan_build(&c, &s, "local", &p, &err) == 0, "%s is planned %s", rows[i].algorithm,
               err.text)) {
            const size_t skipped = count_of(&p, rows[i].algorithm, &planned, &reason);
            ok(rows[i].planned == (planned > 0) &&
                   (rows[i].planned || (skipped > 0 && strstr(reason, rows[i].reason))),
               "%s of MPICH %s, %d ranks, %d on a node: %zu points, %zu not (%s)",
               rows[i].algorithm, rows[i].version, rows[i].procs, rows[i].ppn, planned, skipped,
               reason ? reason : "");
            plan_free(&p);
        }
        s.strangers = NULL;
        study_free(&s);
        cluster_free(&c);
    }
}

/* What the installed release has not is skipped, and "all" is what it has. */
static void check_releases(const struct cluster *c)
{
    struct native_release releases[] = { { "mpich", "4.0.2" }, { "openmpi", "5.0.9" } };
    struct native_strangers installed = { .releases = releases, .n_releases = 2 };
    struct study s;
    struct plan p;
    struct err err = { 0 };
    const char *reason;
    size_t planned;
    if (!ok(study_load("clusters/studies", "any", c, &s, &err) == 0, "any loads %s", err.text))
        return;
    s.collectives = (struct name_list){ .n = 2, .v = { "allreduce", "allgather" } };
    s.mpich = (struct name_list){ .n = 2, .v = { "ring", "recursive_doubling" } };
    s.strangers = &installed;
    if (ok(plan_build(c, &s, "local", &p, &err) == 0, "planned %s", err.text)) {
        ok(count_of(&p, "mpich:recursive_doubling", &planned, &reason) < planned,
           "what MPICH 4.0.2 has is planned");
        size_t rings = 0;
        for (size_t i = 0; i < p.n; i++)
            rings += strcmp(p.points[i].cell.collective, "allreduce") == 0 &&
                     strcmp(p.points[i].candidate.algorithm, "mpich:ring") == 0;
        ok(count_of(&p, "mpich:ring", &planned, &reason) > 0 && rings == 0 && planned > 0,
           "its ring of allreduce is not, that of allgather is");
        is_str("the library that is installed, mpich 4.0.2, has none (ring is of 4.1 and later)",
               reason, "with the reason");
        count_of(&p, "openmpi:sparbit", &planned, &reason);
        ok(planned > 0, "all of Open MPI 5.0.9 is more than of 4.1");
        plan_free(&p);
    }
    installed = (struct native_strangers){ .n = 0 };
    if (ok(plan_build(c, &s, "local", &p, &err) == 0, "of no known release %s", err.text)) {
        ok(count_of(&p, "mpich:ring", &planned, &reason) == 0 && planned > 0,
           "what is named is planned");
        plan_free(&p);
    }
    study_free(&s);
}

/* The same bits for all sizes: what changes its order is skipped with the reason. */
static void check_reproducible(const struct cluster *c)
{
    struct study s;
    struct plan p;
    struct err err = { 0 };
    int ring = 0, doubling = 0, told = 0;
    if (!ok(study_load("clusters/studies", "allreduce", c, &s, &err) == 0, "allreduce loads %s",
            err.text))
        return;
    s.reproducible = 1;
    s.with_default = 0;
    if (ok(plan_build(c, &s, "sim", &p, &err) == 0, "a reproducible study is planned %s",
           err.text)) {
        for (size_t i = 0; i < p.n; i++) {
            ring += strcmp(p.points[i].candidate.algorithm, "portable:ring") == 0;
            doubling += strcmp(p.points[i].candidate.algorithm, "portable:recursive_doubling") == 0;
        }
        for (size_t i = 0; i < p.n_skipped; i++)
            told += strstr(p.skipped[i].reason, "its order of combining changes") != NULL;
        ok(ring == 0 && doubling > 0, "without the ring (%d), with recursive doubling (%d)", ring,
           doubling);
        ok(told > 0, "which is said (%d points skipped)", told);
        plan_free(&p);
    }
    study_free(&s);
}

/* Ranks that would get different bits are none for a reproducible study; each fan-out is asked for
 * itself. */
static void check_reproducible_ranks(const struct cluster *c)
{
    static const char *const names[] = { "bine_doubling", "recursive_multiplying" };
    struct study s;
    struct plan p;
    struct err err = { 0 };
    size_t planned[3] = { 0 }, told = 0;
    if (!ok(study_load("clusters/studies", "allreduce", c, &s, &err) == 0, "allreduce loads %s",
            err.text))
        return;
    s.portable = (struct name_list){ .n = 2 };
    for (int i = 0; i < 2; i++)
        snprintf(s.portable.v[i], KEY_WORD, "%s", names[i]);
    s.openmpi.n = s.mpich.n = 0;
    s.fanouts = (struct pair_list){ .n = 2 };
    for (size_t i = 0; i < 2; i++) {
        snprintf(s.fanouts.v[i].name, sizeof s.fanouts.v[i].name, "%s", names[1]);
        s.fanouts.v[i].value = i == 0 ? 3 : 8;
    }
    s.procs = (struct int_list){ 1, { 16 } };
    s.bytes = (struct size_list){ 1, { 8192 } };
    s.held_procs.n = 0;
    s.held_bytes_factor = 0;
    s.with_default = s.experiments = 0;
    s.reproducible = 1;
    if (!ok(plan_build(c, &s, "sim", &p, &err) == 0, "allreduce is planned %s", err.text))
        return;
    for (size_t i = 0; i < p.n; i++) {
        const struct candidate *k = &p.points[i].candidate;
        planned[0] += strstr(k->algorithm, names[0]) != NULL;
        planned[1] += strstr(k->algorithm, names[1]) != NULL && k->fanout == 3;
        planned[2] += strstr(k->algorithm, names[1]) != NULL && k->fanout == 8;
    }
    for (size_t i = 0; i < p.n_skipped; i++)
        told += strstr(p.skipped[i].reason, "ranks combine in different orders") != NULL;
    ok(planned[0] == 0 && told > 0,
       "what gives ranks different bits is left out, with that reason");
    ok(planned[1] > 0 && planned[2] > 0, "both fan-outs of recursive multiplying stay");
    plan_free(&p);
    study_free(&s);
}

/* What calls collectives that the library chooses by size keeps no order over all sizes: ours and
 * the library's own is left out, at sizes where one tree is chosen as well. */
static void check_reproducible_calls(const struct cluster *c)
{
    static const char *const calls[][2] = { { "allreduce", "nonoverlapping" },
                                            { "reduce_scatter", "non-overlapping" },
                                            { "reduce_scatter_block", "basic_linear" } };
    struct study s;
    struct plan p;
    struct err err = { 0 };
    for (int i = 0; i < 6; i++) {
        const char *collective = calls[i / 2][0], *name = calls[i / 2][1];
        if (!ok(study_load("clusters/studies", collective, c, &s, &err) == 0, "%s loads %s",
                collective, err.text))
            return;
        s.portable = s.openmpi = (struct name_list){ .n = 1 };
        snprintf(s.portable.v[0], KEY_WORD, "%s", name);
        snprintf(s.openmpi.v[0], KEY_WORD, "%s", name);
        s.procs = (struct int_list){ 1, { 8 } };
        s.bytes = (struct size_list){ 3, { 8, 6000, 8192 } };
        s.held_procs.n = 0;
        snprintf(s.ranks_per, sizeof s.ranks_per, "core");
        s.held_bytes_factor = 0;
        s.with_default = s.experiments = 0;
        s.reproducible = i % 2;
        if (!ok(plan_build(c, &s, "local", &p, &err) == 0, "%s is planned %s", name, err.text))
            return;
        size_t planned = 0, told = 0;
        for (size_t k = 0; k < p.n; k++)
            planned += strstr(p.points[k].candidate.algorithm, name) != NULL;
        for (size_t k = 0; k < p.n_skipped; k++)
            told += strstr(p.skipped[k].reason, "it calls collectives that") != NULL;
        ok(s.reproducible ? planned == 0 && told >= 6 : planned >= 6 && told == 0,
           "%s%s: %zu points are planned, %zu left out for what it calls", name,
           s.reproducible ? ", reproducible" : "", planned, told);
        plan_free(&p);
        study_free(&s);
    }
}

static void check_allgather(void)
{
    struct cluster c;
    struct study s;
    struct plan p;
    struct err err = { 0 };
    if (!ok(cluster_load("clusters", "fx10", &c, &err) == 0 &&
                study_load("clusters/studies", "allgather", &c, &s, &err) == 0,
            "allgather on fx10 loads %s", err.text))
        return;
    s.roots = (struct int_list){ 2, { 3, 5 } };
    s.held_roots = (struct int_list){ 1, { 7 } };
    check_copies(&s);
    if (ok(plan_build(&c, &s, "sim", &p, &err) == 0, "and is planned %s", err.text)) {
        is_int(0, (long long)count_other_roots(&p), "a collective without a root has rank 0 alone");
        /* 18 sizes, twelve algorithms, 24, 16 and 21 processes; the default is one of them */
        is_int(18 * 12 * 3, (long long)count(&p, EXP_TIME, "allgather"), "the grid, once");
        is_int(18 * 12, (long long)count(&p, EXP_GATHER, "allgather"), "closed by a gather");
        is_int(0, (long long)count(&p, EXP_GAMMA, "allgather"), "gamma is of no allgather");
        ok(count(&p, EXP_GAMMA, "bcast") > 5, "but of broadcasts");
        is_int((long long)count(&p, EXP_GAMMA, "bcast"), (long long)count(&p, EXP_TIME, "bcast"),
               "each with its synchronised twin");
        is_int(23, (long long)count(&p, EXP_COPY, "allgather"), "copies of every size");
        plan_free(&p);
    }
    check_fatal_radix(&c, &s);
    check_components(&c, &s);
    check_releases(&c);
    check_reproducible(&c);
    check_reproducible_ranks(&c);
    check_reproducible_calls(&c);
    check_two_only(&c, &s);
    study_free(&s);
    cluster_free(&c);
}

int main(void)
{
    check_allgather();
    check_all_candidates();
    check_compositions();
    check_names();
    check_study("gros", "bcast", "sim", 1);
    check_study("grisou", "bcast", "sim", 1);
    check_study("local", "bcast", "local", 3);
    check_study("gros", "bcast", "null", 1);
    check_chunks();
    check_left_out();
    check_channels();
    check_messages();
    check_same();
    return tap_done();
}
