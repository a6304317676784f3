/* SPDX-License-Identifier: BSD-3-Clause */
/* in_effect.h - the settings in effect, read back from the library in the launch: variables
 * and parameter files, components, transports, and origin of functions. The harness has
 * cleaned the environment of launches (docs/environment.md); this detects later changes by
 * login shells, prologs and files of other nodes, or components of a home directory. */
#pragma once

#include <mpi.h>

#include "harness/base/base.h"
#include "workloads/measure/launch_facts.h"

/* Collective over world: 0, or -1 on every rank with rank 0's *err: a setting that
 * selects algorithms or components on the lowest rank with one, its value and origin; or
 * a tuning setting that was absent when the sweep checked; or a tracer of the ranks. */
int in_effect_check(MPI_Comm world, const struct launch_facts *facts, struct err *err);

/* Rank 0, after in_effect_open: lines "# in_effect: WHAT=VALUE" of what is not the library's
 * default, of its components and of its transports. */
void in_effect_print(FILE *out);

/* Collective over world: collects the values of the lines. */
void in_effect_open(MPI_Comm world);
