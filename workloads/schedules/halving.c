/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/schedules/halving.h"

/* Open MPI: each half again is cut in two, the first rounded down. */
static struct part halved(const struct schedule *s, const struct fold *fold, int v, int halvings)
{
    (void)fold;
    uint64_t from = 0, count = schedule_count(s);
    for (int i = 0; i < halvings; i++) {
        uint64_t half = count / 2;
        from += v >> i & 1 ? half : 0;
        count = v >> i & 1 ? count - half : half;
    }
    return elements(s, from, from + count);
}

/* MPICH: a block for each rank that stays, the first ones an element longer where they are not
 * equal. */
static struct part of_blocks(const struct schedule *s, const struct fold *fold, int v, int halvings)
{
    uint64_t n = (uint64_t)fold->size, first = 0, count = n;
    for (int i = 0; i < halvings; i++) {
        count /= 2;
        first += v >> i & 1 ? count : 0;
    }
    return cut_even(s, first, first + count, n);
}

const struct halving_scheme halving_openmpi = { 0, 1, halved };
const struct halving_scheme halving_mpich_reduce = { 0, 0, of_blocks };
const struct halving_scheme halving_mpich_allreduce = { 1, 0, of_blocks };

struct part halving_window(const struct halving *h, int v, int halvings)
{
    return h->scheme->window(h->s, &h->fold, v, halvings);
}

int halving_is_too_short(const struct schedule *s)
{
    return s->procs < 2 || schedule_count(s) < (uint64_t)fold_of(s->procs, 0).size;
}

struct halving halving_of(const struct schedule *s, int rank, enum op_buffer sum, uint64_t inbox,
                          uint64_t wanted, struct round *out)
{
    const struct halving_scheme *scheme = s->alg->recipe;
    struct halving h = { .s = s,
                         .scheme = scheme,
                         .fold = fold_of(s->procs, scheme->odd_stays),
                         .rank = rank,
                         .sum = sum,
                         .inbox = inbox,
                         .steps = { 0, wanted, out } };
    h.v = fold_number(&h.fold, rank);
    return h;
}

static void send_part(struct halving *h, enum op_buffer buf, struct part p, int dst)
{
    round_send(h->steps.out, buf, p.offset, p.bytes, dst);
}

static void recv_part(struct halving *h, struct part p, int src)
{
    round_recv(h->steps.out, h->sum, p.offset, p.bytes, src);
}

/* What the rank has itself is added to what came in where the sum is made. */
static void add_own(struct halving *h, struct part p)
{
    round_reduce(h->steps.out, h->sum, p.offset, BUF_SEND, p.offset, p.bytes);
}

/* A rank's first exchange: of what it has itself. */
static void exchange_first(struct halving *h, struct part keep, struct part give, int peer)
{
    recv_part(h, keep, peer);
    send_part(h, BUF_SEND, give, peer);
    add_own(h, keep);
}

/* Either combines a half; then who leaves sends its own to who stays. */
static void fold_halves(struct halving *h, int twin)
{
    const struct part left = cut_last(h->s, 0, 1, 2), right = cut_last(h->s, 1, 2, 2);
    const struct part mine = h->v < 0 ? right : left, other = h->v < 0 ? left : right;
    if (steps_next(&h->steps, 0))
        exchange_first(h, mine, other, twin);
    if (!steps_next(&h->steps, 0))
        return;
    if (h->v < 0)
        send_part(h, h->sum, right, twin);
    else
        recv_part(h, right, twin);
}

static void fold_whole(struct halving *h, int twin)
{
    const struct part all = part_of(0, h->s->bytes, 0);
    if (!steps_next(&h->steps, 0))
        return;
    if (h->v < 0) {
        send_part(h, BUF_SEND, all, twin);
    } else {
        recv_part(h, all, twin);
        add_own(h, all);
    }
}

void halving_fold(struct halving *h)
{
    if (!fold_is_paired(&h->fold, h->rank))
        return;
    if (h->scheme->folds_halves)
        fold_halves(h, fold_twin(h->rank));
    else
        fold_whole(h, fold_twin(h->rank));
}

static void halve(struct halving *h, int step)
{
    const int partner = h->v ^ (1 << step), peer = fold_rank(&h->fold, partner);
    if (!steps_next(&h->steps, 1))
        return;
    const struct part keep = halving_window(h, h->v, step + 1);
    const struct part give = halving_window(h, partner, step + 1);
    if (step == 0 && !fold_is_paired(&h->fold, h->rank)) {
        exchange_first(h, keep, give, peer);
        return;
    }
    round_recv(h->steps.out, BUF_TEMP, h->inbox, keep.bytes, peer);
    send_part(h, h->sum, give, peer);
    round_reduce(h->steps.out, h->sum, keep.offset, BUF_TEMP, h->inbox, keep.bytes);
}

void halving_scatter(struct halving *h)
{
    for (int step = 0; h->v >= 0 && step < h->fold.levels; step++)
        halve(h, step);
}
