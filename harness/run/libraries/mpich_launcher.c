/* SPDX-License-Identifier: BSD-3-Clause */
/* MPICH, started by hydra. */
#include "harness/run/libraries/mpi_library.h"
#include "harness/run/libraries/launchers.h"

static const char *const shares[] = { "UCX_POSIX_DIR", NULL };

static void command(const struct job *job, struct argv *args, struct argv *env)
{
    launcher_command(job->launcher, job, args, env);
}

const struct library library_mpich = {
    .name = "mpich",
    .has_entries = 1,
    .shares = shares,
    .command = command,
};
