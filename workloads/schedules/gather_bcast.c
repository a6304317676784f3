/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/schedules/gather_bcast.h"

#include "workloads/schedules/schedule.h"
#include "workloads/schedules/sequence.h"
#include "workloads/schedules/block_spread.h"

/* ---- allgather: MPI_Gather, then MPI_Bcast of all blocks ---- */

const struct algorithm allgather_linear = {
    .name = "linear",
    .collective = "allgather",
    .help = "the gather to rank 0 and then the broadcast that Open MPI chooses",
    .recipe =
        &(const struct sequence){
            { { "gather", .buf = { BUF_DATA, BUF_SEND, BUF_RECV, BUF_TEMP } },
              { "bcast", .of_all = 1, .buf = { BUF_RECV, [BUF_TEMP] = BUF_TEMP } } } },
    .prepare = sequence_prepare,
    .rounds = sequence_rounds,
    .round = sequence_round,
    .temp_bytes = sequence_temp_bytes,
};

/* ---- of different sizes: MPI_Gatherv, which is linear and sends nothing for an empty block; then
 * MPI_Bcast of one element, the row of all blocks ---- */

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
    return gatherv_rounds(s, rank) + sequence_rounds(s, rank);
}

static void gatherv_bcast_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const uint64_t before = gatherv_rounds(s, rank);
    if (k < before) {
        gatherv_round(s, rank, k, out);
        return;
    }
    sequence_round(s, rank, k - before, out);
    out->phase += SEQUENCE_MOST_PHASES;
}

const struct algorithm allgatherv_gatherv_bcast = {
    .name = "gatherv_bcast",
    .collective = "allgatherv",
    .help = "a linear gather to rank 0 and then the broadcast that Open MPI chooses",
    .recipe =
        &(const struct sequence){ { { "bcast", .of_all = 1, .as_one = 1, .buf = { BUF_RECV } } } },
    .prepare = sequence_prepare,
    .rounds = gatherv_bcast_rounds,
    .round = gatherv_bcast_round,
};
