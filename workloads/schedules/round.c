/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/schedules/round.h"

/* The next free operation. */
static struct op *append(struct round *out)
{
    array_room(&out->ops, &out->room, out->n + 1);
    return &out->ops[out->n++];
}

void round_send(struct round *out, enum op_buffer buf, uint64_t offset, uint64_t bytes, int dst)
{
    *append(out) =
        (struct op){ .kind = OP_SEND, .buf = buf, .offset = offset, .bytes = bytes, .peer = dst };
}

void round_recv(struct round *out, enum op_buffer buf, uint64_t offset, uint64_t bytes, int src)
{
    *append(out) =
        (struct op){ .kind = OP_RECV, .buf = buf, .offset = offset, .bytes = bytes, .peer = src };
}

static void local(struct round *out, enum op_kind kind, enum op_buffer dst, uint64_t offset,
                  enum op_buffer src, uint64_t src_offset, uint64_t bytes)
{
    *append(out) = (struct op){ .kind = kind,
                                .buf = dst,
                                .src_buf = src,
                                .peer = -1,
                                .offset = offset,
                                .src_offset = src_offset,
                                .bytes = bytes };
}

void round_copy(struct round *out, enum op_buffer dst, uint64_t offset, enum op_buffer src,
                uint64_t src_offset, uint64_t bytes)
{
    local(out, OP_COPY, dst, offset, src, src_offset, bytes);
}

void round_reduce(struct round *out, enum op_buffer dst, uint64_t offset, enum op_buffer src,
                  uint64_t src_offset, uint64_t bytes)
{
    local(out, OP_REDUCE, dst, offset, src, src_offset, bytes);
}

int round_overlaps(enum op_buffer buf, uint64_t offset, uint64_t bytes, enum op_buffer other,
                   uint64_t other_offset, uint64_t other_bytes)
{
    return buf == other && bytes && other_bytes && offset < other_offset + other_bytes &&
           other_offset < offset + bytes;
}

/* A receive and an operation of the round before touch the same bytes. Or both receive from one
 * rank messages of different sizes: SMPI (SimGrid 3.32) keeps small and large messages in two
 * mailboxes and never matches the second of two such receives when both are posted together. */
static int collides(const struct op *recv, const struct op *op)
{
    if (op->kind == OP_RECV && op->peer == recv->peer && op->bytes != recv->bytes)
        return 1;
    if (round_overlaps(recv->buf, recv->offset, recv->bytes, op->buf, op->offset, op->bytes))
        return 1;
    return (op->kind == OP_COPY || op->kind == OP_REDUCE) &&
           round_overlaps(recv->buf, recv->offset, recv->bytes, op->src_buf, op->src_offset,
                          op->bytes);
}

size_t round_early(const struct round *now, const struct round *next)
{
    size_t early = 0;
    for (size_t i = 0; i < next->n; i++) {
        if (next->ops[i].kind != OP_RECV)
            continue;
        for (size_t j = 0; j < now->n; j++)
            if (collides(&next->ops[i], &now->ops[j]))
                return early;
        early++;
    }
    return early;
}

static void move(const struct op_places *w, enum op_buffer *buf, uint64_t *offset)
{
    *offset += w->at[*buf];
    *buf = w->buf[*buf];
}

void round_move(struct round *round, size_t first, const struct op_places *w)
{
    for (size_t i = first; i < round->n; i++) {
        struct op *op = &round->ops[i];
        move(w, &op->buf, &op->offset);
        if (op->kind == OP_COPY || op->kind == OP_REDUCE)
            move(w, &op->src_buf, &op->src_offset);
    }
}

void round_free(struct round *round)
{
    if (round->room)
        free(round->ops);
    *round = (struct round){ 0 };
}
