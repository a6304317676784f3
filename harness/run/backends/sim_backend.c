/* SPDX-License-Identifier: BSD-3-Clause */
/* sim: SimGrid SMPI on a platform generated from the cluster file.
 *
 * Files below the study: platform/cluster.xml, and per placement
 * platform/<nodes>x<ppn>-p<procs>-<mapping>.hosts with one line per rank, which is how SMPI places
 * ranks. */
#include "harness/run/backends/backend.h"
#include "harness/study/simulation_costs.h"
#include "harness/study/topology.h"

/* A simulated platform with nodes modelled inside: one
 * host per core, and links between cores (docs/simulation.md).
 *
 * A zone for the cores that share cache and memory, and one for each switch, all in one zone: from
 * SimGrid 4.1 on the gateway of a way between zones must be in the zone of the hosts, and up to 4.0
 * it may not be in a zone around theirs, so zones cannot be nested deeper. A message between two
 * cores crosses
 *
 *   seat     of the sender, up, and of the receiver, down; down carries one message at a time
 *   memory   of the sender's core, and of the receiver's where that is another (memory_cores of the
 *            cluster file): shared by all messages from and to its cores
 *   cache, core, socket: the channel (harness/base/seat.h), by its latency and the most that one
 *            message gets; no limit to all together
 *   bridge   between sockets of a node: of the sender's memory, out, and of the receiver's, in;
 *            shared by all messages that take it
 *   nic      between nodes: the node's link up, the other's down; one message at a time (and
 *            trunk-nic where there are bridges, which is there for the length of the way alone)
 *   trunk    between leaf switches, up and down: shared
 *
 * Names of links begin with these words ("nic-0"), by which the measuring program lifts the limit
 * of one message at a time (workloads/proof/native_default.c). Hosts are nNODE.SOCKET.CORE. */

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

/* Writes the zone of the whole cluster. The topology is star or tree. */
static void inside_write(FILE *f, const struct cluster *c)
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

/* The host of a rank; ranks that outnumber the cores of a node go round them. */
static void inside_host(char *buf, size_t size, const struct seating *s, int rank)
{
    const struct seat seat = seat_of(s, rank);
    const int local = seat_local(s, rank) % (s->sockets * s->cores);
    snprintf(buf, size, "n%d.%d.%d", seat.node, seat.core < 0 ? local / s->cores : seat.socket,
             seat.core < 0 ? local % s->cores : seat.core);
}

/* Bits per second to the bytes per second of the platform file. */
static double bytes_per_s(double bits_per_s)
{
    return bits_per_s / 8;
}

static void write_nodes(FILE *f, const struct cluster *c, const char *id, int first, int last,
                        double latency)
{
    fprintf(f,
            "  <cluster id=\"%s\" prefix=\"n\" suffix=\"\" radical=\"%d-%d\" speed=\"1Gf\" "
            "core=\"%d\"\n"
            "           bw=\"%.9gBps\" lat=\"%.9gs\" sharing_policy=\"SPLITDUPLEX\"\n"
            "           loopback_bw=\"%.9gBps\" loopback_lat=\"%.9gs\"",
            id, first, last, cluster_node_cores(c), bytes_per_s(c->link_rate), latency,
            bytes_per_s(c->loopback_rate), c->loopback_latency);
    if (c->backplane_rate > 0)
        fprintf(f, "\n           bb_bw=\"%.9gBps\" bb_lat=\"0s\" bb_sharing_policy=\"SHARED\"",
                bytes_per_s(c->backplane_rate));
}

/* Nodes first..last on one switch. A message crosses two of its links, and half of the switch's
 * latency is with each: a link of its own for the switch would be one that all messages pass one
 * after the other (libraries/smpi_launcher.c). */
static void write_switch(FILE *f, const struct cluster *c, const char *id, int first, int last)
{
    write_nodes(f, c, id, first, last, c->link_latency + c->switch_latency / 2);
}

static void write_star(FILE *f, const struct cluster *c)
{
    write_switch(f, c, c->name, 0, c->nodes - 1);
    fputs("/>\n", f);
}

/* Leaf switches below one above. Of the three switches between two leaves the node links bear one,
 * as within a leaf, and each trunk another. The measuring program finds the trunks by their names
 * (workloads/proof/native_default.c). */
static void write_tree(FILE *f, const struct cluster *c)
{
    const int ports = c->switch_ports ? c->switch_ports : c->nodes;
    const double trunk_rate = c->trunk_rate > 0 ? c->trunk_rate : ports * c->link_rate;
    char id[32];
    fprintf(f, "  <zone id=\"%s\" routing=\"Floyd\">\n", c->name);
    for (int first = 0; first < c->nodes; first += ports) {
        const int leaf = first / ports, end = first + ports < c->nodes ? first + ports : c->nodes;
        snprintf(id, sizeof id, "leaf%d", leaf);
        write_switch(f, c, id, first, end - 1);
        fprintf(f, "\n           router_id=\"switch%d\"/>\n", leaf);
    }
    fputs("  <zone id=\"above\" routing=\"Full\"><router id=\"switch\"/></zone>\n", f);
    for (int first = 0; first < c->nodes; first += ports)
        fprintf(f,
                "  <link id=\"trunk%d\" bandwidth=\"%.9gBps\" latency=\"%.9gs\" "
                "sharing_policy=\"SPLITDUPLEX\"/>\n",
                first / ports, bytes_per_s(trunk_rate), c->trunk_latency + c->switch_latency);
    for (int leaf = 0; leaf * ports < c->nodes; leaf++)
        fprintf(f,
                "  <zoneRoute src=\"leaf%d\" dst=\"above\" gw_src=\"switch%d\" gw_dst=\"switch\">"
                "<link_ctn id=\"trunk%d\" direction=\"UP\"/></zoneRoute>\n",
                leaf, leaf, leaf);
    fputs("  </zone>\n", f);
}

/* Nodes joined to their neighbours. SimGrid has tori only, in which a message goes the shorter way
 * around; in one of extents 2n - 1 what stays in a corner of extents n never goes around, so that
 * corner is a mesh. */
static int simgrid_extent(const struct topology *t, int dim)
{
    const int n = t->net.extent[dim];
    return t->net.kind == TOPOLOGY_MESH ? 2 * n - 1 : n;
}

/* The host of a node of the network: its number in the platform file. */
static int simgrid_node(const struct topology *t, int node)
{
    int at[TOPOLOGY_DIMS], host = 0;
    if (t->net.kind != TOPOLOGY_MESH)
        return node;
    topology_coordinates(t, node, at);
    for (int d = t->net.dims; d-- > 0;)
        host = host * simgrid_extent(t, d) + at[d];
    return host;
}

static void write_list(FILE *f, const char *before, const int *v, int n)
{
    for (int i = 0; i < n; i++)
        fprintf(f, "%s%d", i ? "," : before, v[i]);
}

static void write_torus(FILE *f, const struct cluster *c, const struct topology *t)
{
    int extents[TOPOLOGY_DIMS], hosts = 1;
    for (int d = 0; d < t->net.dims; d++)
        hosts *= extents[d] = simgrid_extent(t, d);
    write_nodes(f, c, c->name, 0, hosts - 1, c->link_latency + c->switch_latency);
    write_list(f, "\n           topology=\"TORUS\" topo_parameters=\"", extents, t->net.dims);
    fputs("\"/>\n", f);
}

static void write_fat_tree(FILE *f, const struct cluster *c, const struct topology *t)
{
    write_nodes(f, c, c->name, 0, c->nodes - 1, c->link_latency + c->switch_latency);
    fprintf(f, "\n           topology=\"FAT_TREE\" topo_parameters=\"%d", t->net.levels);
    write_list(f, ";", t->net.down, t->net.levels);
    write_list(f, ";", t->net.up, t->net.levels);
    write_list(f, ";", t->net.cables, t->net.levels);
    fputs("\"/>\n", f);
}

/* SimGrid 4.0 and 4.1 end with a segmentation fault where a torus or a fat tree is the outermost
 * zone (NetZone::add_netzone_torus of no parent), so these have a zone around them. It has no link.
 */
static void write_within(FILE *f, const struct cluster *c, const struct topology *t,
                         void (*write)(FILE *f, const struct cluster *c, const struct topology *t))
{
    fputs("  <zone id=\"(around)\" routing=\"Full\">\n", f);
    write(f, c, t);
    fputs("  </zone>\n", f);
}

static int check_inside(const struct cluster *c, struct err *err)
{
    if (c->backplane_rate > 0 && strcmp(c->topology, "star") != 0)
        return err_usage(err, "%s: backplane_rate: cannot be simulated in a %s (want unlimited)",
                         c->path, c->topology);
    if (c->inside && strcmp(c->topology, "star") != 0 && strcmp(c->topology, "tree") != 0)
        return err_usage(
            err,
            "%s: topology: a %s cannot be simulated with rates inside nodes (want star or tree)",
            c->path, c->topology);
    if (c->inside && strcmp(c->order, "in_order") != 0)
        return err_usage(err, "%s: order: cannot be simulated with rates inside nodes", c->path);
    if (c->inside && c->backplane_rate > 0)
        return err_usage(err,
                         "%s: backplane_rate: cannot be simulated with rates inside nodes (want "
                         "unlimited)",
                         c->path);
    return 0;
}

static int check_topology(const struct cluster *c, struct err *err)
{
    struct topology t;
    if (topology_load(&t, c, err) < 0)
        return -1;
    int *position = memory_zeros((size_t)c->nodes, sizeof *position);
    const int status = topology_order(&t, c->order, position, err);
    free(position);
    if (status == 0)
        return 0;
    err_prefix(err, "order");
    return cluster_fail(c, "order", err);
}

/* What no key of the file says by itself. */
static int check(const struct cluster *c, struct err *err)
{
    return costs_stated(c, err) < 0 || check_inside(c, err) < 0 ? -1 : check_topology(c, err);
}

static void write_network(FILE *f, const struct cluster *c, const struct topology *t)
{
    if (c->inside) {
        inside_write(f, c);
        return;
    }
    switch (t->net.kind) {
    case TOPOLOGY_TREE:
        write_tree(f, c);
        break;
    case TOPOLOGY_TORUS:
    case TOPOLOGY_MESH:
        write_within(f, c, t, write_torus);
        break;
    case TOPOLOGY_FAT_TREE:
        write_within(f, c, t, write_fat_tree);
        break;
    default:
        write_star(f, c);
    }
}

static int write_platform(const struct cluster *c, const struct topology *t, const char *path,
                          struct err *err)
{
    struct whole_file f;
    if (fs_begin(&f, path, err) < 0)
        return -1;
    fprintf(f.file,
            "<?xml version='1.0'?>\n"
            "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
            "<!-- generated from %s -->\n<platform version=\"4.1\">\n",
            c->path);
    write_network(f.file, c, t);
    fputs("</platform>\n", f.file);
    return fs_commit(&f, err);
}

static int hostfile_path(const char *dir, const struct launch *l, char *path, size_t size,
                         struct err *err)
{
    return fs_path(path, size, err, "%s/platform/%dx%d-p%d-%s.hosts", dir, l->nodes, l->ppn,
                   l->procs, l->mapping);
}

static int write_hostfile(const struct cluster *c, const struct launch *l, const struct topology *t,
                          const int *position, const char *dir, struct err *err)
{
    char path[PATH_SIZE], host[64];
    struct whole_file f;
    if (hostfile_path(dir, l, path, sizeof path, err) < 0 || fs_begin(&f, path, err) < 0)
        return -1;
    const struct seating seating = topology_seating(c, l->mapping, l->nodes, l->ppn, l->procs);
    for (int r = 0; r < l->procs; r++) {
        if (c->inside)
            inside_host(host, sizeof host, &seating, r);
        else
            snprintf(host, sizeof host, "n%d", simgrid_node(t, position[seat_node(&seating, r)]));
        fprintf(f.file, "%s\n", host);
    }
    return fs_commit(&f, err);
}

static int write_files(const struct cluster *cluster, const struct plan *plan,
                       const struct topology *t, int *position, const char *dir, struct err *err)
{
    char path[PATH_SIZE];
    if (topology_order(t, cluster->order, position, err) < 0 ||
        fs_path(path, sizeof path, err, "%s/platform/cluster.xml", dir) < 0 ||
        write_platform(cluster, t, path, err) < 0)
        return -1;
    for (size_t i = 0; i < plan->n_launches; i++)
        if (write_hostfile(cluster, &plan->launches[i], t, position, dir, err) < 0)
            return -1;
    return 0;
}

static int prepare(const struct cluster *cluster, const struct plan *plan, const char *dir,
                   struct err *err)
{
    struct topology t;
    if (topology_load(&t, cluster, err) < 0)
        return -1;
    int *position = memory_zeros((size_t)cluster->nodes, sizeof *position);
    const int status = write_files(cluster, plan, &t, position, dir, err);
    free(position);
    return status;
}

static int describe(const char *dir, struct job *job, char *platform, char *hostfile, size_t size,
                    struct err *err)
{
    if (fs_path(platform, size, err, "%s/platform/cluster.xml", dir) < 0 ||
        hostfile_path(dir, job->launch, hostfile, size, err) < 0)
        return -1;
    job->platform = platform;
    job->hostfile = hostfile;
    return 0;
}

const struct backend backend_sim = {
    .name = "sim",
    .help = "SimGrid SMPI on a platform generated from the cluster file",
    .deterministic = 1,
    .parallel = 1,
    .check = check,
    .prepare = prepare,
    .describe = describe,
};
