/* SPDX-License-Identifier: BSD-3-Clause */
/* barrier.c - barrier. No buffers: every message is empty. There is no root.
 *
 * Messages are those of Open MPI 4.1.4 (ompi/mca/coll/base/coll_base_barrier.c). One process
 * returns before any algorithm: no messages. */
#include "workloads/schedules/parts.h"

static void send_empty(int dst, struct round *out)
{
    round_send(out, BUF_DATA, 0, 0, dst);
}

static void recv_empty(int src, struct round *out)
{
    round_recv(out, BUF_DATA, 0, 0, src);
}

/* ---- linear: rank 0 waits for all others, then tells them ---- */

static uint64_t linear_rounds(const struct schedule *s, int rank)
{
    (void)rank;
    return s->procs > 1 ? 2 : 0;
}

static void linear_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    void (*const add)(int, struct round *) = (k == 0) == (rank == 0) ? recv_empty : send_empty;
    out->phase = (int)k;
    for (int other = 1; rank == 0 && other < s->procs; other++)
        add(other, out);
    if (rank > 0)
        add(0, out);
}

/* ---- the table's rows ---- */

static const struct algorithm linear_row = {
    .name = "linear",
    .collective = "barrier",
    .help = "rank 0 waits for a message of every rank, then sends one to each",
    .rounds = linear_rounds,
    .round = linear_round,
};

const struct algorithm *const barrier_algorithms[] = {
    &linear_row,
    NULL,
};
