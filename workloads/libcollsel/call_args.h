/* SPDX-License-Identifier: BSD-3-Clause */
/* call_args.h - the arguments of a call of the application, for any of the collectives
 * that the library intercepts. */
#pragma once

#include <mpi.h>
#include "harness/base/base.h"

#include "workloads/libcollsel/mpi_calls.h"

#define CALL_ARGS_WHICH(KIND, Name, name, SHAPE) CALL_ARGS_##KIND,
enum call_args_which { MPI_CALLS_REPLACED(CALL_ARGS_WHICH) N_ASKED };

struct call_args {
    enum call_args_which which;
    MPI_Comm comm;
    const void *send;
    void *recv; /* of a broadcast: its buffer */
    int send_count, recv_count;
    MPI_Datatype send_type, recv_type;
    const int *send_counts; /* for calls with counts: elements to each rank */
    const int *recv_counts; /* elements from each; in a reduce-scatter, of each result */
    const int *recv_places; /* displacements of these */
    MPI_Op op;
    int root;
    const void *site; /* where the application called */
    int is_large;     /* 1: of a function with counts of MPI_Count; they do not fit where the bytes
                         are INT_MAX or more. It has no recv_places */
};

/* Its collective by name, as in its row where it has one (workloads/schedules/collectives.h): the
 * calls are MPI's, whatever has a row. */
const char *call_args_name(enum call_args_which which);

enum {
    CALL_ARGS_ROOTED = 1 << CALL_ARGS_BCAST | 1 << CALL_ARGS_GATHER | 1 << CALL_ARGS_GATHERV |
                       1 << CALL_ARGS_REDUCE | 1 << CALL_ARGS_SCATTER | 1 << CALL_ARGS_SCATTERV,
    CALL_ARGS_COMBINING = 1 << CALL_ARGS_ALLREDUCE | 1 << CALL_ARGS_EXSCAN | 1 << CALL_ARGS_REDUCE |
                          1 << CALL_ARGS_REDUCE_SCATTER | 1 << CALL_ARGS_REDUCE_SCATTER_BLOCK |
                          1 << CALL_ARGS_SCAN
};

/* 1 when the call has a root; 1 when it combines. As in its row, but faster. */
static inline int call_args_is_rooted(const struct call_args *asked)
{
    return CALL_ARGS_ROOTED >> asked->which & 1;
}

static inline int call_args_combines(const struct call_args *asked)
{
    return CALL_ARGS_COMBINING >> asked->which & 1;
}

/* The block (count elements of a type) that defines the bytes of a call. is_root: for this
 * rank, if there is a root. 0: there is no such block: blocks differ, or there are none. */
int call_args_block(const struct call_args *asked, int is_root, int *count, MPI_Datatype *type);

/* The size of a call, equal on all of its ranks. */
struct call_args_size {
    uint64_t bytes; /* as MPI counts them for one rank; where blocks differ, of all of them */
    int own;        /* 1: known to this rank only: bytes are this
                       rank's, rounded up to a power of two */
};

/* -1: the arguments are wrong; MPI reports that. rank, procs: in the communicator. */
int call_args_size(const struct call_args *asked, int rank, int procs, struct call_args_size *size);

/* "sum", "user", "user_ordered" (it does not commute); "" where nothing is combined. */
const char *call_args_op(const struct call_args *asked);
