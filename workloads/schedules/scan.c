/* SPDX-License-Identifier: BSD-3-Clause */
/* scan.c - scan and exclusive scan. Buffers: SEND, a rank's own contribution, which stays as it is;
 * RECV, the contributions of the ranks up to this one combined, or before this one (the first rank
 * then gets nothing); TEMP, scratch. Operands stay in the order of ranks.
 *
 * Messages are those of Open MPI 4.1.4 (ompi/mca/coll/base/coll_base_scan.c, coll_base_exscan.c). A
 * call of no elements returns before any algorithm: no messages. */
#include "workloads/schedules/parts.h"

/* ---- linear: each rank waits for the one before, and sends the next what it has combined ---- */

static uint64_t linear_rounds(const struct schedule *s, int rank)
{
    if (s->bytes == 0)
        return 0;
    return 1 + (rank + 1 < s->procs);
}

/* A rank that has one after it sends it what the scan's result is there. */
static void linear_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (k == 1) {
        round_send(out, BUF_RECV, 0, s->bytes, rank + 1);
        return;
    }
    if (rank > 0)
        round_recv(out, BUF_TEMP, 0, s->bytes, rank - 1);
    round_copy(out, BUF_RECV, 0, BUF_SEND, 0, s->bytes);
    if (rank > 0)
        round_reduce(out, BUF_RECV, 0, BUF_TEMP, 0, s->bytes);
}

static uint64_t linear_temp(const struct schedule *s, int rank)
{
    return rank > 0 ? s->bytes : 0;
}

static int is_between(const struct schedule *s, int rank)
{
    return rank > 0 && rank + 1 < s->procs;
}

static uint64_t ex_linear_rounds(const struct schedule *s, int rank)
{
    if (s->bytes == 0 || s->procs == 1)
        return 0;
    return 1 + is_between(s, rank);
}

/* What a rank got is its result; with its own it goes to the next. */
static void ex_linear_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (rank == 0) {
        round_send(out, BUF_SEND, 0, s->bytes, 1);
    } else if (k == 1) {
        round_send(out, BUF_TEMP, 0, s->bytes, rank + 1);
    } else {
        round_recv(out, BUF_RECV, 0, s->bytes, rank - 1);
        if (!is_between(s, rank))
            return;
        round_copy(out, BUF_TEMP, 0, BUF_SEND, 0, s->bytes);
        round_reduce(out, BUF_TEMP, 0, BUF_RECV, 0, s->bytes);
    }
}

static uint64_t ex_linear_temp(const struct schedule *s, int rank)
{
    return is_between(s, rank) ? s->bytes : 0;
}

/* ---- the tables' rows ---- */

static const struct algorithm linear_row = {
    .name = "linear",
    .collective = "scan",
    .help = "from rank to rank, each combining its own",
    .in_order = 1,
    .rounds = linear_rounds,
    .round = linear_round,
    .temp_bytes = linear_temp,
};

const struct algorithm *const scan_algorithms[] = {
    &linear_row,
    NULL,
};

static const struct algorithm ex_linear_row = {
    .name = "linear",
    .collective = "exscan",
    .help = "from rank to rank, each combining its own for the next",
    .in_order = 1,
    .rounds = ex_linear_rounds,
    .round = ex_linear_round,
    .temp_bytes = ex_linear_temp,
};

const struct algorithm *const exscan_algorithms[] = {
    &ex_linear_row,
    NULL,
};
