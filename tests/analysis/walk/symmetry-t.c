/* SPDX-License-Identifier: BSD-3-Clause */
/* symmetry-t.c - which ranks stand for all on several networks, and walks by classes beside walks
 * of all ranks: every schedule in the short form among 32 ranks, with COLLSEL_LONG up to 512. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/walk/replay.h"
#include "analysis/walk/symmetry.h"
#include "tests/tap.h"

enum { MOST = 512 };

/* No row of symmetric schedules may differ by more: docs/notebook/2026-12-01-symmetry.md. */
static const double bound = 0.05;

static const char inside[] = "core_rate = 58Gbps\ncore_latency = 50ns\nsocket_rate = 50Gbps\n"
                             "socket_latency = 300ns\nmemory_rate = 300Gbps\n";

static const struct preset {
    const char *name, *mapping, *network, *node;
    int nodes, cores, classes; /* cores: of each of two sockets; classes: of a ring */
} presets[] = {
    { "star", "core", "topology = star\n", "", 4, 4, 8 },
    { "star with an inside", "core", "topology = star\n", inside, 4, 4, 8 },
    { "star, sockets in turn", "socket", "topology = star\n", inside, 4, 4, 8 },
    { "star, nodes in turn", "node", "topology = star\n", inside, 4, 4, 0 },
    { "two leaves of two nodes", "core", "topology = tree\nswitch_ports = 2\ntrunk_rate = 1Gbps\n",
      "", 4, 4, 16 },
    { "fat tree", "core",
      "topology = fat_tree\nfat_tree_down = 2x2\nfat_tree_up = 1x1\nfat_tree_cables = 1x1\n", "", 4,
      4, 16 },
    { "torus", "core", "topology = torus\ntorus = 5\n", "", 5, 4, 8 },
    { "torus of even extent", "core", "topology = torus\ntorus = 4\n", "", 4, 4, 0 },
};

static char path[64];

static struct seating seating_of(const struct cluster *c, const struct preset *p, int procs)
{
    const int ppn = 2 * p->cores;
    return (struct seating){ .mapping = p->mapping,
                             .nodes = (procs + ppn - 1) / ppn,
                             .ppn = ppn,
                             .procs = procs,
                             .sockets = c->sockets,
                             .cores = c->cores };
}

static void load(struct cluster *c, const struct preset *p, int nodes, int cores)
{
    struct err err = { 0 };
    FILE *f = fopen(path, "w");
    fprintf(f,
            "[cluster]\nname = c\ntitle = test\nnodes = %d\nsockets = 2\ncores = %d\nthreads = 1\n"
            "cpu = none\n[network]\nlink_rate = 10Gbps\nlink_latency = 1us\n%s[messages]\n"
            "send_cost = 0:200ns:0.1ns\nisend_cost = 0:200ns:0.1ns\nrecv_cost = 0:200ns:0.1ns\n"
            "eager_bytes = 4K\nrendezvous_bytes = 4K\n[node]\nloopback_rate = 40Gbps\n"
            "loopback_latency = 300ns\ncopy_cost = 0:0:0.1ns\nreduce_cost = 0:0:0.1ns\n%s",
            nodes, cores, p->network, p->node);
    fclose(f);
    if (cluster_load(".", path, c, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
}

static int make(struct schedule *s, const struct algorithm *a, const struct seating *seating,
                uint64_t bytes)
{
    struct err err = { 0 };
    const struct schedule_arguments arguments = {
        .procs = seating->procs, .bytes = bytes, .segment_bytes = 8192, .seats = *seating
    };
    return schedule_make(s, a, &arguments, &err);
}

/* How many ranks stand for all; 0: no symmetry. */
static int classes_of(const struct preset *p, const char *collective, const char *name, int procs,
                      uint64_t bytes)
{
    struct cluster c;
    struct schedule s;
    struct err err = { 0 };
    load(&c, p, p->nodes, p->cores);
    const struct seating seating = seating_of(&c, p, procs);
    struct platform *platform = platform_new(&c, &seating, &err);
    struct symmetries *list = symmetries_new(platform);
    const struct schedule *of[] = { &s };
    const struct symmetry *y = NULL;
    if (make(&s, algorithm_find(collective, name), &seating, bytes) == 0)
        y = symmetries_find(list, of, 1);
    const int classes = y ? y->classes : 0;
    symmetries_free(list);
    platform_free(platform);
    cluster_free(&c);
    return classes;
}

static void check_classes(void)
{
    const struct preset *star = &presets[0];
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++) {
        const struct preset *p = &presets[i];
        const int n = classes_of(p, "allgather", "ring", p->nodes * 2 * p->cores, 64);
        ok(n == p->classes, "%s: %d ranks stand for a ring (%d)", p->name, p->classes, n);
    }
    ok(classes_of(star, "allgather", "recursive_doubling", 32, 64) == 8,
       "exclusive or: recursive doubling");
    ok(classes_of(star, "bcast", "binomial", 32, 64) == 0, "a tree has a root");
    ok(classes_of(star, "allgather", "ring", 30, 64) == 0, "the last node is not full");
    ok(classes_of(star, "allreduce", "ring", 32, 100) == 0, "blocks differ");
}

struct rows {
    int n, equal, wrong;
    double worst;
};

static void walk_both(const struct preset *p, const struct algorithm *a, uint64_t bytes, int procs,
                      struct replay *replay, struct symmetries *list, const struct seating *seating,
                      struct rows *rows)
{
    static double end_s[MOST];
    double last[2] = { 0, 0 };
    uint64_t messages[2];
    struct schedule s;
    struct err err = { 0 };
    const struct schedule *of[] = { &s };
    if (make(&s, a, seating, bytes) < 0 || !symmetries_find(list, of, 1))
        return;
    const struct replay_part part = { &s, 0 };
    for (int i = 0; i < 2; i++) {
        const struct replay_call call = {
            .part = &part, .parts = 1, .times = 1, .whole = i ? 1 : procs
        };
        if (replay_walk(replay, &call, end_s, &messages[i], &err) < 0)
            last[i] = NAN;
        for (int r = 0; r < procs; r++)
            last[i] = fmax(last[i], end_s[r]);
    }
    const double off = last[0] == last[1] ? 0 : fabs(last[1] / last[0] - 1);
    rows->n++;
    rows->equal += off < 1e-9;
    rows->worst = fmax(rows->worst, off);
    if (!(off <= bound) || messages[0] != messages[1]) {
        rows->wrong++;
        diag("%s, %s:%s among %d, %llu bytes: %.12g, not %.12g", p->name,
             algorithm_collective(a)->name, a->name, procs, (unsigned long long)bytes, last[1],
             last[0]);
    }
}

static void walk_preset(const struct preset *p, int cores, struct rows *rows)
{
    struct cluster c;
    struct err err = { 0 };
    const struct preset sized = { p->name, p->mapping, p->network, p->node, p->nodes, cores, 0 };
    const int procs = p->nodes * 2 * cores;
    load(&c, &sized, p->nodes, cores);
    const struct seating seating = seating_of(&c, &sized, procs);
    struct platform *platform = platform_new(&c, &seating, &err);
    struct replay *replay = replay_new(platform);
    struct symmetries *list = symmetries_new(platform);
    for (const struct algorithm *a = algorithm_next(NULL); a; a = algorithm_next(a))
        for (uint64_t bytes = 32; bytes <= 32 << 10; bytes *= 32)
            walk_both(&sized, a, bytes, procs, replay, list, &seating, rows);
    symmetries_free(list);
    replay_free(replay);
    platform_free(platform);
    cluster_free(&c);
}

static void check_times(int cores)
{
    struct rows rows = { 0 };
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++)
        walk_preset(&presets[i], cores, &rows);
    ok(rows.wrong == 0 && rows.n > 300, "%d cores a node: %d rows differ by %.2g at most",
       2 * cores, rows.n, rows.worst);
    ok(rows.equal > rows.n * 9 / 10, "%d of them not at all", rows.equal);
}

int main(void)
{
    char template[] = "/tmp/symmetry-XXXXXX";
    const char *directory = mkdtemp(template);
    snprintf(path, sizeof path, "%s/c.ini", directory);
    check_classes();
    check_times(4);
    if (getenv("COLLSEL_LONG")) {
        check_times(16);
        check_times(51);
    }
    unlink(path);
    rmdir(directory);
    return tap_done();
}
