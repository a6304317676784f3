/* SPDX-License-Identifier: BSD-3-Clause */
/* where.h - collects the placement of every rank, writes the placement file and checks it. */
#pragma once

#include <mpi.h>

#include "workloads/measure/options.h"

/* Collective. *wrong is filled on every rank when the placement is not the one asked (placement.h).
 * Returns 0, or -1 with *err when the file cannot be written. */
int where_check(const struct measure_options *o, MPI_Comm world, struct err *wrong,
                struct err *err);
