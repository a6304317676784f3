/* SPDX-License-Identifier: BSD-3-Clause */
/* executor_cache.h - the executors of one communicator: a schedule is prepared once for all equal
 * calls, and the most recently used ones are kept. */
#pragma once

#include "workloads/execute/execute.h"
#include "workloads/libcollsel/call_args.h"
#include "workloads/libcollsel/choice.h"

enum { EXECUTOR_CACHE_MOST = 32 };

/* The properties of the communicator for schedules. */
struct executor_cache_place {
    MPI_Comm work; /* of the library alone, with the same ranks */
    int rank, procs;
    struct seating seats; /* procs 0: not known */
    int *positions;       /* of its nodes in the network; NULL: not known */
};

/* Owns its executors. Start from { 0 }. */
struct executor_cache_set {
    struct executor_cache *v[EXECUTOR_CACHE_MOST];
    int n;
    uint64_t clock;
    uint64_t evicted; /* number of evictions */
};

struct executor_cache;

/* Bytes of a rank's message, as schedules take them; where blocks differ, in the mean, rounded up.
 * bytes: as call_args_size has them; element_bytes: staged_element. */
uint64_t executor_cache_message(const struct call_args *asked, int procs, uint64_t bytes,
                                uint64_t element_bytes);

/* 1 when its operation does not commute. */
int executor_cache_ordered(const struct call_args *asked);

/* 1 when the bits of the result depend on the order of combining: sums
 * and products except those of integers, and user-defined operations. */
int executor_cache_inexact(const struct call_args *asked);

/* The prepared call of this choice; choice must outlive the set. NULL with *err, equal on
 * all ranks, if it cannot run this way. Valid until the next call of this function. */
struct executor_cache *executor_cache_ready(struct executor_cache_set *set,
                                            const struct executor_cache_place *place,
                                            const struct call_args *asked,
                                            const struct choice *choice, uint64_t bytes,
                                            uint64_t element_bytes, int in_place, struct err *err);

/* Marks it as used, for the eviction order. */
void executor_cache_use(struct executor_cache_set *set, struct executor_cache *prepared);

/* What runs: "portable:ring"; the choice's own name where that is such a one. */
const char *executor_cache_name(const struct executor_cache *prepared);

/* 0: the choice cannot run for such calls, and another algorithm replaces it. */
int executor_cache_is_itself(const struct executor_cache *prepared);

/* Runs it with these buffers. Returns an MPI error code; if a
 * single rank cannot continue (no memory), it ends the program. */
int executor_cache_run(struct executor_cache *prepared, const struct executor_cache_place *place,
                       const struct call_args *asked, const struct execute_buffers *buffers);

/* Frees all schedules of the set and what they hold. */
void executor_cache_clear(struct executor_cache_set *set);
