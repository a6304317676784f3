/* SPDX-License-Identifier: BSD-3-Clause */
/* MPICH: mpirun.mpich, that is hydra (Debian's name for it). */
#include "harness/libraries/library.h"

/* MPIR_CVAR_<COLLECTIVE>_INTRA_ALGORITHM of 4.0. */
static const struct native natives[] = {
    { "bcast", "binomial", 0, 0, 0 },
    { "bcast", "scatter_recursive_doubling_allgather", 0, 0, 0 },
    { "bcast", "scatter_ring_allgather", 0, 0, 0 },
    { "reduce", "binomial", 0, 0, 0 },
    { "reduce", "reduce_scatter_gather", 0, 0, 0 },
    { "allgather", "brucks", 0, 0, 0 },
    { "allgather", "recursive_doubling", 0, 0, 1 },
    { "allgather", "ring", 0, 0, 0 },
    { NULL, NULL, 0, 0, 0 },
};

static const char *const version_args[] = { "mpirun.mpich", "--version", NULL };

static int command(const struct job *job, struct argv *args, struct argv *env)
{
    return launcher_command(job->launcher, job, args, env);
}

const struct library library_mpich = {
    .name = "mpich",
    .launcher = "mpirun.mpich",
    .program = "mpich/measure",
    .version_args = version_args,
    .natives = natives,
    .command = command,
};
