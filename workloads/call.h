/* SPDX-License-Identifier: BSD-3-Clause */
/* call.h - one call of a collective: the library's own, and what the data must be before and after
 * any, as the collective's row says (schedules/collectives.h).
 *
 * Buffers carry GUARD_BYTES beyond their end that no call may touch. */
#ifndef WORKLOADS_CALL_H
#define WORKLOADS_CALL_H

#include <mpi.h>
#include <stdint.h>

#include "harness/base/err.h"
#include "workloads/execute.h"
#include "workloads/schedules/collectives.h"

enum { GUARD_BYTES = 64 };

/* One call's arguments, on one rank. */
struct call_args {
    struct execute_buffers buffers;
    uint64_t bytes; /* per-process message size */
    int root, rank, procs;
    uint64_t seed; /* of the data pattern */
    MPI_Comm comm; /* of a native call */
};

/* The library's own call; returns an MPI error code. */
typedef int call_function(const struct call_args *args);

/* Of a collective; NULL: this program does not call it. */
call_function *call_native(const struct collective *c);

/* Writes the input, and wrong values where the output is to come. */
void call_fill(const struct collective *c, const struct call_args *args);

/* 0 when the output is what MPI promises and the input as it was, else -1 with *err naming the
 * first wrong byte. */
int call_check(const struct collective *c, const struct call_args *args, struct err *err);

#endif
