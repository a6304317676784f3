/* SPDX-License-Identifier: BSD-3-Clause */
/* forced.h - the MPI library's own code of an algorithm, for single calls: "openmpi:chain" under
 * Open MPI, "mpich:ring" under MPICH.
 *
 * Open MPI reads the forcing variables when a communicator is created: each forced algorithm
 * gets a communicator of ours with the same ranks; calls on the application's communicators
 * are unaffected. MPICH reads its variables at every call: they are written before it and
 * restored after it. An algorithm that the library would not run is refused, on all ranks. */
#pragma once

#include "workloads/libcollsel/executor_cache.h"

enum { FORCED_MOST = 64, FORCED_REASON = 128 };

struct forced;

/* Algorithms of one communicator. Owns them. Start from { 0 }. */
struct forced_set {
    struct forced *v[FORCED_MOST];
    int n;
};

/* 1 when the choice names an algorithm of the MPI library of this build. */
int forced_is_own(const struct choice *choice);

/* The state that makes a call of this collective run the choice. The first call is collective
 * over place->work. NULL with *err, equal on all ranks: the library does not run it. */
struct forced *forced_ready(struct forced_set *set, const struct executor_cache_place *place,
                            const struct call_args *asked, uint64_t bytes,
                            const struct choice *choice, struct err *err);

/* The call by that algorithm, with its data in rows of bytes (forced.h), of a rank so many. An
 * error code of MPI; *refused: the library refused the algorithm, on all ranks, and nothing was
 * done; it is not tried again for later calls of as many bytes. */
int forced_call(struct forced *forced, const struct call_args *asked,
                const struct execute_buffers *buffers, uint64_t bytes, int *refused);

/* Collective over the communicator, when it goes. */
void forced_clear(struct forced_set *set);

/* The data of a call in the layout of schedules: contiguous blocks of bytes in the
 * order of ranks. Application buffers with this layout are used directly; else
 * their elements are packed before the call and unpacked after it (MPI_Pack). */

/* Memory for packed data; it grows and is reused. Start from { 0 }. */
struct stage {
    char *send, *recv;
    size_t send_room, recv_room;
};

struct staged {
    struct execute_buffers buffers;
    int unpacks; /* 1: the result must be unpacked to the application's buffer */
};

/* Layout of a reduction's elements: bytes from one to the next; 0: not contiguous,
 * use the library's own call. 1 for other collectives. Equal on all ranks. */
uint64_t staged_element(const struct call_args *asked);

/* 1 for a predefined type, which is valid until MPI_Finalize. */
int staged_is_named(MPI_Datatype type);

/* Prepares this rank's input. rank, procs: in the communicator. An error code of MPI. */
int staged_begin(struct staged *staged, struct stage *stage, const struct call_args *asked,
                 int rank, int procs);

/* Puts the result where the application wants it. An error code of MPI. */
int staged_end(const struct staged *staged, const struct stage *stage,
               const struct call_args *asked, int rank, int procs);

/* Frees the buffers of a call, whether it ended or not. */
void stage_clear(struct stage *stage);
