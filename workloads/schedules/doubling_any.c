/* SPDX-License-Identifier: BSD-3-Clause */
/* doubling_any.c - allgather and all-to-all by recursive doubling among any number of ranks, as
 * MPICH 1's code has it, and SMPI and MVAPICH2 after it (steps.h): where the libraries' own go
 * another way among other than 2^n ranks.
 *
 * What goes around are rows, one for each rank: its block, or all the blocks that it gives. */
#include "workloads/schedules/algorithm_rows.h"
#include "workloads/schedules/doubling.h"

/* The rows of the group of `distance` ranks that v is in; the last group may be short. */
static struct part rows_of(const struct doubling *d, int v, int distance)
{
    return d->rows(d->s, v & -distance, distance);
}

static void exchange(struct doubling *d, int distance)
{
    const int partner = d->v ^ distance, is_first = d->has_own && d->steps.n == 0;
    if (partner >= d->s->procs || !steps_next(&d->steps, 0))
        return;
    const struct part give = rows_of(d, d->v, distance), take = rows_of(d, partner, distance);
    struct round *out = d->steps.out;
    const int peer = d->rank(d->s, partner);
    round_recv(out, d->buf, take.offset, take.bytes, peer);
    round_send(out, is_first ? BUF_SEND : d->buf, is_first ? 0 : give.offset, give.bytes, peer);
    if (is_first)
        round_copy(out, d->buf, give.offset, BUF_SEND, 0, give.bytes);
}

static void pass_on(struct doubling *d, int distance)
{
    if (!doubling_informed(d->s->procs, d->v, distance))
        return;
    for (int half = distance / 2; half > 0; half /= 2) {
        const int other = doubling_passes_on(d->s->procs, d->v, distance, half);
        if (other < 0 || !steps_next(&d->steps, 0))
            continue;
        const struct part beside = rows_of(d, d->v ^ distance, distance);
        const int peer = d->rank(d->s, other);
        if (d->v < other)
            round_send(d->steps.out, d->buf, beside.offset, beside.bytes, peer);
        else
            round_recv(d->steps.out, d->buf, beside.offset, beside.bytes, peer);
    }
}

void doubling_gather(struct doubling *d)
{
    for (int distance = 1; distance < d->s->procs; distance *= 2) {
        exchange(d, distance);
        pass_on(d, distance);
    }
}

static int same_rank(const struct schedule *s, int v)
{
    (void)s;
    return v;
}

static struct part equal_rows(const struct schedule *s, int first, int n, uint64_t row)
{
    const int there = s->procs - first < n ? s->procs - first : n;
    return part_of((uint64_t)first * row, (uint64_t)there * row, 0);
}

static struct part block_rows(const struct schedule *s, int first, int n)
{
    return equal_rows(s, first, n, s->bytes);
}

/* Of all the blocks that a rank gives. */
static struct part long_rows(const struct schedule *s, int first, int n)
{
    return equal_rows(s, first, n, (uint64_t)s->procs * s->bytes);
}

static uint64_t allgather_walk(const struct schedule *s, int rank, uint64_t wanted,
                               struct round *out)
{
    struct doubling d = { s, rank, same_rank, BUF_RECV, block_rows, 1, { 0, wanted, out } };
    doubling_gather(&d);
    return d.steps.n;
}

/* From the rows of all, the blocks for this rank. */
static void unpack(const struct schedule *s, int rank, struct round *out)
{
    const uint64_t m = s->bytes, row = (uint64_t)s->procs * m;
    for (int src = 0; src < s->procs; src++)
        round_copy(out, BUF_RECV, (uint64_t)src * m, BUF_TEMP,
                   (uint64_t)src * row + (uint64_t)rank * m, m);
}

static uint64_t alltoall_walk(const struct schedule *s, int rank, uint64_t wanted,
                              struct round *out)
{
    struct doubling d = { s, rank, same_rank, BUF_TEMP, long_rows, 1, { 0, wanted, out } };
    doubling_gather(&d);
    if (out && d.steps.n == wanted + 1)
        unpack(s, rank, out);
    return d.steps.n;
}

static uint64_t alltoall_temp(const struct schedule *s, int rank)
{
    (void)rank;
    return (uint64_t)s->procs * (uint64_t)s->procs * s->bytes;
}

enum { SMALL = 256 }; /* as the other one of its kind (star_alltoall.c) */

/* Blocks of one size: it finds rows by their number. */
/* clang-format off */
const struct algorithm allgather_doubling_any[] = {
    { .name = "recursive_doubling_any", .group = "messages",
      .walk = allgather_walk,
      .help = "recursive doubling; a rank without a partner gets the missing blocks in its group" },
    { .name = NULL },
};

const struct algorithm alltoall_doubling_any[] = {
    { .name = "recursive_doubling_any", .most_bytes = SMALL, .group = "messages",
      .walk = alltoall_walk, .temp_bytes = alltoall_temp,
      .help = "all blocks go to all ranks by recursive doubling; in groups, to ranks without a "
              "partner" },
    { .name = NULL },
};
/* clang-format on */
