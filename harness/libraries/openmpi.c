/* SPDX-License-Identifier: BSD-3-Clause */
/* Open MPI: mpirun.openmpi (Debian's name for it). */
#include "harness/libraries/library.h"

/* coll_tuned_<collective>_algorithm of 4.1 (ompi_info --param coll tuned -l 9). */
static const struct native natives[] = {
    { "bcast", "basic_linear", 0, 0, 0 },
    { "bcast", "chain", 1, 4, 0 },
    { "bcast", "pipeline", 1, 0, 0 },
    { "bcast", "split_binary_tree", 1, 0, 0 },
    { "bcast", "binary_tree", 1, 0, 0 },
    { "bcast", "binomial", 1, 0, 0 },
    { "bcast", "knomial", 1, 4, 0 },
    { "bcast", "scatter_allgather", 0, 0, 0 },
    { "bcast", "scatter_allgather_ring", 0, 0, 0 },
    { "reduce", "linear", 0, 0, 0 },
    { "reduce", "chain", 1, 4, 0 },
    { "reduce", "pipeline", 1, 0, 0 },
    { "reduce", "binary", 1, 0, 0 },
    { "reduce", "binomial", 1, 0, 0 },
    { "reduce", "in-order_binary", 1, 0, 0 },
    { "reduce", "rabenseifner", 0, 0, 0 },
    { "allgather", "linear", 0, 0, 0 },
    { "allgather", "bruck", 0, 0, 0 },
    { "allgather", "recursive_doubling", 0, 0, 0 },
    { "allgather", "ring", 0, 0, 0 },
    { "allgather", "neighbor", 0, 0, 0 },
    { NULL, NULL, 0, 0, 0 },
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
