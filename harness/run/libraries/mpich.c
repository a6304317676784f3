/* SPDX-License-Identifier: BSD-3-Clause */
/* MPICH: mpirun.mpich, that is hydra (Debian's name for it). */
#include "harness/run/libraries/library.h"
#include "harness/run/libraries/launchers.h"

/* MPIR_CVAR_<COLLECTIVE>_INTRA_ALGORITHM of 4.0. */
static const char *only_powers(int procs, uint64_t bytes)
{
    (void)bytes;
    return procs & (procs - 1) ? "the library runs it among 2^n processes only" : NULL;
}

/* It scatters the bytes over the largest 2^n processes that there are. */
static const char *a_byte_each(int procs, uint64_t bytes)
{
    uint64_t powers = 1;
    while (2 * powers <= (uint64_t)procs)
        powers *= 2;
    return bytes < powers ? "the library runs it from a byte for each of 2^n processes on" : NULL;
}

static const struct native natives[] = {
    { "bcast", "binomial", 0, 0, NULL },
    { "bcast", "scatter_recursive_doubling_allgather", 0, 0, NULL },
    { "bcast", "scatter_ring_allgather", 0, 0, NULL },
    { "reduce", "binomial", 0, 0, NULL },
    { "reduce", "reduce_scatter_gather", 0, 0, a_byte_each },
    { "allgather", "brucks", 0, 0, NULL },
    { "allgather", "recursive_doubling", 0, 0, only_powers },
    { "allgather", "ring", 0, 0, NULL },
    { NULL, NULL, 0, 0, NULL },
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
