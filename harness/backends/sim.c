/* SPDX-License-Identifier: BSD-3-Clause */
/* sim: SimGrid SMPI on a platform generated from the cluster file.
 *
 * Files below the study: platform/cluster.xml, and per placement
 * platform/<nodes>x<ppn>-<mapping>.hosts with one line per rank, which is how SMPI places ranks. */
#include "harness/backends/backend.h"

#include <string.h>

#include "harness/base/fs.h"

/* Bits per second to the bytes per second of the platform file. */
static double bytes_per_s(double bits_per_s)
{
    return bits_per_s / 8;
}

/* A message crosses two links, and half of the switch's latency is with each: a link of its own for
 * the switch would be one that all messages pass one after the other (libraries/smpi.c). */
static int write_platform(const struct cluster *c, const char *path, struct err *err)
{
    struct whole_file f;
    if (strcmp(c->topology, "star") != 0)
        return err_usage(err, "%s: topology: '%s' cannot be simulated yet (want star)", c->path,
                         c->topology);
    if (fs_begin(&f, path, err) < 0)
        return -1;
    fprintf(
        f.file,
        "<?xml version='1.0'?>\n"
        "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
        "<!-- generated from %s -->\n<platform version=\"4.1\">\n"
        "  <cluster id=\"%s\" prefix=\"n\" suffix=\"\" radical=\"0-%d\" speed=\"1Gf\" core=\"%d\"\n"
        "           bw=\"%.9gBps\" lat=\"%.9gs\" sharing_policy=\"SPLITDUPLEX\"\n"
        "           loopback_bw=\"%.9gBps\" loopback_lat=\"%.9gs\"",
        c->path, c->name, c->nodes - 1, cluster_node_cores(c), bytes_per_s(c->link_rate),
        c->link_latency + c->switch_latency / 2, bytes_per_s(c->loopback_rate),
        c->loopback_latency);
    if (c->backplane_rate > 0)
        fprintf(f.file, "\n           bb_bw=\"%.9gBps\" bb_lat=\"0s\" bb_sharing_policy=\"SHARED\"",
                bytes_per_s(c->backplane_rate));
    fputs("/>\n</platform>\n", f.file);
    return fs_commit(&f, err);
}

/* The node of a rank. core and socket: a node is filled before the next; node: round robin. */
static int node_of(const struct launch *l, int rank)
{
    return strcmp(l->mapping, "node") == 0 ? rank % l->nodes : rank / l->ppn;
}

static int hostfile_path(const char *dir, const struct launch *l, char *path, size_t size,
                         struct err *err)
{
    return fs_path(path, size, err, "%s/platform/%dx%d-p%d-%s.hosts", dir, l->nodes, l->ppn,
                   l->procs, l->mapping);
}

static int write_hostfile(const struct launch *l, const char *dir, struct err *err)
{
    char path[PATH_SIZE];
    struct whole_file f;
    if (hostfile_path(dir, l, path, sizeof path, err) < 0 || fs_begin(&f, path, err) < 0)
        return -1;
    for (int r = 0; r < l->procs; r++)
        fprintf(f.file, "n%d\n", node_of(l, r));
    return fs_commit(&f, err);
}

static int prepare(const struct cluster *cluster, const struct plan *plan, const char *dir,
                   struct err *err)
{
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, err, "%s/platform/cluster.xml", dir) < 0 ||
        write_platform(cluster, path, err) < 0)
        return -1;
    for (size_t i = 0; i < plan->n_launches; i++)
        if (write_hostfile(&plan->launches[i], dir, err) < 0)
            return -1;
    return 0;
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
    .prepare = prepare,
    .describe = describe,
};
