/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.h - the clock of the timed region. Only differences mean anything.
 *
 * On a real machine: CLOCK_MONOTONIC in integer nanoseconds. Under SMPI: simulated seconds
 * (MPI_Wtime), kept as a double because simulated times need not be whole nanoseconds. */
#pragma once

#include <mpi.h>
#include "harness/base/base.h"
#include <time.h>

#ifdef MPI_IS_smpi

typedef double tick;

static inline tick clock_now(void)
{
    return MPI_Wtime();
}

static inline double clock_span_s(tick from, tick to)
{
    return to - from;
}

static inline tick clock_after(tick from, double seconds)
{
    return from + seconds;
}

static inline double clock_resolution_s(void)
{
    return 0;
}

#define CLOCK_NAME "simulated time (MPI_Wtime)"

#else

typedef int64_t tick;

static inline tick clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (tick)t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline double clock_span_s(tick from, tick to)
{
    return (double)(to - from) * 1e-9;
}

static inline tick clock_after(tick from, double seconds)
{
    return from + (tick)(seconds * 1e9);
}

static inline double clock_resolution_s(void)
{
    struct timespec t;
    clock_getres(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#define CLOCK_NAME "CLOCK_MONOTONIC"

#endif
