/* SPDX-License-Identifier: BSD-3-Clause */
/* bruck_k.c - all-to-all in few steps with any radix K, the fan-out (Bruck, Ho, Kipnis, Upfal &
 * Weathersby 1997). Block i of a rank is for the rank i to the right. In step x it sends those
 * blocks whose digit x in base K is d, for each d from 1 on in one message, d K^x to the right,
 * and has as many from the left: so each block goes its way digit by digit.
 *
 * TEMP: the blocks that have come in and go further; those of a step, as they come in; those of
 * this step and of the next one, as they go out. */
#include "workloads/schedules/algorithm_rows.h"

static long long power(const struct schedule *s, int step)
{
    long long n = 1;
    for (int i = 0; i < step; i++)
        n *= s->fanout;
    return n;
}

static int steps_of(const struct schedule *s)
{
    int n = 0;
    while (power(s, n) < s->procs)
        n++;
    return n;
}

/* The areas of TEMP, each of P blocks. */
enum area { WAITING, INBOX, OUTBOX, N_AREAS = OUTBOX + 2 };

static uint64_t area_at(const struct schedule *s, int area, int block)
{
    return ((uint64_t)area * (uint64_t)s->procs + (uint64_t)block) * s->bytes;
}

static int outbox(int step)
{
    return OUTBOX + step % 2;
}

static int digit_of(const struct schedule *s, int block, long long place)
{
    return (int)(block / place % s->fanout);
}

/* A block that is to go out in a step stands in SEND still when it has not moved yet. */
static void pack_block(const struct schedule *s, int rank, int step, int block, int nth,
                       struct round *out)
{
    const int moved = block % power(s, step) != 0, dst = rank_after(s, rank, block);
    round_copy(out, BUF_TEMP, area_at(s, outbox(step), nth), moved ? BUF_TEMP : BUF_SEND,
               moved ? area_at(s, WAITING, block) : (uint64_t)dst * s->bytes, s->bytes);
}

/* One that has come in is where it belongs when it has no further digits. */
static void unpack_block(const struct schedule *s, int rank, int step, int block, int nth,
                         struct round *out)
{
    const int waits = block / (power(s, step) * s->fanout) != 0;
    const int src = rank_before(s, rank, block);
    round_copy(out, waits ? BUF_TEMP : BUF_RECV,
               waits ? area_at(s, WAITING, block) : (uint64_t)src * s->bytes, BUF_TEMP,
               area_at(s, INBOX, nth), s->bytes);
}

/* All blocks of a step, by digit. */
static void each_block(const struct schedule *s, int rank, int step,
                       void (*work)(const struct schedule *s, int rank, int step, int block,
                                    int nth, struct round *out),
                       struct round *out)
{
    const long long place = power(s, step);
    int nth = 0;
    for (int d = 1; d < s->fanout && d * place < s->procs; d++)
        for (int block = 0; block < s->procs; block++)
            if (digit_of(s, block, place) == d)
                work(s, rank, step, block, nth++, out);
}

/* Blocks whose digit is d. */
static int count_blocks(const struct schedule *s, long long place, int d)
{
    const long long cycle = place * s->fanout, whole = s->procs / cycle * place;
    const long long rest = s->procs % cycle - d * place;
    return (int)(whole + (rest < 0 ? 0 : rest < place ? rest : place));
}

static void messages(const struct schedule *s, int rank, int step, struct round *out)
{
    const long long place = power(s, step);
    int nth = 0;
    for (int d = 1; d < s->fanout && d * place < s->procs; d++) {
        const int n = count_blocks(s, place, d), far = (int)(d * place);
        const uint64_t bytes = (uint64_t)n * s->bytes;
        round_recv(out, BUF_TEMP, area_at(s, INBOX, nth), bytes, rank_before(s, rank, far));
        round_send(out, BUF_TEMP, area_at(s, outbox(step), nth), bytes, rank_after(s, rank, far));
        nth += n;
    }
}

static uint64_t bruck_rounds(const struct schedule *s, int rank)
{
    (void)rank;
    return 1 + (uint64_t)steps_of(s);
}

/* Round 0 is local; round k is step k - 1. */
static void bruck_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const int step = (int)k - 1;
    if (k == 0) {
        const uint64_t own = (uint64_t)rank * s->bytes;
        round_copy(out, BUF_RECV, own, BUF_SEND, own, s->bytes);
    } else {
        messages(s, rank, step, out);
        each_block(s, rank, step, unpack_block, out);
    }
    if (step + 1 < steps_of(s))
        each_block(s, rank, step + 1, pack_block, out);
}

static uint64_t bruck_temp(const struct schedule *s, int rank)
{
    (void)rank;
    return area_at(s, N_AREAS, 0);
}

/* clang-format off */
const struct algorithm alltoall_bruck_k[] = {
    { .name = "bruck_k", .group = "messages", .default_fanout = 4,
      .min_fanout = 2, .rounds = bruck_rounds, .round = bruck_round, .temp_bytes = bruck_temp,
      .help = "ceil(log_K P) steps of K - 1 messages (fan-out K is the radix, 4 by default)" },
    { .name = NULL },
};

const struct algorithm alltoall_mpich_k_brucks[] = {
    { .name = "mpich_k_brucks", .group = "messages",
      .default_fanout = MPICH_RADIX, .min_fanout = 2, .rounds = bruck_rounds, .round = bruck_round,
      .temp_bytes = bruck_temp,
      .help = "MPICH: the same (fan-out K is the radix, 2 by default)" },
    { .name = NULL },
};
/* clang-format on */
