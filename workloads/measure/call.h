/* SPDX-License-Identifier: BSD-3-Clause */
/* call.h - one call of a collective: the library's own, and the expected data
 * before and after any call, from the collective's row (schedules/collectives.h).
 *
 * Buffers carry GUARD_BYTES beyond their end that no call may touch. */
#pragma once

#include "workloads/execute/execute.h"

enum { GUARD_BYTES = 64 };

/* Data type and operation of a call, if not bytes and exclusive or. */
struct call_type {
    MPI_Datatype type;
    MPI_Op op;
    uint64_t bytes; /* of an element */
};

/* The arrays of a call that names the size of each block: elements, and where they stand. */
struct call_counts {
    int *given, *given_at, *got, *got_at;
};

/* One call's arguments, on one rank. */
struct call_args {
    struct execute_buffers buffers;
    uint64_t bytes;              /* per-process message size */
    const struct blocks *blocks; /* where they differ; NULL: all of bytes */
    int root, rank, procs;
    uint64_t seed;                /* of the data pattern */
    MPI_Comm comm;                /* of a native call */
    const struct call_type *type; /* of a native call; NULL: bytes, and their exclusive or */
    int in_place;                 /* 1: a native call with MPI_IN_PLACE */
    struct call_counts counts;    /* of a native call that wants them (call_counts_init) */
};

/* The library's own call; returns an MPI error code. */
typedef int call_function(const struct call_args *args);

/* Allocates and fills args->counts, by args->blocks, where the collective's call names the size of
 * each block. call_counts_clear frees them. */
void call_counts_init(struct call_args *args, const struct collective *c);
void call_counts_clear(struct call_args *args);

/* Of a collective; NULL: this program does not call it. */
call_function *call_native(const struct collective *c);

/* Writes the input, and wrong values where the output is to come. */
void call_fill(const struct collective *c, const struct call_args *args);

/* 0 when the output is what MPI promises and the input as it was, else -1 with *err naming the
 * first wrong byte. */
int call_check(const struct collective *c, const struct call_args *args, struct err *err);
