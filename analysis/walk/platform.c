/* SPDX-License-Identifier: BSD-3-Clause */
/* platform.c - links are numbered: those of the network (topology.h), the backplane, then those
 * inside of each node: one loopback, or seats, caches, sockets, the node, memories and bridges. */
#include "analysis/walk/platform.h"

#include "harness/study/topology.h"

/* SMPI's default of network/weight-S: what a link adds to a route's penalty, over its rate. */
static const double weight_s = 8775;

/* The most links of a route inside both nodes: seat and memory of either end; within a node seats,
 * channel, two memories and two bridges. */
enum { MOST_INSIDE = 8 };

/* Where a rank is. */
struct place {
    int node; /* of the network */
    int socket, core;
};

/* The links of a node by their number within it. Cores that share a cache or a memory are
 * consecutive. */
struct inside {
    int cores, caches, memories; /* of a socket */
    int cache_cores, memory_cores;
    int seat_up, seat_down, cache, socket, node, memory, bridge_up, bridge_down;
};

struct platform {
    const struct cluster *c;
    struct topology topology;
    struct place *place; /* of each rank */
    int procs;
    struct platform_link *link;
    int links, backplane, first_inside, per_node; /* backplane: -1, none */
    struct inside inside;
};

static void set_link(struct platform *p, int link, enum platform_kind kind, double bits_per_s,
                     double latency)
{
    p->link[link] = (struct platform_link){ kind, bits_per_s / 8, latency };
}

/* Does a node's link carry one message after the other? (harness/run/libraries/smpi_launcher.c) */
static int one_at_a_time(const struct platform *p)
{
    const enum topology_kind kind = p->topology.net.kind;
    return p->c->backplane_rate == 0 && (kind == TOPOLOGY_STAR || kind == TOPOLOGY_TREE);
}

/* Trunks of a tree carry many. */
static int is_trunk(const struct platform *p, int link)
{
    int from, to;
    return topology_ends(&p->topology, link, &from, &to) == 0 && from >= p->c->nodes &&
           to >= p->c->nodes;
}

static void set_network(struct platform *p)
{
    const struct topology *t = &p->topology;
    for (int i = 0; i < t->links; i++) {
        const int one = one_at_a_time(p) && !is_trunk(p, i);
        p->link[i] = (struct platform_link){ one ? PLATFORM_ONE : PLATFORM_SHARED,
                                             topology_rate(t, i), topology_latency(t, i) };
    }
    if (p->backplane >= 0)
        set_link(p, p->backplane, PLATFORM_SHARED, p->c->backplane_rate, 0);
}

static void set_inside(struct platform *p, int first)
{
    const struct cluster *c = p->c;
    const struct inside *in = &p->inside;
    const int seats = c->sockets * in->cores, caches = c->sockets * in->caches;
    const int memories = c->sockets * in->memories, cached = c->cache_cores > 0;
    /* A rate that never limits, as the platform file has it. */
    const double no = 10 *
                      fmax(fmax(c->link_rate, c->cache_rate), fmax(c->core_rate, c->socket_rate)),
                 memory = c->memory_rate > 0 ? c->memory_rate : no * c->cores;
    for (int i = 0; i < seats; i++) {
        set_link(p, first + in->seat_up + i, PLATFORM_SHARED, no, 0);
        set_link(p, first + in->seat_down + i, PLATFORM_ONE, no, 0);
    }
    for (int i = 0; i < caches; i++)
        set_link(p, first + in->cache + i, PLATFORM_BOUND, cached ? c->cache_rate : c->core_rate,
                 cached ? c->cache_latency : c->core_latency);
    for (int i = 0; i < c->sockets; i++)
        set_link(p, first + in->socket + i, PLATFORM_BOUND, c->core_rate, c->core_latency);
    set_link(p, first + in->node, PLATFORM_BOUND, c->socket_rate, c->socket_latency);
    for (int i = 0; i < memories; i++) {
        set_link(p, first + in->memory + i, PLATFORM_SHARED, memory, 0);
        set_link(p, first + in->bridge_up + i, PLATFORM_SHARED, c->bridge_rate, 0);
        set_link(p, first + in->bridge_down + i, PLATFORM_SHARED, c->bridge_rate, 0);
    }
}

/* How many consecutive cores of a socket share: all of them where the file does not say. */
static int sharing(const struct cluster *c, int cores)
{
    return cores && cores < c->cores ? cores : c->cores;
}

static void number_links(struct platform *p)
{
    const struct cluster *c = p->c;
    struct inside *in = &p->inside;
    p->backplane = c->backplane_rate > 0 ? p->topology.links : -1;
    p->first_inside = p->topology.links + (p->backplane >= 0);
    p->per_node = 1;
    if (c->inside) {
        in->cores = c->cores;
        in->cache_cores = sharing(c, c->cache_cores);
        in->memory_cores = sharing(c, c->memory_cores);
        in->caches = (c->cores + in->cache_cores - 1) / in->cache_cores;
        in->memories = (c->cores + in->memory_cores - 1) / in->memory_cores;
        in->seat_down = c->sockets * in->cores;
        in->cache = 2 * in->seat_down;
        in->socket = in->cache + c->sockets * in->caches;
        in->node = in->socket + c->sockets;
        in->memory = in->node + 1;
        in->bridge_up = in->memory + c->sockets * in->memories;
        in->bridge_down = in->bridge_up + c->sockets * in->memories;
        p->per_node = in->bridge_down + c->sockets * in->memories;
    }
    p->links = p->first_inside + c->nodes * p->per_node;
}

/* As the hosts of a simulation: a rank without a core of its own is on one by its number. */
static struct place place_of(const struct platform *p, const struct seating *seating,
                             const int *position, int rank)
{
    const struct seat seat = seat_of(seating, rank);
    struct place at = { .node = position[seat.node], .socket = seat.socket, .core = seat.core };
    if (p->c->inside && seat.core < 0) {
        const int local = seat_local(seating, rank) % (p->c->sockets * p->c->cores);
        at.socket = local / p->c->cores;
        at.core = local % p->c->cores;
    }
    return at;
}

static int place_ranks(struct platform *p, const struct seating *seating, struct err *err)
{
    int *position = memory_zeros((size_t)p->c->nodes, sizeof *position);
    const int status = topology_order(&p->topology, p->c->order, position, err);
    p->procs = seating->procs;
    p->place = memory_zeros((size_t)p->procs, sizeof *p->place);
    for (int r = 0; status == 0 && r < seating->procs; r++)
        p->place[r] = place_of(p, seating, position, r);
    free(position);
    return status;
}

struct platform *platform_new(const struct cluster *cluster, const struct seating *seating,
                              struct err *err)
{
    struct platform *p = memory_zeros(1, sizeof *p);
    p->c = cluster;
    if (topology_load(&p->topology, cluster, err) < 0 || seat_check(seating, err) < 0 ||
        place_ranks(p, seating, err) < 0) {
        platform_free(p);
        return NULL;
    }
    number_links(p);
    p->link = memory_zeros((size_t)p->links, sizeof *p->link);
    set_network(p);
    for (int n = 0, first = p->first_inside; n < cluster->nodes; n++, first += p->per_node)
        if (cluster->inside)
            set_inside(p, first);
        else
            set_link(p, first, one_at_a_time(p) ? PLATFORM_ONE : PLATFORM_BOUND,
                     p->c->loopback_rate, p->c->loopback_latency);
    return p;
}

void platform_free(struct platform *p)
{
    if (!p)
        return;
    memory_free(p->place, p->link, p);
}

const struct cluster *platform_cluster(const struct platform *p)
{
    return p->c;
}

int platform_links(const struct platform *p)
{
    return p->links;
}

const struct platform_link *platform_link(const struct platform *p, int link)
{
    return &p->link[link];
}

int platform_most_links(const struct platform *p)
{
    return p->topology.diameter + MOST_INSIDE + 1;
}

static void cross(struct platform_route *route, int link)
{
    route->link[route->n++] = link;
}

static int of_node(const struct platform *p, const struct place *at, int link)
{
    return p->first_inside + at->node * p->per_node + link;
}

static int seat_link(const struct platform *p, const struct place *at, int first)
{
    return of_node(p, at, first + at->socket * p->inside.cores + at->core);
}

static int memory_number(const struct platform *p, const struct place *at)
{
    return at->socket * p->inside.memories + at->core / p->inside.memory_cores;
}

static int memory_link(const struct platform *p, const struct place *at, int first)
{
    return of_node(p, at, first + memory_number(p, at));
}

static int cache_number(const struct platform *p, const struct place *at)
{
    return at->socket * p->inside.caches + at->core / p->inside.cache_cores;
}

/* Two cores of a node: the channel, and the memories that the message passes. */
static void cross_inside(const struct platform *p, const struct place *from, const struct place *to,
                         struct platform_route *route)
{
    const struct inside *in = &p->inside;
    const int far = from->socket != to->socket;
    const int memories = memory_number(p, from) != memory_number(p, to);
    cross(route, seat_link(p, from, in->seat_up));
    cross(route, far ? of_node(p, from, in->node)
                 : cache_number(p, from) == cache_number(p, to)
                     ? of_node(p, from, in->cache + cache_number(p, from))
                     : of_node(p, from, in->socket + from->socket));
    cross(route, memory_link(p, from, in->memory));
    if (far && p->c->bridge_rate > 0)
        cross(route, memory_link(p, from, in->bridge_up));
    if (memories)
        cross(route, memory_link(p, to, in->memory));
    if (far && p->c->bridge_rate > 0)
        cross(route, memory_link(p, to, in->bridge_down));
    cross(route, seat_link(p, to, in->seat_down));
}

static void cross_network(const struct platform *p, const struct place *from,
                          const struct place *to, struct platform_route *route)
{
    const struct inside *in = &p->inside;
    if (p->c->inside) {
        cross(route, seat_link(p, from, in->seat_up));
        cross(route, memory_link(p, from, in->memory));
    }
    route->n += topology_route(&p->topology, from->node, to->node, route->link + route->n);
    if (p->backplane >= 0)
        cross(route, p->backplane);
    if (p->c->inside) {
        cross(route, memory_link(p, to, in->memory));
        cross(route, seat_link(p, to, in->seat_down));
    }
}

void platform_route(const struct platform *p, int src, int dst, struct platform_route *route)
{
    const struct place *from = &p->place[src], *to = &p->place[dst];
    route->n = 0;
    if (from->node != to->node)
        cross_network(p, from, to, route);
    else if (p->c->inside)
        cross_inside(p, from, to, route);
    else
        cross(route, of_node(p, from, 0));
    route->latency = 0;
    route->rate = INFINITY;
    double slow = 0;
    for (int i = 0; i < route->n; i++) {
        const struct platform_link *link = &p->link[route->link[i]];
        route->latency += link->latency;
        route->rate = fmin(route->rate, link->rate);
        slow += weight_s / link->rate;
    }
    route->penalty = route->latency + slow;
}

/* ---- ranks that take each other's seats ---- */

/* Nodes go where their ranks go, which keep their cores. -1: nobody is there. 0: some do not. */
static int move_nodes(const struct platform *p, const int *to, int *node)
{
    for (int n = 0; n < p->c->nodes; n++)
        node[n] = -1;
    for (int r = 0; r < p->procs; r++) {
        const struct place *from = &p->place[r], *there = &p->place[to[r]];
        int *at = &node[from->node];
        if (from->socket != there->socket || from->core != there->core ||
            (*at >= 0 && *at != there->node))
            return 0;
        *at = there->node;
    }
    return 1;
}

static int move_link(const struct platform *p, int from, int to, int *link)
{
    const struct platform_link *a = &p->link[from], *b = &p->link[to];
    if ((link[from] >= 0 && link[from] != to) || a->kind != b->kind || a->rate != b->rate ||
        a->latency != b->latency)
        return 0;
    link[from] = to;
    return 1;
}

static int move_route(const struct platform *p, const int *node, int a, int b, int *from, int *to,
                      int *link)
{
    const int n = topology_route(&p->topology, a, b, from);
    int same = topology_route(&p->topology, node[a], node[b], to) == n;
    for (int i = 0; same && i < n; i++)
        same = move_link(p, from[i], to[i], link);
    return same;
}

/* All pairs of nodes that have ranks; of a star one pair for each, as others have the same links.
 */
static int move_network(const struct platform *p, const int *node, int *link)
{
    const size_t room = (size_t)p->topology.diameter + 1;
    int *from = memory_zeros(room, sizeof *from), *to = memory_zeros(room, sizeof *to);
    int *used = memory_zeros((size_t)p->c->nodes, sizeof *used), n = 0, same = 1;
    for (int i = 0; i < p->c->nodes; i++)
        if (node[i] >= 0)
            used[n++] = i;
    const int others = p->topology.net.kind == TOPOLOGY_STAR && n > 1 ? 1 : n - 1;
    for (int i = 0; same && i < n; i++)
        for (int k = 1; same && k <= others; k++)
            same = move_route(p, node, used[i], used[(i + k) % n], from, to, link);
    memory_free(from, to, used);
    return same;
}

int platform_moves(const struct platform *p, const int *to, int procs, int *link)
{
    int *node = memory_zeros((size_t)p->c->nodes, sizeof *node);
    for (int i = 0; i < p->links; i++)
        link[i] = -1;
    int same = procs == p->procs && move_nodes(p, to, node) && move_network(p, node, link);
    for (int n = 0; same && n < p->c->nodes; n++)
        for (int i = 0; node[n] >= 0 && i < p->per_node; i++)
            link[p->first_inside + n * p->per_node + i] =
                p->first_inside + node[n] * p->per_node + i;
    if (p->backplane >= 0)
        link[p->backplane] = p->backplane;
    free(node);
    return same;
}
