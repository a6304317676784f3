/* SPDX-License-Identifier: BSD-3-Clause */
/* mpich_allreduce.c - MPICH's ring and its recursive multiplying
 * (src/mpi/coll/allreduce/allreduce_intra_ring.c, 4.2.1; allreduce_intra_recursive_multiplying.c,
 * 5.0). */
#include "workloads/schedules/chain_of_sums.h"
#include "workloads/schedules/algorithm_rows.h"
#include "workloads/schedules/steps.h"

static void copy_own(const struct schedule *s, struct round *out)
{
    round_copy(out, BUF_RECV, 0, BUF_SEND, 0, s->bytes);
}

/* ---- ring: blocks of ceil(count / P) elements, the last ones shorter or empty, are summed up
 * around the ring; block b ends at rank b. The sums go around as in MPICH's ring of an allgatherv:
 * in pieces of at most 32 KiB, and nothing is sent for an empty block. Of no elements empty
 * messages are summed up ---- */

static struct part ring_block(const struct schedule *s, int block)
{
    return cut_up(s->bytes, s->element_bytes, (uint64_t)block, (uint64_t)block + 1,
                  (uint64_t)s->procs);
}

/* Of the first n blocks. */
static uint64_t pieces_before(const struct schedule *s, int n)
{
    const uint64_t size = ring_block(s, 0).bytes, full = s->bytes / size,
                   rest = s->bytes - full * size, blocks = (uint64_t)n;
    uint64_t sum = min_u64(blocks, full) * pieces_of(s, size);
    if (blocks > full)
        sum += pieces_of(s, rest) + blocks - full - 1;
    return sum;
}

/* Of n blocks from that of a rank on downwards, around the ring. */
static uint64_t pieces_in_turn(const struct schedule *s, int rank, int n)
{
    const uint64_t upto = pieces_before(s, rank + 1);
    if (n <= rank + 1)
        return upto - pieces_before(s, rank + 1 - n);
    return upto + pieces_before(s, s->procs) - pieces_before(s, s->procs - (n - rank - 1));
}

/* Piece k of those that a rank passes on; empty where there is none. */
static struct part piece(const struct schedule *s, int rank, uint64_t k)
{
    int least = 0, most = s->procs - 1; /* blocks before it: at least, and too many */
    if (k >= pieces_in_turn(s, rank, s->procs - 1))
        return (struct part){ 0 };
    while (most - least > 1) {
        const int half = least + (most - least) / 2;
        if (pieces_in_turn(s, rank, half) <= k)
            least = half;
        else
            most = half;
    }
    const struct part block = ring_block(s, rank_before(s, rank, least));
    const uint64_t at = (k - pieces_in_turn(s, rank, least)) * piece_bytes(s);
    return part_of(block.offset + at, min_u64(piece_bytes(s), block.bytes - at), 0);
}

static uint64_t ring_pieces(const struct schedule *s, int rank)
{
    const uint64_t sent = pieces_in_turn(s, rank, s->procs - 1),
                   got = pieces_in_turn(s, rank_before(s, rank, 1), s->procs - 1);
    return sent > got ? sent : got;
}

static uint64_t ring_rounds(const struct schedule *s, int rank)
{
    return (uint64_t)(s->procs - 1) + (s->bytes ? ring_pieces(s, rank) : 0);
}

static void ring_combine(const struct schedule *s, int rank, int step, struct round *out)
{
    const int left = rank_before(s, rank, 1);
    const struct part give = ring_block(s, rank_before(s, left, step)),
                      take = ring_block(s, rank_before(s, left, step + 1));
    round_recv(out, BUF_TEMP, 0, take.bytes, left);
    round_send(out, step ? BUF_RECV : BUF_SEND, give.offset, give.bytes, rank_after(s, rank, 1));
    if (step == 0)
        copy_own(s, out);
    round_reduce(out, BUF_RECV, take.offset, BUF_TEMP, 0, take.bytes);
}

static void ring_pass_on(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const int left = rank_before(s, rank, 1);
    const struct part give = piece(s, rank, k), take = piece(s, left, k);
    out->phase = 1;
    if (take.bytes)
        round_recv(out, BUF_RECV, take.offset, take.bytes, left);
    if (give.bytes)
        round_send(out, BUF_RECV, give.offset, give.bytes, rank_after(s, rank, 1));
}

static void ring_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const uint64_t steps = (uint64_t)s->procs - 1;
    if (k < steps)
        ring_combine(s, rank, (int)k, out);
    else
        ring_pass_on(s, rank, k - steps, out);
}

static uint64_t ring_temp(const struct schedule *s, int rank)
{
    (void)rank;
    return ring_block(s, 0).bytes;
}

/* ---- recursive multiplying: the first K^n ranks exchange all they have in groups of K, the
 * nearest first; each rank beyond is folded into the one K^n places before, or so many times ----
 */

struct multiplying {
    const struct schedule *s;
    int members, rank;
    int begun; /* RECV holds what SEND does, and more */
    struct steps steps;
};

static int members_of(const struct schedule *s)
{
    long long members = 1;
    while (members * s->fanout <= s->procs)
        members *= s->fanout;
    return (int)members;
}

static void take_guests(struct multiplying *x, int guests)
{
    const uint64_t m = x->s->bytes;
    struct round *out = x->steps.out;
    if (steps_next(&x->steps, 0)) {
        for (int i = 0; i < guests; i++)
            round_recv(out, BUF_TEMP, (uint64_t)i * m, m, x->rank + (i + 1) * x->members);
        copy_own(x->s, out);
        chain_of_sums(x->s, 0, guests, guests, out);
    }
    x->begun = 1;
}

static void exchange(struct multiplying *x, int distance)
{
    const int k = x->s->fanout, digit = x->rank / distance % k, first = x->rank - digit * distance;
    const uint64_t m = x->s->bytes;
    struct round *out = x->steps.out;
    if (steps_next(&x->steps, 1)) {
        for (int i = 0, slot = 0; i < k; i++)
            if (i != digit) {
                round_send(out, x->begun ? BUF_RECV : BUF_SEND, 0, m, first + i * distance);
                round_recv(out, BUF_TEMP, (uint64_t)slot++ * m, m, first + i * distance);
            }
        if (!x->begun)
            copy_own(x->s, out);
        chain_of_sums(x->s, 0, k - 1, digit, out);
    }
    x->begun = 1;
}

static void return_result(struct multiplying *x, int guests)
{
    const uint64_t m = x->s->bytes;
    const int is_guest = x->rank >= x->members;
    if ((!is_guest && !guests) || !steps_next(&x->steps, 2))
        return;
    if (is_guest)
        round_recv(x->steps.out, BUF_RECV, 0, m, x->rank % x->members);
    for (int i = 0; !is_guest && i < guests; i++)
        round_send(x->steps.out, BUF_RECV, 0, m, x->rank + (i + 1) * x->members);
}

static uint64_t multiplying_walk(const struct schedule *s, int rank, uint64_t wanted,
                                 struct round *out)
{
    struct multiplying x = {
        .s = s, .members = members_of(s), .rank = rank, .steps = { 0, wanted, out }
    };
    const int guests = (x.s->procs - 1 - x.rank) / x.members;
    if (rank >= x.members) {
        if (steps_next(&x.steps, 0))
            round_send(out, BUF_SEND, 0, s->bytes, rank % x.members);
    } else {
        if (guests)
            take_guests(&x, guests);
        for (int distance = 1; distance < x.members; distance *= s->fanout)
            exchange(&x, distance);
    }
    return_result(&x, guests);
    return x.steps.n;
}

static uint64_t multiplying_temp(const struct schedule *s, int rank)
{
    (void)rank;
    return (uint64_t)(s->fanout - 1) * s->bytes;
}

/* clang-format off */
const struct algorithm allreduce_mpich_ring[] = {
    { .name = "mpich_ring", .sends_empty = 1, .rounds = ring_rounds, .round = ring_round,
      .temp_bytes = ring_temp,
      .help = "MPICH: blocks are summed up around the ring, then go around in pieces" },
    { .name = NULL },
};

const struct algorithm allreduce_mpich_multiplying[] = {
    { .name = "mpich_recursive_multiplying", .group = "messages",
      .default_fanout = MPICH_RADIX, .min_fanout = 2, .sends_empty = 1, .walk = multiplying_walk,
      .temp_bytes = multiplying_temp,
      .help = "MPICH: log_K P exchanges of the whole message among K ranks (fan-out K, 2 by "
              "default)" },
    { .name = NULL },
};
/* clang-format on */
