/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/measure/try_calls.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/base/memory.h"
#include "harness/base/number.h"
#include "workloads/measure/call.h"

/* One call among the ranks of a communicator. */
static int try_call(const struct collective *c, uint64_t bytes, MPI_Comm comm, struct err *err)
{
    struct call_args args = { .bytes = bytes, .comm = comm, .seed = 1 };
    MPI_Comm_size(comm, &args.procs);
    MPI_Comm_rank(comm, &args.rank);
    for (enum op_buffer b = BUF_DATA; b < BUF_TEMP; b++)
        args.buffers.at[b] = memory_zeros(bytes * (uint64_t)args.procs + GUARD_BYTES, 1);
    call_counts_init(&args, c);
    call_fill(c, &args);
    const int rc = call_native(c)(&args);
    const int status =
        rc != MPI_SUCCESS ? err_set(err, "the call returned an error") : call_check(c, &args, err);
    call_counts_clear(&args);
    for (enum op_buffer b = BUF_DATA; b < BUF_TEMP; b++)
        free(args.buffers.at[b]);
    return status;
}

/* Of all sizes; *n counts. The lowest rank that failed says why. */
static int try_sizes(const struct collective *c, MPI_Comm comm, int *n, struct err *err)
{
    static const uint64_t sizes[] = { 1, 1000, 40000 };
    int status = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && status == 0; i++) {
        char bytes[32];
        int procs;
        status = try_call(c, sizes[i], comm, err);
        MPI_Comm_size(comm, &procs);
        if (status < 0)
            err_prefix(err, "%s P = %d, %s", c->name, procs,
                       format_bytes(sizes[i], bytes, sizeof bytes));
        (*n)++;
    }
    return status;
}

/* All collectives among the first ranks of world. */
static int try_procs(MPI_Comm world, int procs, int *n, struct err *err)
{
    MPI_Comm comm;
    int rank, status = 0;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_split(world, rank < procs ? 0 : MPI_UNDEFINED, rank, &comm);
    if (comm == MPI_COMM_NULL)
        return 0;
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    for (const struct collective *c = collectives; c->name && status == 0; c++)
        if (call_native(c))
            status = try_sizes(c, comm, n, err);
    MPI_Comm_free(&comm);
    return status;
}

/* 1 when the library takes each rank for one on a node of its own, on rank 0's node at least. */
static int is_apart(MPI_Comm world)
{
    MPI_Comm node;
    int ranks = 0;
    MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &ranks);
    MPI_Comm_free(&node);
    return ranks == 1;
}

int try_calls(MPI_Comm world, struct err *err)
{
    int ranks, rank, n = 0, status = 0;
    const int apart = is_apart(world);
    MPI_Comm_size(world, &ranks);
    MPI_Comm_rank(world, &rank);
    for (int procs = 2; procs <= ranks && status == 0; procs++)
        status = try_procs(world, procs, &n, err);
    if (status == 0 && rank == 0)
        printf("tried %d calls%s\n", n, apart ? ", each rank on a node of its own" : "");
    return status;
}
