/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/collective.h"

#include <string.h>

#include "workloads/pattern.h"

enum { GUARD = 0xa5 };

static void fill_guard(void *buf, uint64_t bytes)
{
    memset((char *)buf + bytes, GUARD, GUARD_BYTES);
}

static int check_block(const struct call_args *a, const char *buf, uint64_t block, struct err *err)
{
    const uint64_t at = pattern_check(buf, a->bytes, block, a->seed);
    if (at < a->bytes)
        return err_set(err, "wrong data on rank %d: byte %llu of %llu of block %llu", a->rank,
                       (unsigned long long)at, (unsigned long long)a->bytes,
                       (unsigned long long)block);
    return 0;
}

static int check_guard(const struct call_args *a, const char *buf, uint64_t bytes, struct err *err)
{
    for (int i = 0; i < GUARD_BYTES; i++)
        if ((unsigned char)buf[bytes + (uint64_t)i] != GUARD)
            return err_set(err,
                           "wrong data on rank %d: byte %d beyond the buffer's end was written",
                           a->rank, i);
    return 0;
}

/* ---- bcast: DATA of the root everywhere ---- */

static int bcast_native(const struct call_args *a)
{
    return MPI_Bcast(a->buffers.at[BUF_DATA], (int)a->bytes, MPI_BYTE, a->root, a->comm);
}

static void bcast_fill(const struct call_args *a)
{
    void *data = a->buffers.at[BUF_DATA];
    if (a->rank == a->root)
        pattern_fill(data, a->bytes, 0, a->seed);
    else
        pattern_poison(data, a->bytes, 0, a->seed);
    fill_guard(data, a->bytes);
}

static int bcast_check(const struct call_args *a, struct err *err)
{
    const char *data = a->buffers.at[BUF_DATA];
    return check_block(a, data, 0, err) < 0 ? -1 : check_guard(a, data, a->bytes, err);
}

/* ---- gather: SEND of rank r is block r of the root's RECV ---- */

static int gather_native(const struct call_args *a)
{
    return MPI_Gather(a->buffers.at[BUF_SEND], (int)a->bytes, MPI_BYTE, a->buffers.at[BUF_RECV],
                      (int)a->bytes, MPI_BYTE, a->root, a->comm);
}

/* The blocks of all ranks, in RECV. */
static void poison_blocks(const struct call_args *a)
{
    char *recv = a->buffers.at[BUF_RECV];
    for (int r = 0; r < a->procs; r++)
        pattern_poison(recv + (uint64_t)r * a->bytes, a->bytes, (uint64_t)r, a->seed);
    fill_guard(recv, (uint64_t)a->procs * a->bytes);
}

static int check_blocks(const struct call_args *a, struct err *err)
{
    const char *recv = a->buffers.at[BUF_RECV];
    for (int r = 0; r < a->procs; r++)
        if (check_block(a, recv + (uint64_t)r * a->bytes, (uint64_t)r, err) < 0)
            return -1;
    return check_guard(a, recv, (uint64_t)a->procs * a->bytes, err);
}

static void gather_fill(const struct call_args *a)
{
    pattern_fill(a->buffers.at[BUF_SEND], a->bytes, (uint64_t)a->rank, a->seed);
    if (a->rank == a->root)
        poison_blocks(a);
}

static int gather_check(const struct call_args *a, struct err *err)
{
    if (check_block(a, a->buffers.at[BUF_SEND], (uint64_t)a->rank, err) < 0)
        return -1;
    return a->rank == a->root ? check_blocks(a, err) : 0;
}

/* ---- allgather: SEND of rank r is block r of everybody's RECV ---- */

static int allgather_native(const struct call_args *a)
{
    return MPI_Allgather(a->buffers.at[BUF_SEND], (int)a->bytes, MPI_BYTE, a->buffers.at[BUF_RECV],
                         (int)a->bytes, MPI_BYTE, a->comm);
}

static void allgather_fill(const struct call_args *a)
{
    pattern_fill(a->buffers.at[BUF_SEND], a->bytes, (uint64_t)a->rank, a->seed);
    poison_blocks(a);
}

static int allgather_check(const struct call_args *a, struct err *err)
{
    if (check_block(a, a->buffers.at[BUF_SEND], (uint64_t)a->rank, err) < 0)
        return -1;
    return check_blocks(a, err);
}

/* ---- reduce: the exclusive or of all SEND in the root's RECV. Not the sum: that of MPI_UINT8_T is
 * clipped at 255 by Open MPI 4.1.4 where its op/avx component does it, and wraps in its other code.
 * ---- */

static int reduce_native(const struct call_args *a)
{
    return MPI_Reduce(a->buffers.at[BUF_SEND], a->buffers.at[BUF_RECV], (int)a->bytes, MPI_BYTE,
                      MPI_BXOR, a->root, a->comm);
}

static void reduce_fill(const struct call_args *a)
{
    char *recv = a->buffers.at[BUF_RECV];
    pattern_fill(a->buffers.at[BUF_SEND], a->bytes, (uint64_t)a->rank, a->seed);
    if (a->rank != a->root)
        return;
    pattern_poison_xor(recv, a->bytes, (uint64_t)a->procs, a->seed);
    fill_guard(recv, a->bytes);
}

static int reduce_check(const struct call_args *a, struct err *err)
{
    const char *recv = a->buffers.at[BUF_RECV];
    if (check_block(a, a->buffers.at[BUF_SEND], (uint64_t)a->rank, err) < 0)
        return -1;
    if (a->rank != a->root)
        return 0;
    const uint64_t at = pattern_check_xor(recv, a->bytes, (uint64_t)a->procs, a->seed);
    if (at < a->bytes)
        return err_set(err, "wrong data on rank %d: byte %llu of %llu of the result", a->rank,
                       (unsigned long long)at, (unsigned long long)a->bytes);
    return check_guard(a, recv, a->bytes, err);
}

static const struct collective collectives[] = {
    { "bcast", bcast_native, bcast_fill, bcast_check },
    { "gather", gather_native, gather_fill, gather_check },
    { "allgather", allgather_native, allgather_fill, allgather_check },
    { "reduce", reduce_native, reduce_fill, reduce_check },
};

const struct collective *collective_find(const char *name)
{
    for (size_t i = 0; i < sizeof collectives / sizeof *collectives; i++)
        if (strcmp(collectives[i].name, name) == 0)
            return &collectives[i];
    return NULL;
}
