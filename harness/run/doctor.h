/* SPDX-License-Identifier: BSD-3-Clause */
/* doctor.h - looks at this machine: tools, MPI builds, cores, clock, disk, backends. */
#ifndef HARNESS_RUN_DOCTOR_H
#define HARNESS_RUN_DOCTOR_H

#include <stdio.h>

#include "harness/study/cluster.h"

/* Prints one line per finding. build: directory of the measuring programs; results: where results
 * shall go. Returns 1 when at least one backend can run, 0 when something essential is missing. */
int doctor_print(FILE *out, const char *build, const char *results);

/* Prints what starts each MPI library that is installed: here, and in Slurm's allocations on a
 * cluster that Slurm serves (harness/run/libraries/launchers.h). */
void doctor_launchers(FILE *out, const struct cluster *cluster);

#endif
