/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/schedules/chosen.h"

#include "workloads/schedules/schedule.h"
#include "workloads/schedules/sequence.h"
#include "workloads/schedules/spread.h"

/* ---- allgather: MPI_Gather, then MPI_Bcast of all blocks ---- */

enum { N_PARTS = 2 };

static void parts_of(const struct schedule *s, struct sequence_part parts[N_PARTS])
{
    parts[0] = sequence_chosen(s, "gather", s->bytes);
    parts[0].buf[BUF_SEND] = BUF_SEND;
    parts[0].buf[BUF_RECV] = BUF_RECV;
    parts[0].buf[BUF_TEMP] = BUF_TEMP;
    parts[1] = sequence_chosen(s, "bcast", (uint64_t)s->procs * s->bytes);
    parts[1].buf[BUF_DATA] = BUF_RECV;
}

static uint64_t linear_rounds(const struct schedule *s, int rank)
{
    struct sequence_part parts[N_PARTS];
    if (s->bytes == 0)
        return 0;
    parts_of(s, parts);
    return sequence_rounds(parts, N_PARTS, rank);
}

static void linear_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    struct sequence_part parts[N_PARTS];
    parts_of(s, parts);
    sequence_round(parts, N_PARTS, rank, k, out);
}

static uint64_t linear_temp(const struct schedule *s, int rank)
{
    struct sequence_part parts[N_PARTS];
    if (s->bytes == 0)
        return 0;
    parts_of(s, parts);
    return sequence_temp_bytes(parts, N_PARTS, rank);
}

const struct algorithm allgather_linear = {
    .name = "linear",
    .collective = "allgather",
    .help = "the gather to rank 0 and then the broadcast that Open MPI chooses",
    .rounds = linear_rounds,
    .round = linear_round,
    .temp_bytes = linear_temp,
};

/* ---- of different sizes: MPI_Gatherv, which is linear and sends nothing for an empty block; then
 * MPI_Bcast of one element, the row of all blocks ---- */

static struct sequence_part broadcast_of_all(const struct schedule *s)
{
    struct schedule one = *s;
    one.element_bytes = border_of_givers(s, s->procs);
    struct sequence_part part = sequence_chosen(&one, "bcast", one.element_bytes);
    part.buf[BUF_DATA] = BUF_RECV;
    return part;
}

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
    const struct sequence_part part = broadcast_of_all(s);
    return gatherv_rounds(s, rank) + sequence_rounds(&part, 1, rank);
}

static void gatherv_bcast_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const uint64_t before = gatherv_rounds(s, rank);
    if (k < before) {
        gatherv_round(s, rank, k, out);
        return;
    }
    const struct sequence_part part = broadcast_of_all(s);
    sequence_round(&part, 1, rank, k - before, out);
    out->phase += SEQUENCE_MOST_PHASES;
}

const struct algorithm allgatherv_gatherv_bcast = {
    .name = "gatherv_bcast",
    .collective = "allgatherv",
    .help = "a linear gather to rank 0 and then the broadcast that Open MPI chooses",
    .rounds = gatherv_bcast_rounds,
    .round = gatherv_bcast_round,
};
