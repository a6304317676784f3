/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce_scatter.c - reduction of a block for each rank, of which every rank gets its own: of equal
 * blocks, and of different sizes. Buffers: SEND (procs x bytes), a rank's own contribution, which
 * stays as it is, the block for rank r after those of the ranks before it; RECV, the rank's block
 * of the result; TEMP, scratch. Messages are cut between elements.
 *
 * One process copies its contribution. */
#include "workloads/schedules/parts.h"
#include "workloads/schedules/portable.h"

/* A rank's block: its bytes, and where it stands in SEND. */
static uint64_t block_bytes(const struct schedule *s, int block)
{
    return schedule_block_bytes(s, 0, block);
}

static uint64_t block_at(const struct schedule *s, int block)
{
    return schedule_given_at(s, 0, block);
}

/* ---- linear: every rank sends each rank its block, all at once; what has come is combined in the
 * order of ranks. Ours. ---- */

static uint64_t linear_rounds(const struct schedule *s, int rank)
{
    (void)rank;
    return s->bytes > 0;
}

/* What rank src gave to this one's block. */
static void linear_combine(const struct schedule *s, int rank, int src, struct round *out)
{
    const uint64_t bytes = block_bytes(s, rank);
    const enum op_buffer buf = src == rank ? BUF_SEND : BUF_TEMP;
    const uint64_t at = src == rank ? block_at(s, rank) : (uint64_t)src * bytes;
    if (src == s->procs - 1)
        round_copy(out, BUF_RECV, 0, buf, at, bytes);
    else
        round_reduce(out, BUF_RECV, 0, buf, at, bytes);
}

static void linear_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const uint64_t bytes = block_bytes(s, rank);
    (void)k;
    for (int i = 1; bytes && i < s->procs; i++) {
        const int src = rank_after(s, rank, i);
        round_recv(out, BUF_TEMP, (uint64_t)src * bytes, bytes, src);
    }
    for (int i = 1; i < s->procs; i++) {
        const int dst = rank_before(s, rank, i);
        if (block_bytes(s, dst))
            round_send(out, BUF_SEND, block_at(s, dst), block_bytes(s, dst), dst);
    }
    for (int src = s->procs - 1; bytes && src >= 0; src--)
        linear_combine(s, rank, src, out);
}

static uint64_t linear_temp(const struct schedule *s, int rank)
{
    return s->procs > 1 ? (uint64_t)s->procs * block_bytes(s, rank) : 0;
}

/* ---- the tables' rows ---- */

static const struct algorithm linear_row = {
    .name = "linear",
    .collective = "reduce_scatter",
    .help = "every rank sends each rank its block, which combines them in order (ours)",
    .in_order = 1,
    .rounds = linear_rounds,
    .round = linear_round,
    .temp_bytes = linear_temp,
};

const struct algorithm *const reduce_scatter_algorithms[] = {
    &linear_row,
    PORTABLE_REDUCE_SCATTER,
    NULL,
};

static const struct algorithm block_linear_row = {
    .name = "linear",
    .collective = "reduce_scatter_block",
    .help = "every rank sends each rank its block, which combines them in order (ours)",
    .in_order = 1,
    .rounds = linear_rounds,
    .round = linear_round,
    .temp_bytes = linear_temp,
};

const struct algorithm *const reduce_scatter_block_algorithms[] = {
    &block_linear_row,
    PORTABLE_REDUCE_SCATTER_BLOCK,
    NULL,
};
