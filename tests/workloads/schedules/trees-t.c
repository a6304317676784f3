/* SPDX-License-Identifier: BSD-3-Clause */
/* trees-t.c - schedules that are made from the tree of switches, on random trees with nodes in
 * random order: they are right, and no step has two messages with data on one link. Links are
 * counted by the routes of harness/study/topology.h, which know nothing of how the schedules were
 * made. */
#include "analysis/walk/link_walk.h"
#include "harness/base/rng.h"
#include "tests/tap.h"
#include "workloads/schedules/prove.h"
#include "workloads/schedules/tree_phases.h"

#include <stdlib.h>
#include <string.h>

enum { TREES = 200, BYTES = 64 };

/* A machine and the ranks on it. */
struct trial {
    struct network network;
    struct topology topology;
    char order[32];
    struct seating seats;
};

static int draw(struct rng *rng, int least, int most)
{
    return least + (int)rng_below(rng, (uint64_t)(most - least + 1));
}

/* A leaf switch of a tree has what the one above has for it; of a fat tree each switch has one
 * above, by one cable. */
static struct network random_network(struct rng *rng)
{
    struct network n = { .kind = draw(rng, 0, 1) ? TOPOLOGY_TREE : TOPOLOGY_FAT_TREE,
                         .link_rate = 1e9 };
    if (n.kind == TOPOLOGY_TREE) {
        n.nodes = draw(rng, 2, 24);
        n.ports = draw(rng, 1, n.nodes);
        return n;
    }
    n.levels = draw(rng, 2, 3);
    for (int i = 0; i < n.levels; i++) {
        n.down[i] = draw(rng, 2, n.levels == 2 ? 5 : 3);
        n.up[i] = n.cables[i] = 1;
    }
    return n;
}

/* ppn 0: any. */
static void random_trial(struct rng *rng, int ppn, struct trial *t)
{
    static const char *const mappings[] = { "core", "node" };
    struct err err = { 0 };
    *t = (struct trial){ .network = random_network(rng) };
    if (topology_init(&t->topology, &t->network, &err) < 0)
        diag("%s", err.text);
    const int there = t->topology.net.nodes;
    snprintf(t->order, sizeof t->order, "random:%d", draw(rng, 0, 1 << 20));
    t->seats = (struct seating){ .mapping = mappings[draw(rng, 0, 1)],
                                 .nodes = draw(rng, 2, there),
                                 .ppn = ppn ? ppn : draw(rng, 1, 3),
                                 .sockets = 1,
                                 .cores = 4,
                                 .network = topology_switches(&t->topology.net, t->order) };
    const int most = t->seats.nodes * t->seats.ppn;
    t->seats.procs = draw(rng, most - t->seats.ppn + 1, most);
    t->seats.procs += t->seats.procs < 2;
}

/* What a walk has seen. */
struct seen {
    size_t meetings;
    uint64_t most_bytes;
};

/* Messages without data, which say that a link is free, have no bytes. */
static int watch_step(void *arg, const struct links_step *step, const struct links_load *load,
                      size_t n)
{
    struct seen *seen = arg;
    (void)step;
    for (size_t i = 0; i < n; i++)
        seen->meetings += load[i].bytes > BYTES;
    return 0;
}

/* Steps and links with more than one message of an algorithm; 1e6 more where it is wrong. */
static size_t meetings_of(const struct trial *t, const char *collective, const char *name)
{
    static const struct curve none = { 0 };
    static const struct links_costs costs = { .message = &none, .copy = &none };
    const struct schedule_arguments a = { .procs = t->seats.procs,
                                          .bytes = BYTES,
                                          .seats = t->seats };
    struct links_result r;
    struct seen seen = { 0 };
    const struct links_watch watch = { &seen, watch_step };
    struct schedule s;
    struct err err = { 0 };
    struct links_net *net = links_net_new(&t->topology, t->order, &t->seats, &err);
    if (!net || schedule_make(&s, algorithm_find(collective, name), &a, &err) < 0 ||
        prove(&s, NULL, &err) < 0 || links_walk(net, &s, &costs, &watch, &r, &err) < 0) {
        diag("%s %s: %s", collective, name, err.text);
        seen.meetings += 1000000;
    }
    links_net_free(net);
    return seen.meetings;
}

static void check_trees(int ppn, const char *of)
{
    struct rng rng;
    size_t light = 0, barrier = 0, ring = 0, plain = 0, plain_ring = 0;
    rng_init(&rng, 19 + (uint64_t)ppn);
    for (int i = 0; i < TREES; i++) {
        struct trial t;
        random_trial(&rng, ppn, &t);
        light += meetings_of(&t, "alltoall", "topology_light_barrier");
        barrier += meetings_of(&t, "alltoall", "topology_mpi_barrier");
        ring += meetings_of(&t, "allgather", "topology_ring");
        plain += meetings_of(&t, "alltoall", "ring_mpi_barrier") > 0;
        plain_ring += meetings_of(&t, "allgather", "ring") > 0;
    }
    is_int(0, (long long)light, "%d trees, %s: all-to-all, light barriers: no two meet", TREES, of);
    is_int(0, (long long)barrier, "… with barriers");
    is_int(0, (long long)ring, "… allgather around the tree");
    ok(plain > TREES / 2, "… where messages of the ring all-to-all do meet (%zu)", plain);
    ok(plain_ring > TREES / 2, "… and those of the ring allgather (%zu)", plain_ring);
}

/* The busiest link of an all-to-all by itself: of every link of the tree, the ranks on its two
 * sides. */
static uint64_t most_of_a_link(const struct trial *t)
{
    const struct topology *top = &t->topology;
    uint64_t *load = calloc((size_t)top->links, sizeof *load), most = 0;
    int *position = calloc((size_t)top->net.nodes, sizeof *position), route[2 * TOPOLOGY_DIMS + 2];
    topology_order(top, t->order, position, NULL);
    for (int a = 0; a < t->seats.procs; a++)
        for (int b = 0; b < t->seats.procs; b++) {
            const int hops = topology_route(top, position[seat_node(&t->seats, a)],
                                            position[seat_node(&t->seats, b)], route);
            for (int h = 0; h < hops; h++)
                load[route[h]]++;
        }
    for (int i = 0; i < top->links; i++)
        most = load[i] > most ? load[i] : most;
    free(load);
    free(position);
    return most;
}

/* No schedule in which messages do not meet has fewer phases. */
static void check_fewest(void)
{
    struct rng rng;
    int longer = 0;
    rng_init(&rng, 23);
    for (int i = 0; i < TREES; i++) {
        struct trial t;
        struct schedule s;
        random_trial(&rng, 1, &t);
        const struct schedule_arguments a = { .procs = t.seats.procs,
                                              .bytes = BYTES,
                                              .seats = t.seats };
        schedule_make(&s, algorithm_find("alltoall", "topology_light_barrier"), &a, NULL);
        longer += topology_phases(&s) != most_of_a_link(&t);
    }
    is_int(0, longer, "%d trees: as many phases as the busiest link has messages", TREES);
}

/* Two leaves of two and one of one, listed in an order that mixes them. */
static void check_listed(void)
{
    static const int where[] = { 0, 2, 4, 1, 3 };
    const struct seating seats = { .mapping = "core",
                                   .nodes = 5,
                                   .ppn = 1,
                                   .procs = 5,
                                   .network = { .group = { 2 }, .listed = where } };
    const struct seat_tree *t = seat_tree_of(&seats);
    char order[32] = "";
    for (int i = 0; i < 5; i++)
        snprintf(order + strlen(order), sizeof order - strlen(order), " %d", t->rank[i]);
    is_str(" 0 3 1 4 2", order, "ranks of a listed tree in depth-first order");
    is_int(3, t->subtrees, "… three leaf switches below the root");
    is_int(4, t->before[2], "… the smallest one last");
    ok(seat_tree_of(&seats) == t, "… made once");
}

static void check_text(void)
{
    static const char *const right[] = { "", "8", "4,16", "8:32:7" };
    static const char *const wrong[] = {
        "0", "4,6", "8:32", "8:32:", "8:0:7", "x", "8,", ":32:7x"
    };
    char text[SEAT_NETWORK_TEXT];
    struct seat_network n;
    struct err err = { 0 };
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        is_int(0, seat_network_parse(right[i], &n, &err), "switches '%s'", right[i]);
        is_str(right[i], seat_network_text(&n, text, sizeof text), "… are written so");
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        is_int(-1, seat_network_parse(wrong[i], &n, &err), "switches '%s' are refused", wrong[i]);
}

int main(void)
{
    check_trees(1, "a rank a node");
    check_trees(0, "up to three ranks a node");
    check_fewest();
    check_listed();
    check_text();
    return tap_done();
}
