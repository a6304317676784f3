/* SPDX-License-Identifier: BSD-3-Clause */
/* round.h - the operations of one round of a schedule (schedule.h).
 *
 * MEANING OF A ROUND. All operations of a round start together, in the order given, and the round
 * ends when all of them are complete; then the rank's next round starts. So
 *   - a SEND reads its bytes as they are at the start of the round; no RECV of the same round may
 *     write them;
 *   - COPY and REDUCE run after the round's messages are complete, in the order given, and so may
 *     write what was sent; a COPY may move bytes to where they overlap their old place, as memmove
 *     does;
 *   - messages between a pair of ranks are matched first in, first out (one tag).
 * A pipelined relay is therefore: round k = { RECV segment k from the parent, SEND segment k-1 to
 * the children }. An executor may post the RECVs of the next round early where no bytes collide;
 * that changes nothing above.
 *
 * A REDUCE is inout := in op inout, as MPI has it: what is read (src) stands before what is
 * written.
 *
 * BUFFERS. DATA is given and got, as in a broadcast; else SEND is given and RECV got. The row of
 * the collective (collectives.h) says how large they are and what they hold. TEMP is scratch of
 * schedule_temp_bytes(). */
#pragma once

#include "harness/base/base.h"

enum op_kind { OP_SEND, OP_RECV, OP_COPY, OP_REDUCE };
enum op_buffer { BUF_DATA, BUF_SEND, BUF_RECV, BUF_TEMP, N_BUFFERS };

struct op {
    enum op_kind kind;
    enum op_buffer buf;     /* SEND: read from; RECV, COPY, REDUCE: written to */
    enum op_buffer src_buf; /* COPY, REDUCE: read from */
    int peer;               /* SEND: destination rank; RECV: source rank */
    uint64_t offset;        /* bytes into buf */
    uint64_t src_offset;    /* bytes into src_buf */
    uint64_t bytes;         /* may be 0: a message without data is still a message */
};

/* The operations of one round; grown by round_send and its like, reused between calls. Start from
 * { 0 }. Where `room` is 0 the operations are lent (kept.h): to be read only, or left as they were.
 *
 * phase: 0 unless the generator says otherwise. An algorithm that is a sequence of steps of the
 * whole group (scatter, then allgather; the tree, then the exchange of halves) numbers them.
 * Running and proving ignore it; the stage walker counts the stages of a phase from where the
 * longest run of the phase before it ended, as the published models add the times of such steps. A
 * rank's phases never decrease, and a message is received in the phase in which it was sent. */
struct round {
    struct op *ops;
    size_t n, room;
    int phase;
};

/* Appends an operation (for generators): bytes at offset of a buffer to dst or from src, ranks; or
 * local work from src at src_offset into dst at offset. */
void round_send(struct round *out, enum op_buffer buf, uint64_t offset, uint64_t bytes, int dst);
void round_recv(struct round *out, enum op_buffer buf, uint64_t offset, uint64_t bytes, int src);
void round_copy(struct round *out, enum op_buffer dst, uint64_t offset, enum op_buffer src,
                uint64_t src_offset, uint64_t bytes);
void round_reduce(struct round *out, enum op_buffer dst, uint64_t offset, enum op_buffer src,
                  uint64_t src_offset, uint64_t bytes);

/* 1 when two ranges of bytes have some in common. */
int round_overlaps(enum op_buffer buf, uint64_t offset, uint64_t bytes, enum op_buffer other,
                   uint64_t other_offset, uint64_t other_bytes);

/* The number of receives of the next round that may be posted while this one runs: the
 * first ones, so that the order per source is kept, up to the first one that touches bytes
 * of this round. The executor posts them early; the walkers that keep time rely on it. */
size_t round_early(const struct round *now, const struct round *next);

/* Where the buffers of a schedule are that is part of another one. */
struct op_places {
    enum op_buffer buf[N_BUFFERS];
    uint64_t at[N_BUFFERS]; /* from which byte on */
};

/* Moves the operations from `first` on to where their buffers are. */
void round_move(struct round *round, size_t first, const struct op_places *w);

/* Frees what a round holds; it can be used again. */
void round_free(struct round *round);
