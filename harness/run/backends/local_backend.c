/* SPDX-License-Identifier: BSD-3-Clause */
/* local: mpirun of each library on this machine, one job at a time. */
#include "harness/run/backends/backend.h"

const struct backend backend_local = {
    .name = "local",
    .help = "mpirun on this machine",
    .here = 1,
};
