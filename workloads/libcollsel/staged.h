/* SPDX-License-Identifier: BSD-3-Clause */
/* staged.h - the data of a call as schedules want it: blocks of bytes, one behind the other in the
 * order of ranks. Where the application's buffers are so already, they are taken as they are; else
 * their elements are packed before the call and unpacked after it (MPI_Pack). */
#ifndef WORKLOADS_LIBCOLLSEL_STAGED_H
#define WORKLOADS_LIBCOLLSEL_STAGED_H

#include "workloads/execute/execute.h"
#include "workloads/libcollsel/call_args.h"

/* Memory for what is packed; it grows, and is used again. Start from { 0 }. */
struct stage {
    char *send, *recv;
    size_t send_room, recv_room;
};

struct staged {
    struct execute_buffers buffers;
    int unpacks; /* the result is to be put where the application wants it */
};

/* How a reduction's elements lie: bytes from one to the next; 0: not one behind the other, and the
 * library's own call is to do it. Of other collectives 1. What all ranks say alike. */
uint64_t staged_element(const struct call_args *asked);

/* A type of MPI's own, which is the same as long as MPI is there. */
int staged_is_named(MPI_Datatype type);

/* Lays out what this rank gives. rank, procs: in the communicator. An error code of MPI. */
int staged_begin(struct staged *staged, struct stage *stage, const struct call_args *asked,
                 int rank, int procs);

/* Puts the result where the application wants it. An error code of MPI. */
int staged_end(const struct staged *staged, const struct stage *stage,
               const struct call_args *asked, int rank, int procs);

/* Frees the buffers of a call, whether it ended or not. */
void stage_clear(struct stage *stage);

#endif
