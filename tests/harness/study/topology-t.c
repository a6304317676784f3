/* SPDX-License-Identifier: BSD-3-Clause */
/* topology-t.c - routes against what they must be, counted another way: every shape of mesh and
 * torus up to six dimensions, SimGrid's own conditions for the way around, trees by hand. */
#include "harness/study/topology.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 64, MOST_ROUTE = 64 };

/* ---- a mesh or torus ---- */

static struct network grid(enum topology_kind kind, const int *extent, int dims)
{
    struct network net = { .kind = kind, .dims = dims, .link_rate = 5e9, .link_latency = 1e-6 };
    for (int j = 0; j < dims; j++)
        net.extent[j] = extent[j];
    return net;
}

/* Does SimGrid 3.32 go upwards? The conditions of TorusZone.cpp, as they stand there. */
static int simgrid_goes_up(unsigned my, unsigned target, unsigned extent)
{
    return (target > my && target <= my + extent / 2) ||
           (my > extent / 2 && (my + extent / 2) % extent >= target);
}

static int distance(enum topology_kind kind, int extent, int from, int to)
{
    const int there = abs(to - from);
    return kind == TOPOLOGY_TORUS && extent - there < there ? extent - there : there;
}

/* One pair: what is wrong with its route, or NULL. */
static const char *judge(const struct topology *t, int src, int dst)
{
    int link[MOST_ROUTE], from, to, at = src, want = 0, dim = 0;
    int a[TOPOLOGY_DIMS], b[TOPOLOGY_DIMS], before[TOPOLOGY_DIMS], after[TOPOLOGY_DIMS];
    const int n = topology_route(t, src, dst, link);
    topology_coordinates(t, src, a);
    topology_coordinates(t, dst, b);
    for (int j = 0; j < t->net.dims; j++)
        want += distance(t->net.kind, t->net.extent[j], a[j], b[j]);
    if (n != want || n > t->diameter || n != topology_route(t, src, dst, NULL))
        return "is not the shortest";
    for (int i = 0; i < n; i++, at = to) {
        int changed = 0, which = 0;
        if (link[i] < 0 || link[i] >= t->links || topology_ends(t, link[i], &from, &to) < 0)
            return "has a link that is none";
        if (from != at || to < 0 || to >= t->net.nodes)
            return "leaves its way";
        topology_coordinates(t, from, before);
        topology_coordinates(t, to, after);
        for (int j = 0; j < t->net.dims; j++)
            if (before[j] != after[j]) {
                changed++;
                which = j;
            }
        const int extent = t->net.extent[which], step = after[which] - before[which];
        if (changed != 1 || which < dim)
            return "is not in the order of dimensions";
        if (t->net.kind == TOPOLOGY_MESH ? abs(step) != 1
                                         : abs(step) != 1 && abs(step) != extent - 1)
            return "leaps";
        const int up = (before[which] + 1) % extent == after[which] && (extent > 2 || step > 0);
        if (t->net.kind == TOPOLOGY_TORUS &&
            up != simgrid_goes_up((unsigned)a[which], (unsigned)b[which], (unsigned)extent))
            return "goes another way around than SimGrid";
        dim = which;
    }
    return at == dst ? NULL : "does not arrive";
}

static size_t shapes, pairs, wrong;

static void check_shape(enum topology_kind kind, const int *extent, int dims)
{
    struct topology t;
    struct err err = { 0 };
    const struct network net = grid(kind, extent, dims);
    int longest = 0;
    if (topology_init(&t, &net, &err) < 0) {
        ok(0, "a shape is refused: %s", err.text);
        return;
    }
    shapes++;
    for (int src = 0; src < t.net.nodes; src++)
        for (int dst = 0; dst < t.net.nodes; dst++) {
            const char *why = judge(&t, src, dst);
            const int n = topology_route(&t, src, dst, NULL);
            longest = n > longest ? n : longest;
            pairs++;
            if (why && !wrong++)
                diag("%d dimensions, first extent %d: %d to %d %s", dims, extent[0], src, dst, why);
        }
    wrong += longest != t.diameter;
}

/* All extents from 1 on whose nodes are not too many. */
static void check_shapes(enum topology_kind kind, int *extent, int done, int dims, int nodes)
{
    if (done == dims) {
        check_shape(kind, extent, dims);
        return;
    }
    const int most = dims == 1 ? MOST_NODES : dims == 2 ? 11 : dims == 3 ? 6 : 4;
    for (extent[done] = 1; extent[done] <= most && nodes * extent[done] <= MOST_NODES;
         extent[done]++)
        check_shapes(kind, extent, done + 1, dims, nodes * extent[done]);
}

static void check_grids(void)
{
    int extent[TOPOLOGY_DIMS];
    for (int dims = 1; dims <= TOPOLOGY_DIMS; dims++)
        for (int kind = TOPOLOGY_TORUS; kind <= TOPOLOGY_MESH; kind++) {
            shapes = pairs = wrong = 0;
            check_shapes((enum topology_kind)kind, extent, 0, dims, 1);
            ok(wrong == 0 && shapes > 0, "%s, %d dimensions: %zu shapes, %zu routes",
               topology_kind_name((enum topology_kind)kind), dims, shapes, pairs);
        }
}

static void check_names(void)
{
    struct topology t;
    char name[TOPOLOGY_NAME];
    int link[MOST_ROUTE], at[3];
    const struct network net = grid(TOPOLOGY_TORUS, (const int[]){ 2, 3, 4 }, 3);
    topology_init(&t, &net, NULL);
    is_int(24, t.net.nodes, "2x3x4: nodes");
    is_int(24 * 6, t.links, "… links");
    is_int(4, t.diameter, "… diameter 1 + 1 + 2");
    topology_coordinates(&t, 17, at);
    ok(at[0] == 1 && at[1] == 2 && at[2] == 2, "node 17 is 1,2,2: the first dimension is fastest");
    is_int(17, topology_node(&t, at), "… and back");
    is_int(4, topology_route(&t, 0, 17, link), "0 to 17 crosses four links");
    is_str("0.0.0+x", topology_link_name(&t, link[0], name, sizeof name), "first in x");
    is_str("1.0.0-y", topology_link_name(&t, link[1], name, sizeof name),
           "then y, around downwards");
    is_str("1.2.0+z", topology_link_name(&t, link[2], name, sizeof name),
           "then z, upwards where both ways are two links");
    is_near(5e9, topology_rate(&t, link[0]), 0, "a link's rate");
    is_near(1e-6, topology_latency(&t, link[0]), 0, "a link's latency");
}

/* ---- switches ---- */

/* All pairs: consecutive links, nodes only at the ends; hops by level are the caller's. */
static size_t broken_routes(const struct topology *t)
{
    int link[MOST_ROUTE], from, to;
    size_t broken = 0;
    for (int src = 0; src < t->net.nodes; src++)
        for (int dst = 0; dst < t->net.nodes; dst++) {
            const int n = topology_route(t, src, dst, link);
            int at = src, fine = n <= t->diameter;
            for (int i = 0; i < n && fine; i++) {
                fine = link[i] >= 0 && link[i] < t->links &&
                       topology_ends(t, link[i], &from, &to) == 0 && from == at &&
                       to < t->vertices && (to >= t->net.nodes || i + 1 == n);
                at = to;
            }
            broken += !fine || at != dst;
        }
    return broken;
}

static void check_switches(void)
{
    struct topology t;
    char name[TOPOLOGY_NAME];
    int link[MOST_ROUTE];
    struct network net = { .kind = TOPOLOGY_TREE,
                           .nodes = 10,
                           .ports = 4,
                           .link_rate = 1e9,
                           .trunk_rate = 2e9,
                           .link_latency = 1e-6,
                           .switch_latency = 1e-7,
                           .trunk_latency = 3e-6 };
    topology_init(&t, &net, NULL);
    ok(broken_routes(&t) == 0, "tree: routes");
    is_int(2, topology_route(&t, 0, 3, link), "two links within a leaf");
    is_int(4, topology_route(&t, 3, 9, link), "four between leaves");
    is_str("leaf0.up", topology_link_name(&t, link[1], name, sizeof name), "up the trunk");
    is_str("leaf2.down", topology_link_name(&t, link[2], name, sizeof name), "down the other");
    is_str("n9.down", topology_link_name(&t, link[3], name, sizeof name), "to the node");
    is_near(2e9, topology_rate(&t, link[1]), 0, "a trunk's rate");
    is_near(3.1e-6, topology_latency(&t, link[1]), 1e-12, "a trunk has a switch's latency");
    is_near(1.05e-6, topology_latency(&t, link[0]), 1e-12, "a node's link has half of one");
    net.trunk_rate = 0;
    topology_init(&t, &net, NULL);
    is_near(4e9, topology_rate(&t, link[1]), 0, "without a rate it carries all of its leaf");
    net.kind = TOPOLOGY_STAR;
    net.ports = 0;
    topology_init(&t, &net, NULL);
    ok(broken_routes(&t) == 0 && t.diameter == 2 && t.links == 20, "star: routes");
}

static void check_fat_tree(const char *what, const struct network *net, int switches, int cables)
{
    struct topology t;
    struct err err = { 0 };
    if (!ok(topology_init(&t, net, &err) == 0, "fat tree %s%s", what, err.text))
        return;
    is_int(switches, t.vertices - t.net.nodes, "%s: switches", what);
    is_int(2 * cables, t.links, "%s: links", what);
    is_int(0, (long long)broken_routes(&t), "%s: routes", what);
}

/* How many of the ways up out of one leaf the pairs of this leaf and the others use. */
static int ways_up(const struct topology *t, int children)
{
    int link[MOST_ROUTE], used = 0;
    char *seen = calloc((size_t)t->links, 1);
    for (int src = 0; seen && src < children; src++)
        for (int dst = children; dst < t->net.nodes; dst++) {
            topology_route(t, src, dst, link);
            used += !seen[link[1]];
            seen[link[1]] = 1;
        }
    free(seen);
    return used;
}

/* Links that two messages have in common. */
static int in_common(const struct topology *t, int a, int b, int c, int d)
{
    int x[MOST_ROUTE], y[MOST_ROUTE], n = 0;
    const int n_x = topology_route(t, a, b, x), n_y = topology_route(t, c, d, y);
    for (int i = 0; i < n_x; i++)
        for (int j = 0; j < n_y; j++)
            n += x[i] == y[j];
    return n;
}

/* As simulated by SimGrid 3.32 (tests/cli/torus.t): a pair that shares took twice as long. */
static void check_cables(void)
{
    struct network net = {
        .kind = TOPOLOGY_FAT_TREE, .levels = 2, .down = { 4, 4 }, .up = { 1, 2 }, .cables = { 1, 2 }
    };
    struct topology t;
    topology_init(&t, &net, NULL);
    ok(in_common(&t, 0, 4, 1, 6) == 0 && in_common(&t, 0, 4, 2, 6) > 0,
       "two cables above: by the sender's number down, by the receiver's up");
    net.cables[0] = 2;
    net.cables[1] = 1;
    topology_init(&t, &net, NULL);
    ok(in_common(&t, 0, 4, 1, 6) > 0 && in_common(&t, 0, 4, 1, 5) == 0,
       "two below: the receiver's number is divided by parents, not by cables");
    ok(in_common(&t, 1, 0, 2, 0) == 0 && in_common(&t, 1, 0, 3, 0) > 0, "down: by the sender's");
    net.cables[1] = 2;
    topology_init(&t, &net, NULL);
    ok(in_common(&t, 0, 4, 9, 4) > 0 && in_common(&t, 0, 5, 9, 5) > 0,
       "two on both: below, the port after the one above's");
    ok(in_common(&t, 0, 6, 9, 6) == 0 && in_common(&t, 0, 7, 9, 7) == 0, "or the sender's");
    is_int(0, (long long)broken_routes(&t), "routes");
}

static void check_fat_trees(void)
{
    const struct network two = {
        .kind = TOPOLOGY_FAT_TREE, .levels = 2, .down = { 4, 4 }, .up = { 1, 2 }, .cables = { 1, 2 }
    };
    const struct network three = { .kind = TOPOLOGY_FAT_TREE,
                                   .levels = 3,
                                   .down = { 2, 3, 4 },
                                   .up = { 1, 2, 3 },
                                   .cables = { 1, 1, 1 } };
    struct topology t;
    /* SimGrid's documentation draws the first: four leaves of four nodes, two switches above. */
    check_fat_tree("2;4,4;1,2;1,2", &two, 4 + 2, 16 + 4 * 2 * 2);
    check_fat_tree("3;2,3,4;1,2,3;1,1,1", &three, 3 * 4 + 2 * 4 + 2 * 3, 24 + 12 * 2 + 8 * 3);
    topology_init(&t, &two, NULL);
    is_int(4, ways_up(&t, 4), "all four cables up are used");
    is_int(2, topology_route(&t, 0, 3, NULL), "two links below a switch");
    is_int(4, topology_route(&t, 0, 4, NULL), "four over the top");
}

/* ---- orders ---- */

static int is_permutation(const int *position, int n)
{
    char seen[MOST_NODES] = { 0 };
    int different = 0;
    for (int k = 0; k < n; k++) {
        if (position[k] < 0 || position[k] >= n || seen[position[k]])
            return -1;
        seen[position[k]] = 1;
        different += position[k] != k;
    }
    return different;
}

static void refused(const struct topology *t, const char *order, const char *why)
{
    int position[MOST_NODES];
    struct err err = { 0 };
    ok(topology_order(t, order, position, &err) < 0, "order '%s' is refused", order);
    has_str(why, err.text, "… and why");
}

static void check_orders(void)
{
    struct topology t;
    int a[MOST_NODES], b[MOST_NODES];
    const struct network net = grid(TOPOLOGY_TORUS, (const int[]){ 2, 3, 4 }, 3);
    topology_init(&t, &net, NULL);
    ok(topology_order(&t, "in_order", a, NULL) == 0 && is_permutation(a, 24) == 0, "in order");
    ok(topology_order(&t, "dims:0,1,2", a, NULL) == 0 && is_permutation(a, 24) == 0,
       "dims:0,1,2 is in order");
    topology_order(&t, "dims:2,1,0", a, NULL);
    ok(is_permutation(a, 24) > 0 && a[1] == 6 && a[4] == 2 && a[12] == 1,
       "dims:2,1,0 walks the last dimension first");
    topology_order(&t, "random:1", a, NULL);
    topology_order(&t, "random:1", b, NULL);
    ok(is_permutation(a, 24) > 0 && memcmp(a, b, 24 * sizeof *a) == 0, "random:1, twice the same");
    ok(a[0] == 6 && a[1] == 10 && a[2] == 3 && a[3] == 19,
       "... and the one that results were made with: %d %d %d %d", a[0], a[1], a[2], a[3]);
    topology_order(&t, "random:2", b, NULL);
    ok(memcmp(a, b, 24 * sizeof *a) != 0, "random:2 is another");
    refused(&t, "dims:2,1", "want each of the dimensions 0 to 2 once");
    refused(&t, "dims:2,1,1", "once");
    refused(&t, "dims:2,1,0,", "once");
    refused(&t, "dims:2,1,3", "once");
    refused(&t, "random:x", "order 'random:x'");
    struct err err = { 0 };
    is_int(-1, topology_order(&t, "random:-1", a, &err), "no seed is negative: %s", err.text);
    is_int(EXIT_USAGE, err.status, "which is wrong usage, as other wrong orders are");
    refused(&t, "sideways", "not an order of nodes");
}

static void check_refused(void)
{
    struct topology t;
    struct err err = { 0 };
    struct network net = grid(TOPOLOGY_TORUS, (const int[]){ 2, 3, 4 }, 3);
    net.nodes = 23;
    ok(topology_init(&t, &net, &err) < 0, "another number of nodes is refused");
    has_str("has 24 nodes, not 23", err.text, "… and why");
    net = grid(TOPOLOGY_MESH, (const int[]){ 2, 0 }, 2);
    ok(topology_init(&t, &net, NULL) < 0, "an extent of 0 is refused");
    net = grid(TOPOLOGY_MESH, (const int[]){ 100000, 100000 }, 2);
    ok(topology_init(&t, &net, NULL) < 0, "too many nodes are refused");
    net.dims = 0;
    ok(topology_init(&t, &net, NULL) < 0, "no dimensions are refused");
    net = (struct network){ .kind = TOPOLOGY_FAT_TREE, .levels = 1, .down = { 4 }, .up = { 1 } };
    ok(topology_init(&t, &net, NULL) < 0, "a fat tree without cables is refused");
}

int main(void)
{
    check_grids();
    check_names();
    check_switches();
    check_fat_trees();
    check_cables();
    check_orders();
    check_refused();
    return tap_done();
}
