/* SPDX-License-Identifier: BSD-3-Clause */
/* null: the planted workload, no MPI at all; tests drive the whole chain with it. */
#include "harness/run/libraries/mpi_library.h"

static void command(const struct job *job, struct argv *args, struct argv *env)
{
    (void)env;
    argv_add(args, "%s", job->program);
}

const struct library library_null = {
    .name = "null",
    .for_tests = 1,
    .command = command,
};
