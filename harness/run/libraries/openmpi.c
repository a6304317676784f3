/* SPDX-License-Identifier: BSD-3-Clause */
/* Open MPI: mpirun.openmpi (Debian's name for it). */
#include "harness/run/libraries/library.h"
#include "harness/run/libraries/launchers.h"

static const char *const version_args[] = { "mpirun.openmpi", "--version", NULL };

static void command(const struct job *job, struct argv *args, struct argv *env)
{
    launcher_command(job->launcher, job, args, env);
}

const struct library library_openmpi = {
    .name = "openmpi",
    .launcher = "mpirun.openmpi",
    .program = "openmpi/measure",
    .version_args = version_args,
    .command = command,
};
