/* SPDX-License-Identifier: BSD-3-Clause */
/* executor_cache.h - the executors of one communicator: a schedule is laid out once for all calls
 * that are alike, and the few that were used last are kept. */
#ifndef WORKLOADS_LIBCOLLSEL_EXECUTOR_CACHE_H
#define WORKLOADS_LIBCOLLSEL_EXECUTOR_CACHE_H

#include "workloads/execute/execute.h"
#include "workloads/libcollsel/call_args.h"
#include "workloads/libcollsel/choice.h"

enum { PREPARED_MOST = 32 };

/* What the communicator is, for schedules. */
struct prepared_place {
    MPI_Comm work; /* of the library alone, with the same ranks */
    int rank, procs;
    struct seating seats; /* procs 0: not known */
    int *positions;       /* of its nodes in the network; NULL: not known */
};

/* Owns its executors. Start from { 0 }. */
struct prepared_set {
    struct prepared *v[PREPARED_MOST];
    int n;
    uint64_t clock;
    uint64_t evicted; /* that had to go */
};

struct prepared;

/* Bytes of a rank's message, as schedules take them; where blocks differ, in the mean, rounded up.
 * bytes: as asked_size has them; element_bytes: staged_element. */
uint64_t prepared_message(const struct asked *asked, int procs, uint64_t bytes,
                          uint64_t element_bytes);

/* Does its operation not commute? */
int prepared_ordered(const struct asked *asked);

/* Do the bits of its result hang on the order in which it is combined? Those of sums and products
 * but of whole numbers, and of operations of the user's. */
int prepared_inexact(const struct asked *asked);

/* The call by this choice, which stays where it is as long as the set. NULL with *err saying why
 * it cannot run so, which all ranks say alike. Good until the next call of this. */
struct prepared *prepared_ready(struct prepared_set *set, const struct prepared_place *place,
                                const struct asked *asked, const struct choice *choice,
                                uint64_t bytes, uint64_t element_bytes, int in_place,
                                struct err *err);

/* Says that it is used once more. */
void prepared_use(struct prepared_set *set, struct prepared *prepared);

/* What runs: "portable:ring"; the choice's own name where that is such a one. */
const char *prepared_name(const struct prepared *prepared);

/* 0: the choice cannot run for such calls, and another algorithm does instead. */
int prepared_is_itself(const struct prepared *prepared);

/* Runs it with these buffers. An error code of MPI; where a rank alone cannot go on (no memory) it
 * ends the program. */
int prepared_run(struct prepared *prepared, const struct prepared_place *place,
                 const struct asked *asked, const struct execute_buffers *buffers);

/* Frees all schedules of the set and what they hold. */
void prepared_clear(struct prepared_set *set);

#endif
