/* SPDX-License-Identifier: BSD-3-Clause */
/* SMPI: SimGrid's MPI, that runs all ranks in one process on a simulated platform.
 *
 * Every option that bears on simulated time is given, so that the manifest's command line says what
 * was assumed; SMPI's own defaults are an old calibration. SMPI's thresholds are "larger than";
 * ours are "from this size on", hence the - 1. What each option means: docs/simulation.md. */
#include <unistd.h>

#include "harness/run/libraries/mpi_library.h"

static const char *const version_args[] = { "smpirun", "-version", NULL };

static unsigned long long threshold(uint64_t from_bytes)
{
    return (unsigned long long)(from_bytes ? from_bytes - 1 : 0);
}

static void add_costs(struct argv *args, const char *option, const struct cost_list *costs)
{
    char text[4096];
    size_t used = 0;
    for (size_t i = 0; i < costs->n && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%llu:%.9g:%.9g", i ? ";" : "",
                                 threshold(costs->v[i].from_bytes), costs->v[i].seconds,
                                 costs->v[i].seconds_per_byte);
    argv_add(args, "--cfg=smpi/%s:%s", option, text);
}

static void add_factors(struct argv *args, const char *option, const struct factor_list *factors)
{
    char text[4096];
    size_t used = 0;
    for (size_t i = 0; i < factors->n && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%llu:%.9g", i ? ";" : "",
                                 threshold(factors->v[i].from_bytes), factors->v[i].factor);
    argv_add(args, "--cfg=smpi/%s:%s", option, text);
}

/* Spares SMPI a system call around every MPI call, whose answer it does not use. */
static void add_clock(struct argv *args, const char *build)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/smpi/clock.so", build);
    if (access(path, R_OK) != 0)
        return;
    argv_add(args, "-wrapper");
    argv_add(args, "env LD_PRELOAD=%s", path);
}

static void command(const struct job *job, struct argv *args, struct argv *env)
{
    const struct cluster *c = job->cluster;
    (void)env;
    argv_add(args, "smpirun");
    argv_add(args, "-np");
    argv_add(args, "%d", job->launch->procs);
    argv_add(args, "-platform");
    argv_add(args, "%s", job->platform);
    argv_add(args, "-hostfile");
    argv_add(args, "%s", job->hostfile);
    add_clock(args, job->build);
    argv_add(args, "-no-privatize"); /* the measuring program has no mutable globals */
    argv_add(args, "--cfg=smpi/simulate-computation:no");
    argv_add(args, "--cfg=smpi/host-speed:1Gf");
    argv_add(args, "--cfg=smpi/wtime:0");
    argv_add(args, "--cfg=smpi/init:0");
    argv_add(args, "--cfg=smpi/shared-malloc:local"); /* one mapping for each buffer of a rank */
    add_costs(args, "os", &c->send_cost);
    add_costs(args, "ois", &c->isend_cost);
    add_costs(args, "or", &c->recv_cost);
    argv_add(args, "--cfg=smpi/async-small-thresh:%llu", (unsigned long long)c->eager_bytes);
    argv_add(args, "--cfg=smpi/send-is-detached-thresh:%llu",
             (unsigned long long)c->rendezvous_bytes);
    add_factors(args, "bw-factor", &c->bandwidth_factors);
    add_factors(args, "lat-factor", &c->latency_factors);
    argv_add(args, "--cfg=network/model:SMPI");
    argv_add(args, "--cfg=network/crosstraffic:0");
    /* No window limits a flow. 0 says the same, but in 3.32 it also takes away that a flow is no
     * faster than its slowest link. */
    argv_add(args, "--cfg=network/TCP-gamma:1e30");
    argv_add(args, "--cfg=network/weight-S:8775"); /* analysis/walk/platform.c has the same */
    /* a node's link to a switch carries one message after the other, as a byte stream does; else
     * all that was sent eagerly shares it and arrives late together. A backplane carries many at a
     * time, and so do links that lead through other nodes and switches. */
    if (c->backplane_rate == 0 &&
        (strcmp(c->topology, "star") == 0 || strcmp(c->topology, "tree") == 0))
        argv_add(args, "--cfg=maxmin/concurrency-limit:1");
    argv_add(args, "--log=root.thresh:warning");
    argv_add(args, "%s", job->program);
}

const struct library library_smpi = {
    .name = "smpi",
    .launcher = "smpirun",
    .version_args = version_args,
    .splits_words = 1,
    .command = command,
};
