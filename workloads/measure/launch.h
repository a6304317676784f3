/* SPDX-License-Identifier: BSD-3-Clause */
/* launch.h - a whole launch: reads its points, measures them in order, writes the results.
 *
 * Every rank runs the same loop; rank 0 decides and sends its decisions. The points file
 * is read and all files are written by rank 0 (docs/formats.md). A point that fails is a row with a
 * reason, and the launch goes on. */
#pragma once

#include <signal.h>

#include <mpi.h>

#include "workloads/measure/options.h"

/* Collective over world. *stop is set by a signal handler on any rank: the launch then ends after
 * the current block of calls, without an outcome for the unfinished point. Returns 0 when every
 * point has an outcome; -1 with *err (on rank 0) otherwise. */
int launch_run(const struct measure_options *o, MPI_Comm world, const volatile sig_atomic_t *stop,
               struct err *err);
