/* SPDX-License-Identifier: BSD-3-Clause */
/* alltoall.c - all-to-all, of equal blocks and of different sizes. Buffers: SEND and RECV (procs x
 * bytes) on every rank; the block for rank r, or from it, stands after those of the ranks before r.
 *
 * Messages are those of Open MPI 4.1.4 (ompi/mca/coll/base/coll_base_alltoall.c). MPI_Alltoall of
 * zero bytes returns before any algorithm: no messages. */
#include "workloads/schedules/parts.h"
#include "workloads/schedules/portable.h"

/* ---- a block of its own to and from each rank; nothing is sent for an empty one ---- */

static void recv_block(const struct schedule *s, int rank, int src, struct round *out)
{
    const uint64_t bytes = schedule_block_bytes(s, src, rank);
    if (bytes)
        round_recv(out, BUF_RECV, schedule_got_at(s, src, rank), bytes, src);
}

static void send_block(const struct schedule *s, int rank, int dst, struct round *out)
{
    const uint64_t bytes = schedule_block_bytes(s, rank, dst);
    if (bytes)
        round_send(out, BUF_SEND, schedule_given_at(s, rank, dst), bytes, dst);
}

static void keep_own(const struct schedule *s, int rank, struct round *out)
{
    round_copy(out, BUF_RECV, schedule_got_at(s, rank, rank), BUF_SEND,
               schedule_given_at(s, rank, rank), schedule_block_bytes(s, rank, rank));
}

/* ---- linear: all at once; receives from the ranks after this one on, sends to those before it
 * ---- */

static uint64_t linear_rounds(const struct schedule *s, int rank)
{
    (void)rank;
    return s->bytes > 0;
}

static void linear_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    (void)k;
    for (int i = 1; i < s->procs; i++)
        recv_block(s, rank, rank_after(s, rank, i), out);
    for (int i = 1; i < s->procs; i++)
        send_block(s, rank, rank_before(s, rank, i), out);
    keep_own(s, rank, out);
}

/* ---- the tables' rows ---- */

static const struct algorithm linear_row = {
    .name = "linear",
    .collective = "alltoall",
    .help = "every rank sends each rank its block, all at once",
    .rounds = linear_rounds,
    .round = linear_round,
};

const struct algorithm *const alltoall_algorithms[] = {
    &linear_row,
    PORTABLE_ALLTOALL,
    NULL,
};

static const struct algorithm v_linear_row = {
    .name = "basic_linear",
    .collective = "alltoallv",
    .help = "every rank sends each rank its block, all at once; nothing for an empty one",
    .rounds = linear_rounds,
    .round = linear_round,
};

const struct algorithm *const alltoallv_algorithms[] = {
    &v_linear_row,
    PORTABLE_ALLTOALLV,
    NULL,
};
