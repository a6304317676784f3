/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/backends/inside.h"

#include <string.h>

enum { NAME = 64 };

/* Where a zone is. core: the first of a complex, consecutive cores of a socket that share both
 * cache and memory. */
struct at {
    const struct cluster *c;
    int node, socket, core;
};

/* How many consecutive cores share: all of a socket where the file does not say. */
static int sharing(const struct cluster *c, int cores)
{
    return cores && cores < c->cores ? cores : c->cores;
}

static int cache_of(const struct cluster *c, int core)
{
    return core / sharing(c, c->cache_cores);
}

static int memory_of(const struct cluster *c, int core)
{
    return core / sharing(c, c->memory_cores);
}

/* One past the last core of a complex, by its first. */
static int complex_end(const struct cluster *c, int first)
{
    int end = first;
    while (end < c->cores && cache_of(c, end) == cache_of(c, first) &&
           memory_of(c, end) == memory_of(c, first))
        end++;
    return end;
}

/* A rate that never limits: a seat is there for its limit of one message. */
static double no_limit(const struct cluster *c)
{
    const double rates[] = { c->link_rate, c->cache_rate, c->core_rate, c->socket_rate };
    double most = 0;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        most = rates[i] > most ? rates[i] : most;
    return 10 * most;
}

static void write_link(FILE *f, const char *id, double bits_per_s, double latency_s,
                       const char *policy)
{
    fprintf(f, "<link id=\"%s\" bandwidth=\"%.9gBps\" latency=\"%.9gs\" sharing_policy=\"%s\"/>\n",
            id, bits_per_s / 8, latency_s, policy);
}

/* A switch: a router in a zone of its own, as routes lead from zone to zone. */
static void write_router(FILE *f, const char *name)
{
    fprintf(f, "<zone id=\"%s\" routing=\"Full\"><router id=\"router-%s\"/></zone>\n", name, name);
}

/* ---- cores that share a cache ---- */

static void core_name(char *buf, const struct at *at, int core)
{
    snprintf(buf, NAME, "%d.%d.%d", at->node, at->socket, core);
}

static void complex_name(char *buf, const struct at *at)
{
    snprintf(buf, NAME, "complex-%d.%d.%d", at->node, at->socket, at->core);
}

static void memory_name(char *buf, const struct at *at)
{
    snprintf(buf, NAME, "memory-%d.%d.%d", at->node, at->socket, memory_of(at->c, at->core));
}

static void cache_name(char *buf, const struct at *at)
{
    snprintf(buf, NAME, "cache-%d.%d.%d", at->node, at->socket, cache_of(at->c, at->core));
}

static void bridge_name(char *buf, const struct at *at)
{
    snprintf(buf, NAME, "bridge-%d.%d.%d", at->node, at->socket, memory_of(at->c, at->core));
}

/* Two cores of a complex; i = j: ranks that share a core. */
static void write_pair(FILE *f, const struct at *at, int i, int j)
{
    char a[NAME], b[NAME], memory[NAME], cache[NAME];
    core_name(a, at, i);
    core_name(b, at, j);
    memory_name(memory, at);
    cache_name(cache, at);
    fprintf(f,
            "<route src=\"n%s\" dst=\"n%s\" symmetrical=\"%s\"><link_ctn id=\"seat-%s\" "
            "direction=\"UP\"/><link_ctn id=\"%s\"/><link_ctn id=\"%s\"/><link_ctn "
            "id=\"seat-%s\" direction=\"DOWN\"/></route>\n",
            a, b, i == j ? "NO" : "YES", a, cache, memory, b);
}

/* What the cores of a complex share with others, in the first complex that has it: the file format
 * wants links after zones and before they are used. Where the file names no cores that share a
 * cache, what they share is the channel "core", as in seat_between. */
static void write_shared(FILE *f, const struct at *at)
{
    const struct cluster *c = at->c;
    const int cached = c->cache_cores > 0;
    char memory[NAME], cache[NAME];
    memory_name(memory, at);
    cache_name(cache, at);
    if (at->core % sharing(c, c->memory_cores) == 0)
        write_link(f, memory, c->memory_rate > 0 ? c->memory_rate : no_limit(c) * c->cores, 0,
                   "SHARED");
    if (at->core % sharing(c, c->cache_cores) == 0)
        write_link(f, cache, cached ? c->cache_rate : c->core_rate,
                   cached ? c->cache_latency : c->core_latency, "FATPIPE");
}

static void write_complex(FILE *f, const struct at *at)
{
    const int end = complex_end(at->c, at->core);
    char zone[NAME], core[NAME], seat[NAME + 8];
    complex_name(zone, at);
    fprintf(f, "<zone id=\"%s\" routing=\"Full\">\n", zone);
    for (int i = at->core; i < end; i++) {
        core_name(core, at, i);
        fprintf(f, "<host id=\"n%s\" speed=\"1Gf\"/>", core);
    }
    fprintf(f, "<router id=\"router-%s\"/>\n", zone);
    write_shared(f, at);
    for (int i = at->core; i < end; i++) {
        core_name(core, at, i);
        snprintf(seat, sizeof seat, "seat-%s", core);
        write_link(f, seat, no_limit(at->c), 0, "SPLITDUPLEX");
    }
    for (int i = at->core; i < end; i++) {
        core_name(core, at, i);
        fprintf(f,
                "<route src=\"n%s\" dst=\"router-%s\"><link_ctn id=\"seat-%s\" "
                "direction=\"UP\"/></route>\n",
                core, zone, core);
        for (int j = i; j < end; j++)
            write_pair(f, at, i, j);
    }
    fputs("</zone>\n", f);
}

/* ---- node ---- */

static void write_link_of(FILE *f, const char *link, const char *direction)
{
    fprintf(f, "<link_ctn id=\"%s\"%s/>", link, direction);
}

/* What two complexes of a socket have between them: a message passes both memories where they are
 * two. */
static void write_way_near(FILE *f, const struct at *from, const struct at *to)
{
    const struct cluster *c = from->c;
    char link[NAME];
    if (cache_of(c, from->core) == cache_of(c, to->core))
        cache_name(link, from);
    else
        snprintf(link, sizeof link, "core-%d.%d", from->node, from->socket);
    write_link_of(f, link, "");
    memory_name(link, from);
    write_link_of(f, link, "");
    memory_name(link, to);
    if (memory_of(c, from->core) != memory_of(c, to->core))
        write_link_of(f, link, "");
}

/* Two complexes of different sockets: both memories, and the bridge of each. */
static void write_way_far(FILE *f, const struct at *from, const struct at *to)
{
    const struct at *const ends[] = { from, to };
    char link[NAME];
    snprintf(link, sizeof link, "socket-%d", from->node);
    write_link_of(f, link, "");
    for (int i = 0; i < 2; i++) {
        memory_name(link, ends[i]);
        write_link_of(f, link, "");
        bridge_name(link, ends[i]);
        if (from->c->bridge_rate > 0)
            write_link_of(f, link, i == 0 ? " direction=\"UP\"" : " direction=\"DOWN\"");
    }
}

static void write_between(FILE *f, const struct at *from, const struct at *to)
{
    char a[NAME], b[NAME];
    complex_name(a, from);
    complex_name(b, to);
    fprintf(f, "<zoneRoute src=\"%s\" dst=\"%s\" gw_src=\"router-%s\" gw_dst=\"router-%s\">", a, b,
            a, b);
    if (from->socket == to->socket)
        write_way_near(f, from, to);
    else
        write_way_far(f, from, to);
    fputs("</zoneRoute>\n", f);
}

/* From complex to complex of a node; 0 after the last. */
static int next_complex(struct at *at)
{
    at->core = complex_end(at->c, at->core);
    if (at->core == at->c->cores) {
        at->core = 0;
        at->socket++;
    }
    return at->socket < at->c->sockets;
}

static int has_bridges(const struct cluster *c)
{
    return c->bridge_rate > 0 && c->sockets > 1;
}

static void write_complexes(FILE *f, const struct cluster *c, int node)
{
    struct at at = { .c = c, .node = node };
    do
        write_complex(f, &at);
    while (next_complex(&at));
}

static void write_channels(FILE *f, const struct cluster *c, int node)
{
    struct at at = { .c = c, .node = node };
    char link[NAME];
    for (int s = 0; s < c->sockets; s++) {
        snprintf(link, sizeof link, "core-%d.%d", node, s);
        write_link(f, link, c->core_rate, c->core_latency, "FATPIPE");
    }
    snprintf(link, sizeof link, "socket-%d", node);
    write_link(f, link, c->socket_rate, c->socket_latency, "FATPIPE");
    if (has_bridges(c))
        do {
            bridge_name(link, &at);
            if (at.core % sharing(c, c->memory_cores) == 0)
                write_link(f, link, c->bridge_rate, 0, "SPLITDUPLEX");
        } while (next_complex(&at));
}

/* The ways of a node's complexes to each other and to the switch that they are at. */
static void write_ways(FILE *f, const struct cluster *c, int node, int leaf)
{
    struct at at = { .c = c, .node = node }, to;
    char complex[NAME], memory[NAME];
    do {
        complex_name(complex, &at);
        memory_name(memory, &at);
        fprintf(f,
                "<zoneRoute src=\"%s\" dst=\"leaf-%d\" gw_src=\"router-%s\" "
                "gw_dst=\"router-leaf-%d\"><link_ctn id=\"%s\"/><link_ctn id=\"nic-%d\" "
                "direction=\"UP\"/>",
                complex, leaf, complex, leaf, memory, node);
        if (has_bridges(c))
            fprintf(f, "<link_ctn id=\"trunk-nic-%d\" direction=\"UP\"/>", node);
        fputs("</zoneRoute>\n", f);
        to = at;
        while (next_complex(&to))
            write_between(f, &at, &to);
    } while (next_complex(&at));
}

/* ---- network ---- */

static void write_trunk(FILE *f, const struct cluster *c, int leaf, int ports)
{
    const double rate = c->trunk_rate > 0 ? c->trunk_rate : ports * c->link_rate;
    char trunk[NAME];
    snprintf(trunk, sizeof trunk, "trunk-%d", leaf);
    write_link(f, trunk, rate, c->trunk_latency + c->switch_latency, "SPLITDUPLEX");
}

/* Of two ways between zones the one of fewer links is taken. Two complexes with bridges between
 * them have five: the way over the switch gets six, by a link that costs and limits nothing. */
static void write_nic(FILE *f, const struct cluster *c, int node)
{
    char nic[NAME];
    snprintf(nic, sizeof nic, "nic-%d", node);
    write_link(f, nic, c->link_rate, c->link_latency + c->switch_latency / 2, "SPLITDUPLEX");
    snprintf(nic, sizeof nic, "trunk-nic-%d", node);
    if (has_bridges(c))
        write_link(f, nic, 1e30, 0, "SPLITDUPLEX");
}

static void write_uplink(FILE *f, int leaf)
{
    fprintf(f,
            "<zoneRoute src=\"leaf-%d\" dst=\"above\" gw_src=\"router-leaf-%d\" "
            "gw_dst=\"router-above\"><link_ctn id=\"trunk-%d\" direction=\"UP\"/></zoneRoute>\n",
            leaf, leaf, leaf);
}

void inside_write(FILE *f, const struct cluster *c)
{
    const int tree = strcmp(c->topology, "tree") == 0;
    const int ports = tree && c->switch_ports ? c->switch_ports : c->nodes;
    const int leaves = (c->nodes + ports - 1) / ports;
    char leaf[NAME];
    fprintf(f, "<zone id=\"%s\" routing=\"Floyd\">\n", c->name);
    for (int n = 0; n < c->nodes; n++)
        write_complexes(f, c, n);
    for (int k = 0; k < leaves; k++) {
        snprintf(leaf, sizeof leaf, "leaf-%d", k);
        write_router(f, leaf);
    }
    if (tree)
        write_router(f, "above");
    for (int n = 0; n < c->nodes; n++) {
        write_channels(f, c, n);
        write_nic(f, c, n);
    }
    for (int k = 0; tree && k < leaves; k++)
        write_trunk(f, c, k, ports);
    for (int n = 0; n < c->nodes; n++)
        write_ways(f, c, n, n / ports);
    for (int k = 0; tree && k < leaves; k++)
        write_uplink(f, k);
    fputs("</zone>\n", f);
}

void inside_host(char *buf, size_t size, const struct seating *s, int rank)
{
    const struct seat seat = seat_of(s, rank);
    const int local = seat_local(s, rank) % (s->sockets * s->cores);
    snprintf(buf, size, "n%d.%d.%d", seat.node, seat.core < 0 ? local / s->cores : seat.socket,
             seat.core < 0 ? local % s->cores : seat.core);
}
