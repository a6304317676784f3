/* SPDX-License-Identifier: BSD-3-Clause */
/* launch_points.h - the points of a launch, read by rank 0 and given to all. */
#pragma once

#include <mpi.h>

#include "harness/study/point.h"

/* Collective. Fills *points (n of them, to be given to points_free) on every rank; checks that they
 * fit a launch of the size of world. -1 with *err (on rank 0) set: no such file, malformed, too
 * large. */
int points_load(const char *path, MPI_Comm world, struct point **points, size_t *n,
                struct err *err);

/* Collective. */
void points_free(struct point *points, MPI_Comm world);
