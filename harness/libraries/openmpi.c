/* SPDX-License-Identifier: BSD-3-Clause */
/* Open MPI: mpirun.openmpi (Debian's name for it). */
#include <string.h>
#include <unistd.h>

#include "harness/libraries/library.h"

/* coll_tuned_bcast_algorithm of 4.1 (ompi_info --param coll tuned -l 9). */
static const struct native natives[] = {
    { "bcast", "basic_linear", 0, 0 },
    { "bcast", "chain", 1, 4 },
    { "bcast", "pipeline", 1, 0 },
    { "bcast", "split_binary_tree", 1, 0 },
    { "bcast", "binary_tree", 1, 0 },
    { "bcast", "binomial", 1, 0 },
    { "bcast", "knomial", 1, 4 },
    { "bcast", "scatter_allgather", 0, 0 },
    { "bcast", "scatter_allgather_ring", 0, 0 },
    { NULL, NULL, 0, 0 },
};

static const char *const version_args[] = { "mpirun.openmpi", "--version", NULL };

static void add_root_leave(struct argv *env)
{
    if (geteuid() != 0)
        return;
    argv_add(env, "OMPI_ALLOW_RUN_AS_ROOT=1");
    argv_add(env, "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1");
}

static int command(const struct job *job, struct argv *args, struct argv *env)
{
    const struct launch *l = job->launch;
    argv_add(args, "mpirun.openmpi");
    argv_add(args, "-np");
    argv_add(args, "%d", l->procs);
    argv_add(args, "--map-by");
    if (job->crowded) {
        argv_add(args, "slot:OVERSUBSCRIBE");
        argv_add(args, "--bind-to");
        argv_add(args, "none");
        argv_add(args, "--mca");
        argv_add(args, "mpi_yield_when_idle");
        argv_add(args, "1");
    } else {
        argv_add(args, "%s", l->mapping);
        argv_add(args, "--bind-to");
        argv_add(args, "core");
    }
    /* tuned alone decides: components that would take collectives before it are left out */
    argv_add(args, "--mca");
    argv_add(args, "coll");
    argv_add(args, "^han,adapt,sm,hcoll,ucc,cuda");
    argv_add(args, "--mca");
    argv_add(args, "coll_tuned_use_dynamic_rules");
    argv_add(args, "1");
    argv_add(args, "%s", job->program);
    add_root_leave(env);
    return args->bad || env->bad ? -1 : 0;
}

const struct library library_openmpi = {
    .name = "openmpi",
    .launcher = "mpirun.openmpi",
    .program = "openmpi/measure",
    .version_args = version_args,
    .natives = natives,
    .command = command,
};
