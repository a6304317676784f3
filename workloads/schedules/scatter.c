/* SPDX-License-Identifier: BSD-3-Clause */
/* scatter.c - scatter from the root. Buffers: SEND (procs x bytes) at the root, the block of rank r
 * at r x bytes; RECV (bytes) on every rank.
 *
 * Messages are those of Open MPI 4.1.4 (ompi/mca/coll/base/coll_base_scatter.c). MPI_Scatter of
 * zero bytes returns before any algorithm: no messages. */
#include "workloads/schedules/parts.h"

/* ---- linear: the root sends each rank its block, by rank, one after the other ---- */

static uint64_t linear_rounds(const struct schedule *s, int rank)
{
    if (s->bytes == 0)
        return 0;
    return rank == s->root ? (uint64_t)s->procs : 1;
}

static void linear_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const uint64_t at = schedule_given_at(s, s->root, (int)k);
    if (rank != s->root)
        round_recv(out, BUF_RECV, 0, s->bytes, s->root);
    else if ((int)k == s->root)
        round_copy(out, BUF_RECV, 0, BUF_SEND, at, s->bytes);
    else
        round_send(out, BUF_SEND, at, s->bytes, (int)k);
}

/* ---- the table's rows ---- */

static const struct algorithm basic_linear_row = {
    .name = "basic_linear",
    .collective = "scatter",
    .help = "the root sends each rank its block, one after the other",
    .rounds = linear_rounds,
    .round = linear_round,
};

const struct algorithm *const scatter_algorithms[] = {
    &basic_linear_row,
    NULL,
};
