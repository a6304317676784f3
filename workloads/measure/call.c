/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/measure/call.h"

#include "workloads/measure/pattern.h"

enum { GUARD = 0xa5 };

/* The exclusive or. Not the sum: that of MPI_UINT8_T is clipped at 255 by Open MPI 4.1.4 where its
 * op/avx component does it, and wraps in its other code. */
static MPI_Op op_of(const struct call_args *a)
{
    return a->type ? a->type->op : MPI_BXOR;
}

static MPI_Datatype type_of(const struct call_args *a)
{
    return a->type ? a->type->type : MPI_BYTE;
}

static int count_of(const struct call_args *a)
{
    return (int)(a->bytes / (a->type ? a->type->bytes : 1));
}

static void *recv_of(const struct call_args *a)
{
    return a->buffers.at[BUF_RECV];
}

/* What all ranks give; and where only the root may take it from its result. */
static void *send_of(const struct call_args *a)
{
    return a->in_place ? MPI_IN_PLACE : a->buffers.at[BUF_SEND];
}

static void *send_to_root_of(const struct call_args *a)
{
    return a->rank == a->root ? send_of(a) : a->buffers.at[BUF_SEND];
}

static int native_bcast(const struct call_args *a)
{
    return MPI_Bcast(a->buffers.at[BUF_DATA], count_of(a), type_of(a), a->root, a->comm);
}

static int native_gather(const struct call_args *a)
{
    return MPI_Gather(send_to_root_of(a), count_of(a), type_of(a), recv_of(a), count_of(a),
                      type_of(a), a->root, a->comm);
}

static int native_scatter(const struct call_args *a)
{
    void *recv = a->in_place && a->rank == a->root ? MPI_IN_PLACE : recv_of(a);
    return MPI_Scatter(a->buffers.at[BUF_SEND], count_of(a), type_of(a), recv, count_of(a),
                       type_of(a), a->root, a->comm);
}

static int native_allgather(const struct call_args *a)
{
    return MPI_Allgather(send_of(a), count_of(a), type_of(a), recv_of(a), count_of(a), type_of(a),
                         a->comm);
}

static int native_allgatherv(const struct call_args *a)
{
    const struct call_counts *c = &a->counts;
    return MPI_Allgatherv(send_of(a), c->got[a->rank], type_of(a), recv_of(a), c->got, c->got_at,
                          type_of(a), a->comm);
}

static int native_alltoall(const struct call_args *a)
{
    return MPI_Alltoall(send_of(a), count_of(a), type_of(a), recv_of(a), count_of(a), type_of(a),
                        a->comm);
}

static int native_alltoallv(const struct call_args *a)
{
    const struct call_counts *c = &a->counts;
    return MPI_Alltoallv(send_of(a), c->given, c->given_at, type_of(a), recv_of(a), c->got,
                         c->got_at, type_of(a), a->comm);
}

static int native_reduce(const struct call_args *a)
{
    return MPI_Reduce(send_to_root_of(a), recv_of(a), count_of(a), type_of(a), op_of(a), a->root,
                      a->comm);
}

static int native_allreduce(const struct call_args *a)
{
    return MPI_Allreduce(send_of(a), recv_of(a), count_of(a), type_of(a), op_of(a), a->comm);
}

static int native_reduce_scatter(const struct call_args *a)
{
    return MPI_Reduce_scatter(send_of(a), recv_of(a), a->counts.given, type_of(a), op_of(a),
                              a->comm);
}

static int native_reduce_scatter_block(const struct call_args *a)
{
    return MPI_Reduce_scatter_block(send_of(a), recv_of(a), count_of(a), type_of(a), op_of(a),
                                    a->comm);
}

static int native_scan(const struct call_args *a)
{
    return MPI_Scan(send_of(a), recv_of(a), count_of(a), type_of(a), op_of(a), a->comm);
}

static int native_exscan(const struct call_args *a)
{
    return MPI_Exscan(send_of(a), recv_of(a), count_of(a), type_of(a), op_of(a), a->comm);
}

static int native_barrier(const struct call_args *a)
{
    return MPI_Barrier(a->comm);
}

call_function *call_native(const struct collective *c)
{
    static const struct {
        const char *collective;
        call_function *native;
    } calls[] = {
        { "bcast", native_bcast },
        { "gather", native_gather },
        { "scatter", native_scatter },
        { "allgather", native_allgather },
        { "allgatherv", native_allgatherv },
        { "alltoall", native_alltoall },
        { "alltoallv", native_alltoallv },
        { "reduce", native_reduce },
        { "allreduce", native_allreduce },
        { "reduce_scatter", native_reduce_scatter },
        { "reduce_scatter_block", native_reduce_scatter_block },
        { "scan", native_scan },
        { "exscan", native_exscan },
        { "barrier", native_barrier },
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(calls[i].collective, c->name) == 0)
            return calls[i].native;
    return NULL;
}

static struct blocks sizes_of(const struct collective *c, const struct call_args *a)
{
    const uint64_t element = a->type ? a->type->bytes : 1;
    return a->blocks ? *a->blocks : collective_blocks(c, a->procs, a->bytes, element);
}

void call_counts_init(struct call_args *args, const struct collective *c)
{
    const size_t n = (size_t)args->procs;
    const struct blocks blocks = sizes_of(c, args);
    const uint64_t element = blocks.element_bytes;
    if (!c->uneven)
        return;
    int *all = memory_zeros(4 * n, sizeof *all);
    args->counts = (struct call_counts){ all, all + n, all + 2 * n, all + 3 * n };
    for (int r = 0; r < args->procs; r++) {
        args->counts.given[r] = (int)(blocks_bytes(&blocks, args->rank, r) / element);
        args->counts.given_at[r] = (int)(blocks_given_at(&blocks, args->rank, r) / element);
        args->counts.got[r] = (int)(blocks_bytes(&blocks, r, args->rank) / element);
        args->counts.got_at[r] = (int)(blocks_got_at(&blocks, r, args->rank) / element);
    }
}

void call_counts_clear(struct call_args *args)
{
    free(args->counts.given);
    args->counts = (struct call_counts){ 0 };
}

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
                               enum op_buffer buf, int i)
{
    const struct collective_block b = collective_after(c, a->procs, a->root, a->rank, buf, i);
    return pattern_of(c, a, &b);
}

static int blocks_of(const struct collective *c, const struct call_args *a, enum op_buffer buf)
{
    return collective_buffer_blocks(c, buf, a->procs, a->rank == a->root);
}

static void fill_buffer(const struct collective *c, const struct call_args *a, enum op_buffer buf)
{
    const int n = blocks_of(c, a, buf);
    const struct blocks blocks = sizes_of(c, a);
    char *end = a->buffers.at[buf];
    for (int i = 0; i < n; i++) {
        const struct collective_place place = collective_place(&blocks, buf, a->rank, i);
        const struct collective_block has = collective_before(c, a->root, a->rank, buf, i);
        const struct pattern given = pattern_of(c, a, &has), wanted = promised(c, a, buf, i);
        char *at = a->buffers.at[buf];
        if (given.n)
            pattern_fill(at + place.at, place.bytes, &given);
        else
            pattern_poison(at + place.at, place.bytes, &wanted);
        end = at + place.at + place.bytes;
    }
    if (n && buf != BUF_SEND)
        memset(end, GUARD, GUARD_BYTES);
}

void call_fill(const struct collective *c, const struct call_args *args)
{
    for (enum op_buffer buf = 0; buf < BUF_TEMP; buf++)
        fill_buffer(c, args, buf);
}

static int check_block(const struct call_args *a, const char *at, uint64_t bytes,
                       const struct pattern *p, struct err *err)
{
    const uint64_t wrong = p->n ? pattern_check(at, bytes, p) : bytes;
    if (wrong == bytes)
        return 0;
    if (p->n > 1)
        return err_set(err, "wrong data on rank %d: byte %llu of %llu of the result", a->rank,
                       (unsigned long long)wrong, (unsigned long long)bytes);
    return err_set(err, "wrong data on rank %d: byte %llu of %llu of block %llu", a->rank,
                   (unsigned long long)wrong, (unsigned long long)bytes,
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
    const int n = blocks_of(c, a, buf);
    const struct blocks blocks = sizes_of(c, a);
    const char *end = a->buffers.at[buf];
    for (int i = 0; i < n; i++) {
        const struct collective_place place = collective_place(&blocks, buf, a->rank, i);
        const struct pattern wanted = promised(c, a, buf, i);
        const char *at = (const char *)a->buffers.at[buf] + place.at;
        if (check_block(a, at, place.bytes, &wanted, err) < 0)
            return -1;
        end = at + place.bytes;
    }
    return n && buf != BUF_SEND ? check_guard(a, end, err) : 0;
}

int call_check(const struct collective *c, const struct call_args *args, struct err *err)
{
    for (enum op_buffer buf = 0; buf < BUF_TEMP; buf++)
        if (check_buffer(c, args, buf, err) < 0)
            return -1;
    return 0;
}
