/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/call.h"

#include <string.h>

#include "workloads/pattern.h"

enum { GUARD = 0xa5 };

/* ---- the library's calls ---- */

static int native_bcast(const struct call_args *a)
{
    return MPI_Bcast(a->buffers.at[BUF_DATA], (int)a->bytes, MPI_BYTE, a->root, a->comm);
}

static int native_gather(const struct call_args *a)
{
    return MPI_Gather(a->buffers.at[BUF_SEND], (int)a->bytes, MPI_BYTE, a->buffers.at[BUF_RECV],
                      (int)a->bytes, MPI_BYTE, a->root, a->comm);
}

static int native_allgather(const struct call_args *a)
{
    return MPI_Allgather(a->buffers.at[BUF_SEND], (int)a->bytes, MPI_BYTE, a->buffers.at[BUF_RECV],
                         (int)a->bytes, MPI_BYTE, a->comm);
}

/* The exclusive or. Not the sum: that of MPI_UINT8_T is clipped at 255 by Open MPI 4.1.4 where its
 * op/avx component does it, and wraps in its other code. */
static int native_reduce(const struct call_args *a)
{
    return MPI_Reduce(a->buffers.at[BUF_SEND], a->buffers.at[BUF_RECV], (int)a->bytes, MPI_BYTE,
                      MPI_BXOR, a->root, a->comm);
}

call_function *call_native(const struct collective *c)
{
    static const struct {
        const char *collective;
        call_function *native;
    } calls[] = {
        { "bcast", native_bcast },
        { "gather", native_gather },
        { "allgather", native_allgather },
        { "reduce", native_reduce },
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(calls[i].collective, c->name) == 0)
            return calls[i].native;
    return NULL;
}

/* ---- the data ---- */

/* What MPI promises of a block, as numbers of blocks: every block that a rank gives has its own. */
static struct pattern pattern_of(const struct collective *c, const struct call_args *a,
                                 const struct collective_block *block)
{
    const uint64_t gives = (uint64_t)collective_gives(c, a->procs);
    const uint64_t rank = c->source == FROM_ROOT ? 0 : (uint64_t)block->first;
    return (struct pattern){ .first = rank * gives + (uint64_t)block->position,
                             .step = gives,
                             .n = block->first > block->last
                                      ? 0
                                      : (uint64_t)(block->last - block->first) + 1,
                             .seed = a->seed };
}

static struct pattern promised(const struct collective *c, const struct call_args *a,
                               enum op_buffer buf, uint64_t i)
{
    const struct collective_block b = collective_after(c, a->procs, a->root, a->rank, buf, (int)i);
    return pattern_of(c, a, &b);
}

/* Blocks of a buffer on this rank. */
static uint64_t blocks_of(const struct collective *c, const struct call_args *a, enum op_buffer buf)
{
    return collective_buffer_bytes(c, buf, a->procs, 1, a->rank == a->root);
}

static void fill_buffer(const struct collective *c, const struct call_args *a, enum op_buffer buf)
{
    const uint64_t n = blocks_of(c, a, buf);
    char *at = a->buffers.at[buf];
    for (uint64_t i = 0; i < n; i++, at += a->bytes) {
        const struct collective_block has = collective_before(c, a->root, a->rank, buf, (int)i);
        const struct pattern given = pattern_of(c, a, &has), wanted = promised(c, a, buf, i);
        if (given.n)
            pattern_fill(at, a->bytes, &given);
        else
            pattern_poison(at, a->bytes, &wanted);
    }
    if (n && buf != BUF_SEND)
        memset(at, GUARD, GUARD_BYTES);
}

void call_fill(const struct collective *c, const struct call_args *args)
{
    for (enum op_buffer buf = 0; buf < BUF_TEMP; buf++)
        fill_buffer(c, args, buf);
}

static int check_block(const struct call_args *a, const char *at, const struct pattern *p,
                       struct err *err)
{
    const uint64_t wrong = p->n ? pattern_check(at, a->bytes, p) : a->bytes;
    if (wrong == a->bytes)
        return 0;
    if (p->n > 1)
        return err_set(err, "wrong data on rank %d: byte %llu of %llu of the result", a->rank,
                       (unsigned long long)wrong, (unsigned long long)a->bytes);
    return err_set(err, "wrong data on rank %d: byte %llu of %llu of block %llu", a->rank,
                   (unsigned long long)wrong, (unsigned long long)a->bytes,
                   (unsigned long long)p->first);
}

static int check_guard(const struct call_args *a, const char *end, struct err *err)
{
    for (int i = 0; i < GUARD_BYTES; i++)
        if ((unsigned char)end[i] != GUARD)
            return err_set(err,
                           "wrong data on rank %d: byte %d beyond the buffer's end was written",
                           a->rank, i);
    return 0;
}

static int check_buffer(const struct collective *c, const struct call_args *a, enum op_buffer buf,
                        struct err *err)
{
    const uint64_t n = blocks_of(c, a, buf);
    const char *at = a->buffers.at[buf];
    for (uint64_t i = 0; i < n; i++, at += a->bytes) {
        const struct pattern wanted = promised(c, a, buf, i);
        if (check_block(a, at, &wanted, err) < 0)
            return -1;
    }
    return n && buf != BUF_SEND ? check_guard(a, at, err) : 0;
}

int call_check(const struct collective *c, const struct call_args *args, struct err *err)
{
    for (enum op_buffer buf = 0; buf < BUF_TEMP; buf++)
        if (check_buffer(c, args, buf, err) < 0)
            return -1;
    return 0;
}
