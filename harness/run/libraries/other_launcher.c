/* SPDX-License-Identifier: BSD-3-Clause */
/* An MPI that nobody here has read: a vendor's, a fork. It is started by its launcher with nothing
 * but a number of ranks, and runs its default and portable schedules. */
#include "harness/run/libraries/launchers.h"
#include "harness/run/libraries/mpi_library.h"

static const char *const shares[] = { "UCX_POSIX_DIR", NULL };

static void command(const struct job *job, struct argv *args, struct argv *env)
{
    launcher_command(job->launcher, job, args, env);
}

const struct library library_other = {
    .name = "other",
    .has_entries = 1,
    .shares = shares,
    .command = command,
};
