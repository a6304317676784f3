/* SPDX-License-Identifier: BSD-3-Clause */
/* try_calls.h - tests whether a program runs in this environment: calls every collective
 * with all possible numbers of ranks, with small and large messages, and checks the
 * results. Nothing is timed, forced or set: the environment decides (a rules file). */
#ifndef WORKLOADS_MEASURE_TRY_CALLS_H
#define WORKLOADS_MEASURE_TRY_CALLS_H

#include <mpi.h>

#include "harness/base/err.h"

/* Collective over world. 0; or -1 with *err, on rank 0, naming the first call that failed on some
 * rank. Rank 0 prints how many there were: "tried 96 calls", and behind it, where the library does
 * not know that ranks share a node, ", each rank on a node of its own". */
int try_calls(MPI_Comm world, struct err *err);

#endif
