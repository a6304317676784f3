/* SPDX-License-Identifier: BSD-3-Clause */
/* doubling_any.c - allgather and all-to-all by recursive doubling among any number of ranks, as
 * MPICH 1's code has it, and SMPI and MVAPICH2 after it (doubling.h): where the libraries' own go
 * another way among other than 2^n ranks.
 *
 * What goes around are rows, one for each rank: its block, or all the blocks that it gives. */
#include "workloads/schedules/doubling.h"
#include "workloads/schedules/parts.h"
#include "workloads/schedules/portable.h"
#include "workloads/schedules/steps.h"

/* A rank on its way, and where rows are kept. */
struct doubling {
    const struct schedule *s;
    int rank;
    enum op_buffer buf;
    uint64_t row; /* bytes */
    struct steps steps;
};

/* The rows of the group of `distance` ranks that this rank is in; the last group may be short. */
static struct part rows_of(const struct doubling *d, int rank, int distance)
{
    const int first = rank & -distance,
              n = first + distance < d->s->procs ? distance : d->s->procs - first;
    return part_of((uint64_t)first * d->row, (uint64_t)n * d->row, 0);
}

/* A rank has had no exchange before its first: it sends its own row from where it is given. */
static void exchange(struct doubling *d, int distance)
{
    const int partner = d->rank ^ distance, is_first = d->steps.n == 0;
    if (partner >= d->s->procs || !steps_next(&d->steps, 0))
        return;
    const struct part give = rows_of(d, d->rank, distance), take = rows_of(d, partner, distance);
    struct round *out = d->steps.out;
    round_recv(out, d->buf, take.offset, take.bytes, partner);
    round_send(out, is_first ? BUF_SEND : d->buf, is_first ? 0 : give.offset, give.bytes, partner);
    if (is_first)
        round_copy(out, d->buf, (uint64_t)d->rank * d->row, BUF_SEND, 0, d->row);
}

static void pass_on(struct doubling *d, int distance)
{
    if (!doubling_informed(d->s->procs, d->rank, distance))
        return;
    for (int half = distance / 2; half > 0; half /= 2) {
        const int peer = doubling_passes_on(d->s->procs, d->rank, distance, half);
        if (peer < 0 || !steps_next(&d->steps, 0))
            continue;
        const struct part beside = rows_of(d, d->rank ^ distance, distance);
        if (d->rank < peer)
            round_send(d->steps.out, d->buf, beside.offset, beside.bytes, peer);
        else
            round_recv(d->steps.out, d->buf, beside.offset, beside.bytes, peer);
    }
}

/* Writes round `wanted` of a rank into out, or counts the rounds when out is NULL. */
static uint64_t walk(const struct schedule *s, int rank, enum op_buffer buf, uint64_t row,
                     uint64_t wanted, struct round *out)
{
    struct doubling d = { s, rank, buf, row, { 0, wanted, out } };
    for (int distance = 1; distance < s->procs; distance *= 2) {
        exchange(&d, distance);
        pass_on(&d, distance);
    }
    return d.steps.n;
}

static uint64_t allgather_walk(const struct schedule *s, int rank, uint64_t wanted,
                               struct round *out)
{
    return walk(s, rank, BUF_RECV, s->bytes, wanted, out);
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
    const uint64_t n = walk(s, rank, BUF_TEMP, (uint64_t)s->procs * s->bytes, wanted, out);
    if (out && n == wanted + 1)
        unpack(s, rank, out);
    return n;
}

static uint64_t alltoall_temp(const struct schedule *s, int rank)
{
    (void)rank;
    return (uint64_t)s->procs * (uint64_t)s->procs * s->bytes;
}

/* Blocks of one size: it finds rows by their number. */
const struct algorithm allgather_recursive_doubling_any = {
    .name = "recursive_doubling_any",
    .collective = "allgather",
    .help = "recursive doubling; who has no partner gets that one's blocks from its own group",
    .group = "messages",
    .walk = allgather_walk,
};

enum { SMALL = 256 }; /* as the other one of its kind (star_alltoall.c) */

const struct algorithm alltoall_recursive_doubling_any = {
    .name = "recursive_doubling_any",
    .collective = "alltoall",
    .help = "all that all give goes to all by recursive doubling; in groups, to who has no partner",
    .most_bytes = SMALL,
    .group = "messages",
    .walk = alltoall_walk,
    .temp_bytes = alltoall_temp,
};
