/* SPDX-License-Identifier: BSD-3-Clause */
/* two_hops.h - an algorithm made up for the tests: the root sends the message to the next rank,
 * which sends it to all others. It stands in a table of broadcasts in the place of bcast.c's,
 * beside the linear one, which the experiments want. */
#pragma once

#include "workloads/schedules/round.h"
#include "workloads/schedules/schedule.h"

/* Place of a rank counted from the root, and the rank of a place. */
static int place_of(const struct schedule *s, int rank)
{
    return (rank - s->root + s->procs) % s->procs;
}

static int rank_at(const struct schedule *s, int place)
{
    return (place + s->root) % s->procs;
}

/* From a place to all those from `first` on. */
static void send_from(const struct schedule *s, int first, struct round *out)
{
    for (int place = first; place < s->procs; place++)
        round_send(out, BUF_DATA, 0, s->bytes, rank_at(s, place));
}

static uint64_t hops_rounds(const struct schedule *s, int rank)
{
    return s->procs == 1 ? 0 : place_of(s, rank) == 1 && s->procs > 2 ? 2 : 1;
}

static void hops_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const int place = place_of(s, rank);
    if (place == 0)
        round_send(out, BUF_DATA, 0, s->bytes, rank_at(s, 1));
    else if (k == 0)
        round_recv(out, BUF_DATA, 0, s->bytes, rank_at(s, place > 1));
    else
        send_from(s, 2, out);
}

static uint64_t linear_rounds(const struct schedule *s, int rank)
{
    (void)rank;
    return s->procs > 1;
}

static void linear_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    (void)k;
    if (rank == s->root)
        send_from(s, 1, out);
    else
        round_recv(out, BUF_DATA, 0, s->bytes, s->root);
}

const struct algorithm bcast_rows[] = {
    {
        .name = "basic_linear",
        .collective = "bcast",
        .help = "to each",
        .rounds = linear_rounds,
        .round = linear_round,
    },
    { .name = NULL },
};
const struct algorithm bcast_bine[] = {
    {
        .name = "two_hops",
        .collective = "bcast",
        .help = "by way of the next rank",
        .rounds = hops_rounds,
        .round = hops_round,
    },
    { .name = NULL },
};
