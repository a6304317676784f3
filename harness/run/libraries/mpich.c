/* SPDX-License-Identifier: BSD-3-Clause */
/* MPICH: mpirun.mpich, that is hydra (Debian's name for it). */
#include "harness/run/libraries/library.h"
#include "harness/run/libraries/launchers.h"

static const char *const version_args[] = { "mpirun.mpich", "--version", NULL };

static const char *const shares[] = { "UCX_POSIX_DIR", NULL };

static void command(const struct job *job, struct argv *args, struct argv *env)
{
    launcher_command(job->launcher, job, args, env);
}

const struct library library_mpich = {
    .name = "mpich",
    .launcher = "mpirun.mpich",
    .program = "mpich/measure",
    .version_args = version_args,
    .shares = shares,
    .command = command,
};
