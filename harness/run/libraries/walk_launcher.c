/* SPDX-License-Identifier: BSD-3-Clause */
/* walk: no MPI and no simulator; the measuring program walks schedules on the cluster file's
 * platform (harness/walk.c). */
#include "harness/run/libraries/mpi_library.h"

static void command(const struct job *job, struct argv *args, struct argv *env)
{
    (void)env;
    argv_add(args, "%s", job->program);
    argv_add(args, "%s", job->cluster->path);
    argv_add(args, "%d", job->launch->procs);
}

const struct library library_walk = {
    .name = "walk",
    .command = command,
};
