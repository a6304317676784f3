/* SPDX-License-Identifier: BSD-3-Clause */
/* walk: the platform of a simulation, walked by ourselves (analysis/walk/replay.h). It wants of a
 * cluster file what a simulation wants. */
#include "harness/run/backends/backend.h"

static int check(const struct cluster *cluster, struct err *err)
{
    return backend_sim.check(cluster, err);
}

const struct backend backend_walk = {
    .name = "walk",
    .help = "the platform of a simulation, walked without the simulator",
    .deterministic = 1,
    .parallel = 1,
    .check = check,
};
