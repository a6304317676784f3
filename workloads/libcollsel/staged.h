/* SPDX-License-Identifier: BSD-3-Clause */
/* staged.h - the data of a call in the layout of schedules: contiguous blocks of bytes in the
 * order of ranks. Application buffers with this layout are used directly; else
 * their elements are packed before the call and unpacked after it (MPI_Pack). */
#pragma once

#include "workloads/execute/execute.h"
#include "workloads/libcollsel/call_args.h"

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
