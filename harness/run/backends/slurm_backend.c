/* SPDX-License-Identifier: BSD-3-Clause */
/* slurm: each launch is a task of a job array, and in its allocation `collsel task` starts and
 * watches the MPI job (harness/run/slurm/). The same on an emulated cluster (harness/run/testbed/).
 */
#include "harness/run/backends/backend.h"

const struct backend backend_slurm = {
    .name = "slurm",
    .help = "Slurm job arrays, on a real or an emulated cluster",
    .queued = 1,
};
