/* SPDX-License-Identifier: BSD-3-Clause */
/* algorithm_rows.h - for the files of schedules, which end with the rows of their algorithms;
 * collectives.c declares these. */
#pragma once

#include "workloads/schedules/parts.h"

/* Radix and fan-out that MPICH has unless told. Its messages, of the algorithms that it has from
 * 4.1 on, are those of MPICH 4.2.1 and 5.0 (src/mpi/coll), in which they are the same. */
enum { MPICH_RADIX = 2 };
