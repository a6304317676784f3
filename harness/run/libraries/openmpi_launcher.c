/* SPDX-License-Identifier: BSD-3-Clause */
/* Open MPI. */
#include "harness/run/libraries/mpi_library.h"
#include "harness/run/libraries/launchers.h"

/* The component for messages within a node is vader up to 4, sm from 5 on. */
static const char *const shares[] = { "OMPI_MCA_btl_vader_backing_directory",
                                      "OMPI_MCA_btl_sm_backing_directory", "UCX_POSIX_DIR", NULL };

static void command(const struct job *job, struct argv *args, struct argv *env)
{
    launcher_command(job->launcher, job, args, env);
}

const struct library library_openmpi = {
    .name = "openmpi",
    .has_entries = 1,
    .shares = shares,
    .command = command,
};
