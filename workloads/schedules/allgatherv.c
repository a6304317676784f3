/* SPDX-License-Identifier: BSD-3-Clause */
/* allgatherv.c - allgather of blocks of different sizes. Buffers: SEND, a rank's own block; RECV
 * (procs x bytes) on every rank, the block of rank r after those of the ranks before it.
 *
 * Messages are those of Open MPI 4.1.4 (ompi/mca/coll/base/coll_base_allgatherv.c). A call in which
 * nobody gives anything returns before any algorithm: no messages. An empty block is a message,
 * too.
 */
#include "workloads/schedules/parts.h"
#include "workloads/schedules/portable.h"

/* ---- ring: in step k a rank passes on to the right the block that is k places to its left ---- */

static uint64_t ring_rounds(const struct schedule *s, int rank)
{
    (void)rank;
    if (s->bytes == 0)
        return 0;
    return s->procs == 1 ? 1 : (uint64_t)s->procs - 1;
}

/* Where a block stands in RECV; its size. */
static uint64_t block_at(const struct schedule *s, int block)
{
    return schedule_got_at(s, block, 0);
}

static uint64_t block_bytes(const struct schedule *s, int block)
{
    return schedule_block_bytes(s, block, 0);
}

/* The own block is sent from SEND in step 0, and copied, as in allgather.c. */
static void ring_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (s->procs > 1) {
        const int sent = rank_before(s, rank, (int)k), got = rank_before(s, rank, (int)k + 1);
        const int right = rank_after(s, rank, 1), left = rank_before(s, rank, 1);
        round_recv(out, BUF_RECV, block_at(s, got), block_bytes(s, got), left);
        round_send(out, k ? BUF_RECV : BUF_SEND, k ? block_at(s, sent) : 0, block_bytes(s, sent),
                   right);
    }
    if (k == 0)
        round_copy(out, BUF_RECV, block_at(s, rank), BUF_SEND, 0, block_bytes(s, rank));
}

/* ---- the table's rows ---- */

static const struct algorithm ring_row = {
    .name = "ring",
    .collective = "allgatherv",
    .help = "P - 1 steps: every rank passes a block on to its right-hand neighbour",
    .rounds = ring_rounds,
    .round = ring_round,
};

const struct algorithm *const allgatherv_algorithms[] = {
    &ring_row,
    PORTABLE_ALLGATHERV,
    NULL,
};
