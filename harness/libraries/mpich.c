/* SPDX-License-Identifier: BSD-3-Clause */
/* MPICH: mpirun.mpich, that is hydra (Debian's name for it). */
#include <string.h>
#include <unistd.h>

#include "harness/libraries/library.h"

/* MPIR_CVAR_BCAST_INTRA_ALGORITHM of 4.0. */
static const struct native natives[] = {
    { "bcast", "binomial", 0, 0 },
    { "bcast", "scatter_recursive_doubling_allgather", 0, 0 },
    { "bcast", "scatter_ring_allgather", 0, 0 },
    { NULL, NULL, 0, 0 },
};

static const char *const version_args[] = { "mpirun.mpich", "--version", NULL };

/* ch4:ucx spins when ranks outnumber cores; the shim yields after fruitless progress. */
static void add_yield(const struct job *job, struct argv *args)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/mpich/yield.so", job->build);
    if (access(path, R_OK) != 0)
        return;
    argv_add(args, "-genv");
    argv_add(args, "LD_PRELOAD");
    argv_add(args, "%s", path);
}

static int command(const struct job *job, struct argv *args, struct argv *env)
{
    const struct launch *l = job->launch;
    argv_add(args, "mpirun.mpich");
    argv_add(args, "-np");
    argv_add(args, "%d", l->procs);
    argv_add(args, "-bind-to");
    argv_add(args, "%s", job->crowded ? "none" : "core");
    if (!job->crowded) {
        argv_add(args, "-map-by");
        argv_add(args, "%s", strcmp(l->mapping, "node") == 0 ? "node" : l->mapping);
    }
    if (job->crowded)
        add_yield(job, args);
    argv_add(args, "%s", job->program);
    argv_add(env, "MPIR_CVAR_COLLECTIVE_FALLBACK=error");
    argv_add(env, "MPIR_CVAR_DEVICE_COLLECTIVES=none");
    return args->bad || env->bad ? -1 : 0;
}

const struct library library_mpich = {
    .name = "mpich",
    .launcher = "mpirun.mpich",
    .program = "mpich/measure",
    .version_args = version_args,
    .natives = natives,
    .command = command,
};
