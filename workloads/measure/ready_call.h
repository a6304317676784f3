/* SPDX-License-Identifier: BSD-3-Clause */
/* ready_call.h - a prepared point: the calls between the two clock reads.
 *
 * Every experiment is `inner` times (first, then second): the collective alone; the collective and
 * a gather; the collective and a barrier; a barrier; a round trip; a copy in memory. All is
 * allocated and prepared before, so that ready_call_run() only calls MPI. */
#pragma once

#include "workloads/measure/call.h"
#include "workloads/measure/memory_copy.h"
#include "workloads/proof/native.h"
#include "workloads/measure/options.h"
#include "workloads/measure/rotate.h"
#include "workloads/measure/team.h"

/* A repeatable call; returns an MPI error code. */
struct call {
    int (*run)(void *state);
    void *state;
};

/* Buffers of a launch, large enough for every point; this rank's. closing: of the gather that
 * closes an experiment, which must leave the result as it is. */
struct arena {
    struct execute_buffers buffers, closing;
    void *copies; /* of rank 0, where there are copies to time */
    size_t copies_bytes;
    void *ring; /* where buffers rotate (rotate.h) */
    size_t ring_bytes;
    size_t most_calls;  /* of a point in it */
    struct err no_ring; /* why there is none, though a point wants one */
};

struct ready_call {
    const struct point *point;
    const struct team *team;
    const struct arena *arena;
    const struct collective *collective;
    call_function *native;     /* the library's, where is_native */
    struct call first, second; /* second.run may be NULL */
    int inner;
    double share;  /* of the measured span that one sample is: 1/inner, or half a round trip */
    int on_root;   /* the statistic is the root's clock, else the slowest rank's */
    int has_data;  /* there is something to check */
    int is_native; /* the library's own algorithm */
    struct call_args args, gather_args;
    struct executor *executor, *gather;
    struct copier copier;
    struct rotation rotation;
    char *place; /* of this turn */
    MPI_Comm native_comm;
    struct evidence evidence;
    int *gate; /* gate of the counters of the library's calls; a dummy without counters */
    int own_gate;
    struct proof *proof;
    struct proof
        own_proof; /* ready_call_init makes proof point here: a trial does not move after it */
};

/* Allocates for the largest of the points (whole launch, this rank's part), of which each is called
 * at most so often. Where nobody looks at the data, ranks of a simulation share one memory. */
int arena_init(struct arena *arena, const struct point *points, size_t n, int rank,
               const struct measure_options *o, size_t most_calls, struct err *err);
void arena_clear(struct arena *arena);

/* Collective over the team (native algorithms make a communicator). On failure (on any rank alone)
 * *err tells and trial->evidence.status is "failed" or "invalid"; ready_call_clear is due in any
 * case. */
int ready_call_init(struct ready_call *trial, const struct point *point, const struct team *team,
                    const struct arena *arena, const struct measure_options *o, struct err *err);

/* With rotating buffers: evict fills all places (if check is set) and evicts them from the
 * caches; next_buffers selects the place for the next call. Else they do nothing. */
void ready_call_evict(struct ready_call *trial, int check);
void ready_call_next_buffers(struct ready_call *trial);

/* Around each timed unit, outside of the clock reads: enables the counters of library calls. */
static inline void ready_call_count_begin(const struct ready_call *trial)
{
    *trial->gate = 1;
}

static inline void ready_call_count_end(const struct ready_call *trial)
{
    *trial->gate = 0;
    trial->proof->calls++;
}

/* One timed unit. */
static inline int ready_call_run(const struct ready_call *trial)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < trial->inner && rc == MPI_SUCCESS; i++) {
        rc = trial->first.run(trial->first.state);
        if (trial->second.run && rc == MPI_SUCCESS)
            rc = trial->second.run(trial->second.state);
    }
    return rc;
}

/* One call outside of timing, with known data when check is set, and the evidence of what ran. 0,
 * or -1 with *err: the call failed, or the data is wrong. */
int ready_call_probe(struct ready_call *trial, int check, struct err *err);

/* After the timed calls, local: checks that each ran what ready_call_probe saw. 0, or -1 with *err
 * and status "failed". */
int ready_call_prove(struct ready_call *trial, struct err *err);

/* After the timed calls, local: checks the data in every place of the buffers. 0, or -1
 * with *err and status "failed". */
int ready_call_check_places(struct ready_call *trial, struct err *err);

/* Sets *err from an error code of MPI; returns -1. */
int ready_call_failed(int rc, struct err *err);

/* Collective over the team. */
void ready_call_clear(struct ready_call *trial);
