/* SPDX-License-Identifier: BSD-3-Clause */
/* executor_cache.h - the executors of one communicator: a schedule is laid out once for all calls
 * that are alike, and the few that were used last are kept. */
#ifndef WORKLOADS_LIBCOLLSEL_EXECUTOR_CACHE_H
#define WORKLOADS_LIBCOLLSEL_EXECUTOR_CACHE_H

#include "workloads/execute/execute.h"
#include "workloads/libcollsel/call_args.h"
#include "workloads/libcollsel/choice.h"

enum { EXECUTOR_CACHE_MOST = 32 };

/* What the communicator is, for schedules. */
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
    uint64_t evicted; /* that had to go */
};

struct executor_cache;

/* Bytes of a rank's message, as schedules take them; where blocks differ, in the mean, rounded up.
 * bytes: as call_args_size has them; element_bytes: staged_element. */
uint64_t executor_cache_message(const struct call_args *asked, int procs, uint64_t bytes,
                                uint64_t element_bytes);

/* Does its operation not commute? */
int executor_cache_ordered(const struct call_args *asked);

/* Do the bits of its result hang on the order in which it is combined? Those of sums and products
 * but of whole numbers, and of operations of the user's. */
int executor_cache_inexact(const struct call_args *asked);

/* The call by this choice, which stays where it is as long as the set. NULL with *err saying why
 * it cannot run so, which all ranks say alike. Good until the next call of this. */
struct executor_cache *executor_cache_ready(struct executor_cache_set *set,
                                            const struct executor_cache_place *place,
                                            const struct call_args *asked,
                                            const struct choice *choice, uint64_t bytes,
                                            uint64_t element_bytes, int in_place, struct err *err);

/* Says that it is used once more. */
void executor_cache_use(struct executor_cache_set *set, struct executor_cache *prepared);

/* What runs: "portable:ring"; the choice's own name where that is such a one. */
const char *executor_cache_name(const struct executor_cache *prepared);

/* 0: the choice cannot run for such calls, and another algorithm does instead. */
int executor_cache_is_itself(const struct executor_cache *prepared);

/* Runs it with these buffers. An error code of MPI; where a rank alone cannot go on (no memory) it
 * ends the program. */
int executor_cache_run(struct executor_cache *prepared, const struct executor_cache_place *place,
                       const struct call_args *asked, const struct execute_buffers *buffers);

/* Frees all schedules of the set and what they hold. */
void executor_cache_clear(struct executor_cache_set *set);

#endif
