/* SPDX-License-Identifier: BSD-3-Clause */
/* allreduce.c - reduction whose result every rank gets. Buffers: SEND, a rank's own contribution,
 * which stays as it is; RECV, the result, on every rank; TEMP, scratch. Messages are cut between
 * elements.
 *
 * Messages are those of Open MPI 4.1.4 (ompi/mca/coll/base/coll_base_allreduce.c). MPI_Allreduce of
 * no elements returns before any algorithm: no messages. One process copies its contribution. */
#include "workloads/schedules/parts.h"
#include "workloads/schedules/portable.h"

static void copy_own(const struct schedule *s, struct round *out)
{
    round_copy(out, BUF_RECV, 0, BUF_SEND, 0, s->bytes);
}

/* ---- linear: rank 0 takes the others one after the other, from the last one down, so that the
 * order of the operands is that of the ranks; then it sends all of them the result ---- */

static uint64_t linear_rounds(const struct schedule *s, int rank)
{
    if (s->bytes == 0)
        return 0;
    if (s->procs == 1)
        return 1;
    return rank == 0 ? (uint64_t)s->procs + 1 : 2;
}

/* Rank 0 takes rank `src`. */
static void linear_take(const struct schedule *s, int src, struct round *out)
{
    const int is_first = src == s->procs - 1;
    if (src > 0)
        round_recv(out, is_first ? BUF_RECV : BUF_TEMP, 0, s->bytes, src);
    if (!is_first)
        round_reduce(out, BUF_RECV, 0, src > 0 ? BUF_TEMP : BUF_SEND, 0, s->bytes);
}

static void linear_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (s->procs == 1) {
        copy_own(s, out);
        return;
    }
    out->phase = k + 1 == linear_rounds(s, rank);
    if (rank > 0 && out->phase == 0)
        round_send(out, BUF_SEND, 0, s->bytes, 0);
    else if (rank > 0)
        round_recv(out, BUF_RECV, 0, s->bytes, 0);
    else if (out->phase == 0)
        linear_take(s, s->procs - 1 - (int)k, out);
    else
        for (int dst = 1; dst < s->procs; dst++)
            round_send(out, BUF_RECV, 0, s->bytes, dst);
}

static uint64_t linear_temp(const struct schedule *s, int rank)
{
    return rank == 0 && s->procs > 2 ? s->bytes : 0;
}

/* ---- the table's rows ---- */

static const struct algorithm basic_linear_row = {
    .name = "basic_linear",
    .collective = "allreduce",
    .help = "rank 0 combines all contributions, one after the other, and sends all the result",
    .in_order = 1,
    .rounds = linear_rounds,
    .round = linear_round,
    .temp_bytes = linear_temp,
};

const struct algorithm *const allreduce_algorithms[] = {
    &basic_linear_row,
    PORTABLE_ALLREDUCE,
    NULL,
};
