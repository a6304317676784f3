/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/schedules/gather_bcast.h"

#include <string.h>

#include "workloads/schedules/schedule.h"
#include "workloads/schedules/sequence.h"
#include "workloads/schedules/block_spread.h"

/* ---- allgather: MPI_Gather, then MPI_Bcast of all blocks ---- */

static void linear_prepare(struct schedule *s)
{
    sequence_choose(s, 0, "gather", s->bytes, s->element_bytes);
    sequence_choose(s, 1, "bcast", (uint64_t)s->procs * s->bytes, s->element_bytes);
}

static void linear_map(const struct schedule *s, int i, int rank, struct sequence_part *part)
{
    static const enum op_buffer buf[][N_BUFFERS] = {
        { BUF_DATA, BUF_SEND, BUF_RECV, BUF_TEMP }, /* the gather's */
        { BUF_RECV, BUF_SEND, BUF_RECV, BUF_TEMP },
    };
    (void)s, (void)rank;
    memcpy(part->buf, buf[i], sizeof buf[i]);
}

static const struct sequence gather_then_bcast = { 2, linear_map };

static uint64_t linear_rounds(const struct schedule *s, int rank)
{
    return s->bytes == 0 ? 0 : sequence_rounds(s, &gather_then_bcast, rank);
}

static void linear_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    sequence_round(s, &gather_then_bcast, rank, k, out);
}

static uint64_t linear_temp(const struct schedule *s, int rank)
{
    return s->bytes == 0 ? 0 : sequence_temp_bytes(s, &gather_then_bcast, rank);
}

const struct algorithm allgather_linear = {
    .name = "linear",
    .collective = "allgather",
    .help = "the gather to rank 0 and then the broadcast that Open MPI chooses",
    .prepare = linear_prepare,
    .rounds = linear_rounds,
    .round = linear_round,
    .temp_bytes = linear_temp,
};

/* ---- of different sizes: MPI_Gatherv, which is linear and sends nothing for an empty block; then
 * MPI_Bcast of one element, the row of all blocks ---- */

static void gatherv_bcast_prepare(struct schedule *s)
{
    const uint64_t all = border_of_givers(s, s->procs);
    sequence_choose(s, 0, "bcast", all, all);
}

static void all_map(const struct schedule *s, int i, int rank, struct sequence_part *part)
{
    (void)s, (void)i, (void)rank;
    part->buf[BUF_DATA] = BUF_RECV;
}

static const struct sequence bcast_of_all = { 1, all_map };

static uint64_t gatherv_rounds(const struct schedule *s, int rank)
{
    return rank == 0 ? (uint64_t)s->procs : 1;
}

static void gatherv_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const int src = rank == 0 ? (int)k : rank;
    const uint64_t bytes = schedule_block_bytes(s, src, 0), at = schedule_got_at(s, src, 0);
    if (rank > 0 && bytes)
        round_send(out, BUF_SEND, 0, bytes, 0);
    else if (src > 0 && bytes)
        round_recv(out, BUF_RECV, at, bytes, src);
    else if (src == 0)
        round_copy(out, BUF_RECV, at, BUF_SEND, 0, bytes);
}

static uint64_t gatherv_bcast_rounds(const struct schedule *s, int rank)
{
    if (border_of_givers(s, s->procs) == 0)
        return 0;
    return gatherv_rounds(s, rank) + sequence_rounds(s, &bcast_of_all, rank);
}

static void gatherv_bcast_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const uint64_t before = gatherv_rounds(s, rank);
    if (k < before) {
        gatherv_round(s, rank, k, out);
        return;
    }
    sequence_round(s, &bcast_of_all, rank, k - before, out);
    out->phase += SEQUENCE_MOST_PHASES;
}

const struct algorithm allgatherv_gatherv_bcast = {
    .name = "gatherv_bcast",
    .collective = "allgatherv",
    .help = "a linear gather to rank 0 and then the broadcast that Open MPI chooses",
    .prepare = gatherv_bcast_prepare,
    .rounds = gatherv_bcast_rounds,
    .round = gatherv_bcast_round,
};
