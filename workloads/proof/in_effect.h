/* SPDX-License-Identifier: BSD-3-Clause */
/* in_effect.h - what the library really goes by, read back from it in the launch: variables and
 * parameter files, components, transports, and whose functions are called. The harness has cleaned
 * the environment that it starts launches in (docs/environment.md); this sees what has come in on
 * the way: login shells, prologs and files of other nodes, components of a home directory. */
#ifndef WORKLOADS_PROOF_IN_EFFECT_H
#define WORKLOADS_PROOF_IN_EFFECT_H

#include <mpi.h>
#include <stdio.h>

#include "harness/base/err.h"
#include "workloads/measure/launch_facts.h"

/* Collective over world: 0, or -1 on every rank and rank 0's *err naming what selects algorithms or
 * components on the lowest rank that found something, its value and where it comes from; or what
 * tunes and was not there when the sweep looked; or who traces the ranks. */
int in_effect_check(MPI_Comm world, const struct launch_facts *facts, struct err *err);

/* Rank 0, after in_effect_open: lines "# in_effect: WHAT=VALUE" of what is not the library's
 * default, of its components and of its transports. */
void in_effect_print(FILE *out);

/* Collective over world: learns what the lines tell. */
void in_effect_open(MPI_Comm world);

#endif
