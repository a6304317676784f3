/* SPDX-License-Identifier: BSD-3-Clause */
/* null: the planted workload; it sleeps not and sends nothing, so launches may run side by side. */
#include "harness/run/backends/backend.h"

const struct backend backend_null = {
    .name = "null",
    .help = "planted times of a workload without MPI (tests)",
    .parallel = 1,
};
