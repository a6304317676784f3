/* SPDX-License-Identifier: BSD-3-Clause */
/* plan_build.h - builds the plan of a study on a cluster: its grid, then the points of
 * experiments.h, distributed over launches. Deterministic: equal cluster, study, backend and seed
 * give the same plan. */
#pragma once

#include "harness/study/plan.h"

/* The library name in points of a backend without a library: "smpi" of
 * "sim", "walk" of "walk", "null" of "null"; NULL: the study's own. */
const char *plan_stand_in(const char *backend);

/* backend: "sim", "walk", "null", "local", "slurm" or "kit". Simulated and walked launches are cut
 * in chunks by messages (launch_messages), queued ones by seconds (bound_most_launch). 0, or -1
 * with *err. */
int plan_build(const struct cluster *cluster, const struct study *study, const char *backend,
               struct plan *plan, struct err *err);
