/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/backends/inside.h"

#include <string.h>

enum { NAME = 64 };

/* Where a zone is. complex: of a socket, the cores that share a cache. */
struct at {
    const struct cluster *c;
    int node, socket, complex;
};

static int cache_size(const struct cluster *c)
{
    return c->cache_cores && c->cache_cores < c->cores ? c->cache_cores : c->cores;
}

static int complexes(const struct cluster *c)
{
    return (c->cores + cache_size(c) - 1) / cache_size(c);
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

/* The way from a zone to the gateway of the zone around it. Routers stand in zones of their own, as
 * routes lead from zone to zone. */
static void write_way_out(FILE *f, const char *zone, const char *router, const char *around,
                          const char *link, int up)
{
    fprintf(f,
            "<zoneRoute src=\"%s\" dst=\"out-%s\" gw_src=\"%s\" gw_dst=\"router-%s\"><link_ctn "
            "id=\"%s\"%s/></zoneRoute>\n",
            zone, around, router, around, link, up ? " direction=\"UP\"" : "");
}

static void write_router(FILE *f, const char *zone)
{
    fprintf(f, "<zone id=\"out-%s\" routing=\"Full\"><router id=\"router-%s\"/></zone>\n", zone,
            zone);
}

/* ---- cores that share a cache ---- */

static void core_name(char *buf, const struct at *at, int core)
{
    snprintf(buf, NAME, "%d.%d.%d", at->node, at->socket, core);
}

static void complex_name(char *buf, const struct at *at)
{
    snprintf(buf, NAME, "complex-%d.%d.%d", at->node, at->socket, at->complex);
}

/* Two cores of a complex; i = j: ranks that share a core. */
static void write_pair(FILE *f, const struct at *at, int i, int j, const char *channel)
{
    char a[NAME], b[NAME];
    core_name(a, at, i);
    core_name(b, at, j);
    fprintf(f,
            "<route src=\"n%s\" dst=\"n%s\" symmetrical=\"%s\"><link_ctn id=\"seat-%s\" "
            "direction=\"UP\"/><link_ctn id=\"%s\"/><link_ctn id=\"memory-%d.%d\"/><link_ctn "
            "id=\"seat-%s\" direction=\"DOWN\"/></route>\n",
            a, b, i == j ? "NO" : "YES", a, channel, at->node, at->socket, b);
}

/* The file format wants links after zones and routes last, and links before they are used: so the
 * memory's link stands in its socket's first complex. */
static void write_complex(FILE *f, const struct at *at)
{
    const struct cluster *c = at->c;
    const int first = at->complex * cache_size(c), shared = complexes(c) > 1;
    const int end = first + cache_size(c) < c->cores ? first + cache_size(c) : c->cores;
    char zone[NAME], core[NAME], channel[NAME], memory[NAME];
    complex_name(zone, at);
    snprintf(memory, sizeof memory, "memory-%d.%d", at->node, at->socket);
    snprintf(channel, sizeof channel, "cache-%d.%d.%d", at->node, at->socket, at->complex);
    fprintf(f, "<zone id=\"%s\" routing=\"Full\">\n", zone);
    for (int i = first; i < end; i++) {
        core_name(core, at, i);
        fprintf(f, "<host id=\"n%s\" speed=\"1Gf\"/>", core);
    }
    fprintf(f, "<router id=\"router-%s\"/>\n", zone);
    if (at->complex == 0)
        write_link(f, memory, c->memory_rate > 0 ? c->memory_rate : no_limit(c) * c->cores, 0,
                   "SHARED");
    write_link(f, channel, shared ? c->cache_rate : c->core_rate,
               shared ? c->cache_latency : c->core_latency, "FATPIPE");
    for (int i = first; i < end; i++) {
        char seat[NAME + 8];
        core_name(core, at, i);
        snprintf(seat, sizeof seat, "seat-%s", core);
        write_link(f, seat, no_limit(c), 0, "SPLITDUPLEX");
    }
    for (int i = first; i < end; i++) {
        core_name(core, at, i);
        fprintf(f,
                "<route src=\"n%s\" dst=\"router-%s\"><link_ctn id=\"seat-%s\" "
                "direction=\"UP\"/></route>\n",
                core, zone, core);
        for (int j = i; j < end; j++)
            write_pair(f, at, i, j, channel);
    }
    fputs("</zone>\n", f);
}

/* ---- socket ---- */

static void write_socket(FILE *f, const struct at *where)
{
    struct at at = *where;
    const struct cluster *c = at.c;
    char socket[NAME], memory[NAME], channel[NAME], a[NAME], b[NAME], router[NAME + 8];
    snprintf(socket, sizeof socket, "socket-%d.%d", at.node, at.socket);
    snprintf(memory, sizeof memory, "memory-%d.%d", at.node, at.socket);
    snprintf(channel, sizeof channel, "core-%d.%d", at.node, at.socket);
    fprintf(f, "<zone id=\"%s\" routing=\"Full\">\n", socket);
    for (at.complex = 0; at.complex < complexes(c); at.complex++)
        write_complex(f, &at);
    write_router(f, socket);
    write_link(f, channel, c->core_rate, c->core_latency, "FATPIPE");
    for (int i = 0; i < complexes(c); i++) {
        at.complex = i;
        complex_name(a, &at);
        snprintf(router, sizeof router, "router-%s", a);
        write_way_out(f, a, router, socket, memory, 0);
        for (at.complex = i + 1; at.complex < complexes(c); at.complex++) {
            complex_name(b, &at);
            fprintf(f,
                    "<zoneRoute src=\"%s\" dst=\"%s\" gw_src=\"%s\" gw_dst=\"router-%s\"><link_ctn "
                    "id=\"%s\"/><link_ctn id=\"%s\"/></zoneRoute>\n",
                    a, b, router, b, channel, memory);
        }
    }
    fputs("</zone>\n", f);
}

/* ---- node ---- */

static void write_bridges(FILE *f, const struct cluster *c, int node)
{
    const double rate = c->bridge_rate > 0 ? c->bridge_rate : no_limit(c) * c->cores;
    char bridge[NAME];
    for (int i = 0; i < c->sockets; i++)
        for (int j = i + 1; j < c->sockets; j++) {
            snprintf(bridge, sizeof bridge, "bridge-%d.%d.%d", node, i, j);
            write_link(f, bridge, rate, 0, "SPLITDUPLEX");
        }
}

static void write_node(FILE *f, const struct cluster *c, int node)
{
    struct at at = { .c = c, .node = node };
    char name[NAME], channel[NAME], door[NAME], socket[NAME], router[NAME + 8];
    snprintf(name, sizeof name, "node-%d", node);
    snprintf(channel, sizeof channel, "socket-%d", node);
    snprintf(door, sizeof door, "door-%d", node);
    fprintf(f, "<zone id=\"%s\" routing=\"Full\">\n", name);
    for (at.socket = 0; at.socket < c->sockets; at.socket++)
        write_socket(f, &at);
    write_router(f, name);
    write_link(f, channel, c->socket_rate, c->socket_latency, "FATPIPE");
    write_link(f, door, no_limit(c), 0, "FATPIPE");
    write_bridges(f, c, node);
    for (int i = 0; i < c->sockets; i++) {
        snprintf(socket, sizeof socket, "socket-%d.%d", node, i);
        snprintf(router, sizeof router, "router-%s", socket);
        write_way_out(f, socket, router, name, door, 0);
        for (int j = i + 1; j < c->sockets; j++)
            fprintf(f,
                    "<zoneRoute src=\"%s\" dst=\"socket-%d.%d\" gw_src=\"%s\" "
                    "gw_dst=\"router-socket-%d.%d\"><link_ctn id=\"%s\"/><link_ctn "
                    "id=\"bridge-%d.%d.%d\" direction=\"UP\"/></zoneRoute>\n",
                    socket, node, j, router, node, j, channel, node, i, j);
    }
    fputs("</zone>\n", f);
}

/* ---- network ---- */

static void write_trunk(FILE *f, const struct cluster *c, int leaf, int ports)
{
    const double rate = c->trunk_rate > 0 ? c->trunk_rate : ports * c->link_rate;
    char trunk[NAME];
    snprintf(trunk, sizeof trunk, "trunk-%d", leaf);
    write_link(f, trunk, rate, c->trunk_latency + c->switch_latency, "SPLITDUPLEX");
}

static void write_nic(FILE *f, const struct cluster *c, int node)
{
    char nic[NAME];
    snprintf(nic, sizeof nic, "nic-%d", node);
    write_link(f, nic, c->link_rate, c->link_latency + c->switch_latency / 2, "SPLITDUPLEX");
}

static void write_leaf(FILE *f, const struct cluster *c, int leaf, int ports)
{
    const int first = leaf * ports, end = first + ports < c->nodes ? first + ports : c->nodes;
    char name[NAME], nic[NAME], router[NAME + 8], node[NAME];
    snprintf(name, sizeof name, "leaf-%d", leaf);
    for (int n = first; n < end; n++) {
        snprintf(node, sizeof node, "node-%d", n);
        snprintf(nic, sizeof nic, "nic-%d", n);
        snprintf(router, sizeof router, "router-%s", node);
        write_way_out(f, node, router, name, nic, 1);
    }
    if (strcmp(c->topology, "tree") == 0)
        fprintf(f,
                "<zoneRoute src=\"out-%s\" dst=\"out-above\" gw_src=\"router-%s\" "
                "gw_dst=\"router-above\"><link_ctn id=\"trunk-%d\" direction=\"UP\"/>"
                "</zoneRoute>\n",
                name, name, leaf);
}

void inside_write(FILE *f, const struct cluster *c)
{
    const int tree = strcmp(c->topology, "tree") == 0;
    const int ports = tree && c->switch_ports ? c->switch_ports : c->nodes;
    const int leaves = (c->nodes + ports - 1) / ports;
    char leaf[NAME];
    fprintf(f, "<zone id=\"%s\" routing=\"Floyd\">\n", c->name);
    for (int n = 0; n < c->nodes; n++)
        write_node(f, c, n);
    for (int k = 0; k < leaves; k++) {
        snprintf(leaf, sizeof leaf, "leaf-%d", k);
        write_router(f, leaf);
    }
    if (tree)
        write_router(f, "above");
    for (int n = 0; n < c->nodes; n++)
        write_nic(f, c, n);
    for (int k = 0; tree && k < leaves; k++)
        write_trunk(f, c, k, ports);
    for (int k = 0; k < leaves; k++)
        write_leaf(f, c, k, ports);
    fputs("</zone>\n", f);
}

void inside_host(char *buf, size_t size, const struct seating *s, int rank)
{
    const struct seat seat = seat_of(s, rank);
    const int local = seat_local(s, rank) % (s->sockets * s->cores);
    snprintf(buf, size, "n%d.%d.%d", seat.node, seat.core < 0 ? local / s->cores : seat.socket,
             seat.core < 0 ? local % s->cores : seat.core);
}
