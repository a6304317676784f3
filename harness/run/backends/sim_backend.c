/* SPDX-License-Identifier: BSD-3-Clause */
/* sim: SimGrid SMPI on a platform generated from the cluster file.
 *
 * Files below the study: platform/cluster.xml, and per placement
 * platform/<nodes>x<ppn>-p<procs>-<mapping>.hosts with one line per rank, which is how SMPI places
 * ranks. */
#include "harness/run/backends/backend.h"

#include <stdlib.h>
#include <string.h>

#include "harness/run/backends/inside.h"
#include "harness/base/fs.h"
#include "harness/base/memory.h"
#include "harness/base/seat.h"
#include "harness/study/simulation_costs.h"
#include "harness/study/topology.h"

/* Bits per second to the bytes per second of the platform file. */
static double bytes_per_s(double bits_per_s)
{
    return bits_per_s / 8;
}

/* Nodes first..last, on links of this latency. */
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
