/* SPDX-License-Identifier: BSD-3-Clause */
/* collective.h - what the measuring program knows of each collective: the library's call, and what
 * the data must be before and after. One row per collective.
 *
 * Buffers carry GUARD_BYTES beyond their end that no call may touch. */
#ifndef WORKLOADS_COLLECTIVE_H
#define WORKLOADS_COLLECTIVE_H

#include <mpi.h>
#include <stdint.h>

#include "harness/base/err.h"
#include "workloads/execute.h"

enum { GUARD_BYTES = 64 };

/* One call's arguments, on one rank. */
struct call_args {
    struct execute_buffers buffers;
    uint64_t bytes; /* per-process message size */
    int root, rank, procs;
    uint64_t seed; /* of the data pattern */
    MPI_Comm comm; /* of a native call */
};

struct collective {
    const char *name;

    /* The library's own call; an MPI error code. */
    int (*native)(const struct call_args *args);

    /* Writes the input, and wrong values where the output is to come. */
    void (*fill)(const struct call_args *args);

    /* 0 when the output is what MPI promises, else -1 with *err naming the first wrong byte. */
    int (*check)(const struct call_args *args, struct err *err);
};

/* NULL when there is none of this name. */
const struct collective *collective_find(const char *name);

#endif
