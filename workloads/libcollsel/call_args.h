/* SPDX-License-Identifier: BSD-3-Clause */
/* call_args.h - a call of the application, as it was made: the arguments of any of the collectives
 * that the library stands before. */
#ifndef WORKLOADS_LIBCOLLSEL_CALL_ARGS_H
#define WORKLOADS_LIBCOLLSEL_CALL_ARGS_H

#include <mpi.h>
#include <stdint.h>

enum asked_which {
    ASKED_ALLGATHER,
    ASKED_ALLGATHERV,
    ASKED_ALLREDUCE,
    ASKED_ALLTOALL,
    ASKED_ALLTOALLV,
    ASKED_BARRIER,
    ASKED_BCAST,
    ASKED_EXSCAN,
    ASKED_GATHER,
    ASKED_GATHERV,
    ASKED_REDUCE,
    ASKED_REDUCE_SCATTER,
    ASKED_REDUCE_SCATTER_BLOCK,
    ASKED_SCAN,
    ASKED_SCATTER,
    ASKED_SCATTERV,
    N_ASKED
};

struct asked {
    enum asked_which which;
    MPI_Comm comm;
    const void *send;
    void *recv; /* of a broadcast: its buffer */
    int send_count, recv_count;
    MPI_Datatype send_type, recv_type;
    const int *send_counts; /* of calls that name them: what goes to each rank */
    const int *recv_counts; /* what comes from each; of a reduce-scatter, what each gets */
    const int *recv_places; /* where that stands */
    MPI_Op op;
    int root;
    const void *site; /* where the application called */
};

/* Its collective by name, as in its row where it has one (workloads/schedules/collectives.h): the
 * calls are MPI's, whatever has a row. */
const char *asked_name(enum asked_which which);

enum {
    ASKED_ROOTED = 1 << ASKED_BCAST | 1 << ASKED_GATHER | 1 << ASKED_GATHERV | 1 << ASKED_REDUCE |
                   1 << ASKED_SCATTER | 1 << ASKED_SCATTERV,
    ASKED_COMBINING = 1 << ASKED_ALLREDUCE | 1 << ASKED_EXSCAN | 1 << ASKED_REDUCE |
                      1 << ASKED_REDUCE_SCATTER | 1 << ASKED_REDUCE_SCATTER_BLOCK | 1 << ASKED_SCAN
};

/* Has it a root, does it combine? As its row says, and quicker. */
static inline int asked_is_rooted(const struct asked *asked)
{
    return ASKED_ROOTED >> asked->which & 1;
}

static inline int asked_combines(const struct asked *asked)
{
    return ASKED_COMBINING >> asked->which & 1;
}

/* The block of so many elements of a type that tells the bytes of a call. is_root: of this rank,
 * where there is a root. 0: there is no such one: blocks differ, or there are none. */
int asked_block(const struct asked *asked, int is_root, int *count, MPI_Datatype *type);

/* What all of its ranks know of a call alike. */
struct asked_size {
    uint64_t bytes; /* as MPI counts them for one rank; where blocks differ, of all of them */
    int own; /* 1: no other rank knows it: bytes are this rank's, a power of two, no less than
                it has */
};

/* -1: the arguments are wrong, and MPI shall say so. rank, procs: in the communicator. */
int asked_size(const struct asked *asked, int rank, int procs, struct asked_size *size);

/* "sum", "user", "user_ordered" (it does not commute); "" where nothing is combined. */
const char *asked_op(const struct asked *asked);

#endif
