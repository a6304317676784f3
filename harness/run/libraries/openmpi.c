/* SPDX-License-Identifier: BSD-3-Clause */
/* Open MPI: mpirun.openmpi (Debian's name for it). */
#include "harness/run/libraries/library.h"
#include "harness/run/libraries/launchers.h"

/* coll_tuned_<collective>_algorithm of 4.1 (ompi_info --param coll tuned -l 9). */
static const struct native natives[] = {
    { "bcast", "basic_linear", 0, 0, NULL },
    { "bcast", "chain", 1, 4, NULL },
    { "bcast", "pipeline", 1, 0, NULL },
    { "bcast", "split_binary_tree", 1, 0, NULL },
    { "bcast", "binary_tree", 1, 0, NULL },
    { "bcast", "binomial", 1, 0, NULL },
    { "bcast", "knomial", 1, 4, NULL },
    { "bcast", "scatter_allgather", 0, 0, NULL },
    { "bcast", "scatter_allgather_ring", 0, 0, NULL },
    { "reduce", "linear", 0, 0, NULL },
    { "reduce", "chain", 1, 4, NULL },
    { "reduce", "pipeline", 1, 0, NULL },
    { "reduce", "binary", 1, 0, NULL },
    { "reduce", "binomial", 1, 0, NULL },
    { "reduce", "in-order_binary", 1, 0, NULL },
    { "reduce", "rabenseifner", 0, 0, NULL },
    { "allgather", "linear", 0, 0, NULL },
    { "allgather", "bruck", 0, 0, NULL },
    { "allgather", "recursive_doubling", 0, 0, NULL },
    { "allgather", "ring", 0, 0, NULL },
    { "allgather", "neighbor", 0, 0, NULL },
    { NULL, NULL, 0, 0, NULL },
};

static const char *const version_args[] = { "mpirun.openmpi", "--version", NULL };

static int command(const struct job *job, struct argv *args, struct argv *env)
{
    return launcher_command(job->launcher, job, args, env);
}

const struct library library_openmpi = {
    .name = "openmpi",
    .launcher = "mpirun.openmpi",
    .program = "openmpi/measure",
    .version_args = version_args,
    .natives = natives,
    .command = command,
};
