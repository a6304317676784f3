/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce_scatter.c - reduction of a block for each rank, of which every rank gets its own: of equal
 * blocks, and of different sizes. Buffers: SEND (procs x bytes), a rank's own contribution, which
 * stays as it is, the block for rank r after those of the ranks before it; RECV, the rank's block
 * of the result; TEMP, scratch. Messages are cut between elements.
 *
 * Messages are those of Open MPI 4.1.4 (ompi/mca/coll/base/coll_base_reduce_scatter.c,
 * coll_base_reduce_scatter_block.c), and for mpich_* of MPICH 4.0.2 (src/mpi/coll/reduce_scatter,
 * reduce_scatter_block). A call without an element returns before any algorithm in both: no
 * messages. An empty block is a message where the library sends one. One process copies its
 * contribution. The libraries copy a rank's contribution first and work on the copy; here it is
 * combined where it is, where the order of the operands allows that. */
#include "workloads/schedules/algorithm_rows.h"
#include "workloads/schedules/halving.h"
#include "workloads/schedules/sequence.h"
#include "workloads/schedules/doubling.h"

/* A rank's block: its bytes, and where it stands in SEND. */
static uint64_t block_bytes(const struct schedule *s, int block)
{
    return schedule_block_bytes(s, 0, block);
}

static uint64_t block_at(const struct schedule *s, int block)
{
    return schedule_given_at(s, 0, block);
}

/* ---- linear: every rank sends each rank its block, all at once; what has come is combined in the
 * order of ranks. Ours. ---- */

/* What rank src gave to this one's block. */
static void linear_combine(const struct schedule *s, int rank, int src, struct round *out)
{
    const uint64_t bytes = block_bytes(s, rank);
    const enum op_buffer buf = src == rank ? BUF_SEND : BUF_TEMP;
    const uint64_t at = src == rank ? block_at(s, rank) : (uint64_t)src * bytes;
    if (src == s->procs - 1)
        round_copy(out, BUF_RECV, 0, buf, at, bytes);
    else
        round_reduce(out, BUF_RECV, 0, buf, at, bytes);
}

static void linear_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const uint64_t bytes = block_bytes(s, rank);
    (void)k;
    for (int i = 1; bytes && i < s->procs; i++) {
        const int src = rank_after(s, rank, i);
        round_recv(out, BUF_TEMP, (uint64_t)src * bytes, bytes, src);
    }
    for (int i = 1; i < s->procs; i++) {
        const int dst = rank_before(s, rank, i);
        if (block_bytes(s, dst))
            round_send(out, BUF_SEND, block_at(s, dst), block_bytes(s, dst), dst);
    }
    for (int src = s->procs - 1; bytes && src >= 0; src--)
        linear_combine(s, rank, src, out);
}

static uint64_t linear_temp(const struct schedule *s, int rank)
{
    return (uint64_t)s->procs * block_bytes(s, rank);
}

/* ---- what the others share ---- */

/* Blocks first … end - 1, where they are in SEND. */
static struct part blocks(const struct schedule *s, int first, int end)
{
    const uint64_t at = block_at(s, first);
    return part_of(at, block_at(s, end) - at, 0);
}

static uint64_t all_bytes(const struct schedule *s)
{
    return block_at(s, s->procs);
}

static void take_own(const struct schedule *s, int rank, enum op_buffer buf, uint64_t at,
                     struct round *out)
{
    round_copy(out, BUF_RECV, 0, buf, at + block_at(s, rank), block_bytes(s, rank));
}

/* Scratch for all blocks, or twice. */
static uint64_t once_all(const struct schedule *s, int rank)
{
    (void)rank;
    return all_bytes(s);
}

static uint64_t twice_all(const struct schedule *s, int rank)
{
    return 2 * once_all(s, rank);
}

/* ---- non-overlapping: a reduction of all blocks to rank 0, as the library chooses it, then a
 * scatter. Of blocks that may differ that is the one of its component basic: linear, one blocking
 * send after the other, and nothing for an empty block. ---- */

/* The rank of block n of those that are not empty; *blocks: how many there are up to it, or of all
 * where there is no block n. */
static int nth_taker(const struct schedule *s, uint64_t n, uint64_t *blocks)
{
    int rank = 0;
    *blocks = s->blocks.sizes == SIZES_EQUAL ? (uint64_t)s->procs : 0;
    if (s->blocks.sizes == SIZES_EQUAL)
        return (int)n;
    for (; rank < s->procs && *blocks <= n; rank++)
        *blocks += block_bytes(s, rank) > 0;
    return rank - 1;
}

static void scatter_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    uint64_t blocks;
    const int dst = rank == 0 ? nth_taker(s, k, &blocks) : rank;
    out->phase = SEQUENCE_MOST_PHASES;
    if (rank > 0)
        round_recv(out, BUF_RECV, 0, block_bytes(s, rank), 0);
    else if (dst == 0)
        take_own(s, 0, BUF_TEMP, 0, out);
    else
        round_send(out, BUF_TEMP, block_at(s, dst), block_bytes(s, dst), dst);
}

static uint64_t nonoverlapping_walk(const struct schedule *s, int rank, uint64_t wanted,
                                    struct round *out)
{
    const uint64_t before = sequence_rounds(s, rank);
    uint64_t blocks = block_bytes(s, rank) > 0;
    if (out && wanted < before)
        sequence_round(s, rank, wanted, out);
    else if (out)
        scatter_round(s, rank, wanted - before, out);
    else if (rank == 0)
        nth_taker(s, UINT64_MAX, &blocks);
    return before + blocks;
}

/* ---- ring: block b starts at rank b + 1 and goes to the right; each rank adds its own, rank b the
 * last ---- */

static void ring_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const int left = rank_before(s, rank, 1), given = rank_before(s, left, (int)k);
    const int taken = rank_before(s, given, 1);
    const struct part give = blocks(s, given, given + 1), take = blocks(s, taken, taken + 1);
    const enum op_buffer sum = taken == rank ? BUF_RECV : BUF_TEMP;
    const uint64_t at = taken == rank ? 0 : take.offset;
    round_recv(out, sum, at, take.bytes, left);
    round_send(out, k ? BUF_TEMP : BUF_SEND, give.offset, give.bytes, rank_after(s, rank, 1));
    round_reduce(out, sum, at, BUF_SEND, take.offset, take.bytes);
}

/* ---- pairwise: a rank's own block goes to the result first, as in MPICH; then in step k a rank
 * sends the rank k places after it that one's block, and combines what the rank k places before it
 * sends ---- */

static uint64_t pairwise_rounds(const struct schedule *s, int rank)
{
    (void)rank;
    return (uint64_t)s->procs;
}

static void pairwise_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (k == 0) {
        take_own(s, rank, BUF_SEND, 0, out);
        return;
    }
    const int dst = rank_after(s, rank, (int)k), src = rank_before(s, rank, (int)k);
    const struct part own = blocks(s, rank, rank + 1), give = blocks(s, dst, dst + 1);
    const uint64_t at = k % 2 ? 0 : own.bytes; /* the next one comes in beside it */
    round_recv(out, BUF_TEMP, at, own.bytes, src);
    round_send(out, BUF_SEND, give.offset, give.bytes, dst);
    round_reduce(out, BUF_RECV, 0, BUF_TEMP, at, own.bytes);
}

static uint64_t pairwise_temp(const struct schedule *s, int rank)
{
    return 2 * block_bytes(s, rank);
}

/* ---- what halving and butterfly share: the ranks beyond a power of two are folded into others
 * (halving.h), which then stand for their blocks, too ---- */

/* A rank on its way: its sum and what comes in are in TEMP, all blocks at their places. */
struct walker {
    const struct schedule *s;
    struct fold fold;
    int rank, v;
    int has_own; /* it has but its own contribution, in SEND */
    uint64_t sum, in;
    struct steps steps;
};

static struct walker walker_of(const struct schedule *s, int rank, uint64_t wanted,
                               struct round *out)
{
    struct walker w = { .s = s,
                        .fold = fold_of(s->procs, 1),
                        .rank = rank,
                        .has_own = 1,
                        .in = all_bytes(s),
                        .steps = { 0, wanted, out } };
    w.v = fold_number(&w.fold, rank);
    return w;
}

/* The blocks of the ranks for which v … v + n - 1 stand. */
static struct part blocks_of(const struct walker *w, int v, int n)
{
    return blocks(w->s, fold_first(&w->fold, v), fold_first(&w->fold, v + n));
}

static void send_part(struct walker *w, struct part p, int dst)
{
    if (w->has_own)
        round_send(w->steps.out, BUF_SEND, p.offset, p.bytes, dst);
    else
        round_send(w->steps.out, BUF_TEMP, w->sum + p.offset, p.bytes, dst);
}

/* What came in stands before the sum, and is combined into it. */
static void combine_into_sum(struct walker *w, struct part p)
{
    if (w->has_own)
        round_copy(w->steps.out, BUF_TEMP, w->sum + p.offset, BUF_SEND, p.offset, p.bytes);
    round_reduce(w->steps.out, BUF_TEMP, w->sum + p.offset, BUF_TEMP, w->in + p.offset, p.bytes);
}

/* The sum stands before what came in, and is combined into that. */
static void combine_into_in(struct walker *w, struct part p)
{
    if (w->has_own)
        round_reduce(w->steps.out, BUF_TEMP, w->in + p.offset, BUF_SEND, p.offset, p.bytes);
    else
        round_reduce(w->steps.out, BUF_TEMP, w->in + p.offset, BUF_TEMP, w->sum + p.offset,
                     p.bytes);
}

/* What became of the round in which a part came in. */
static void combine(struct walker *w, struct part p, int sum_first)
{
    if (sum_first)
        combine_into_in(w, p);
    else
        combine_into_sum(w, p);
}

/* Afterwards: the place of what came in is that of the sum. */
static void has_combined(struct walker *w, int sum_first)
{
    const uint64_t in = w->in;
    w->has_own = 0;
    if (!sum_first)
        return;
    w->in = w->sum;
    w->sum = in;
}

/* The even rank of a pair gives the odd one all that it has. */
static void fold_in(struct walker *w, int sum_first)
{
    const struct part all = blocks(w->s, 0, w->s->procs);
    if (!fold_is_paired(&w->fold, w->rank))
        return;
    if (steps_next(&w->steps, 0)) {
        if (w->v < 0) {
            send_part(w, all, fold_twin(w->rank));
        } else {
            round_recv(w->steps.out, BUF_TEMP, w->in, all.bytes, fold_twin(w->rank));
            combine(w, all, sum_first);
        }
    }
    has_combined(w, sum_first);
}

/* Gives the one part for the other, which it combines. */
static void exchange(struct walker *w, int peer, struct part give, struct part keep, int sum_first)
{
    if (steps_next(&w->steps, 1)) {
        round_recv(w->steps.out, BUF_TEMP, w->in + keep.offset, keep.bytes, peer);
        send_part(w, give, peer);
        combine(w, keep, sum_first);
    }
    has_combined(w, sum_first);
}

/* ---- recursive halving: at distance size/2, … 2, 1 two ranks exchange the halves of what they
 * have, so that each keeps the one with its own block; then those that left get theirs. An empty
 * part is not sent. ---- */

static void halve(struct walker *w, int distance)
{
    if (w->s->blocks.sizes == SIZES_EQUAL && steps_pass(&w->steps)) {
        has_combined(w, 1); /* no block is empty */
        return;
    }
    const int partner = w->v ^ distance, peer = fold_rank(&w->fold, partner);
    const struct part keep = blocks_of(w, w->v & -distance, distance);
    const struct part give = blocks_of(w, partner & -distance, distance);
    if (keep.bytes && give.bytes) {
        exchange(w, peer, give, keep, 1);
    } else if (give.bytes) {
        if (steps_next(&w->steps, 1))
            send_part(w, give, peer);
    } else if (keep.bytes) {
        if (steps_next(&w->steps, 1)) {
            round_recv(w->steps.out, BUF_TEMP, w->in + keep.offset, keep.bytes, peer);
            combine(w, keep, 1);
        }
        has_combined(w, 1);
    }
}

static uint64_t halving_walk(const struct schedule *s, int rank, uint64_t wanted, struct round *out)
{
    struct walker w = walker_of(s, rank, wanted, out);
    fold_in(&w, 1);
    for (int distance = w.fold.size / 2; w.v >= 0 && distance > 0; distance /= 2)
        halve(&w, distance);
    if (w.v < 0) {
        if (block_bytes(s, rank) && steps_next(&w.steps, 2))
            round_recv(out, BUF_RECV, 0, block_bytes(s, rank), fold_twin(rank));
    } else if (steps_next(&w.steps, 2)) {
        const int twin = fold_twin(rank);
        if (fold_is_paired(&w.fold, rank) && block_bytes(s, twin))
            send_part(&w, blocks(s, twin, twin + 1), twin);
        take_own(s, rank, w.has_own ? BUF_SEND : BUF_TEMP, w.has_own ? 0 : w.sum, out);
    }
    return w.steps.n;
}

/* ---- butterfly (Träff, EuroPVM/MPI 2005): the like at distance 1, 2, 4 …, which keeps the order
 * of ranks but ends with v holding the block of the v with the bits in reverse order; with that one
 * it exchanges in the end, and a block of a rank that left goes there. Of equal blocks among a
 * power of two of ranks the blocks are turned before, and in the end every rank has its own. ----
 */

static int mirrored(int v, int bits)
{
    int m = 0;
    for (int i = 0; i < bits; i++)
        m |= (v >> i & 1) << (bits - 1 - i);
    return m;
}

/* What v keeps in a step: the first of so many numbers, size >> (step + 1). */
static int kept_from(const struct walker *w, int v, int step)
{
    int first = 0;
    for (int i = 0; i <= step; i++)
        first += v >> i & 1 ? w->fold.size >> (i + 1) : 0;
    return first;
}

/* v has the blocks of its mirror image, and that one has those of v. */
static void exchange_mirrored(struct walker *w)
{
    const int image = mirrored(w->v, w->fold.levels), peer = fold_rank(&w->fold, image);
    const struct part give = blocks(w->s, peer, peer + 1);
    if (image < w->fold.extra && steps_next(&w->steps, 2))
        send_part(w, blocks(w->s, peer - 1, peer), peer - 1);
    if (!steps_next(&w->steps, 2))
        return;
    if (image == w->v) {
        take_own(w->s, w->rank, BUF_TEMP, w->sum, w->steps.out);
        return;
    }
    round_recv(w->steps.out, BUF_RECV, 0, block_bytes(w->s, w->rank), peer);
    send_part(w, give, peer);
}

static uint64_t butterfly_walk(const struct schedule *s, int rank, uint64_t wanted,
                               struct round *out)
{
    struct walker w = walker_of(s, rank, wanted, out);
    fold_in(&w, 0);
    for (int step = 0; w.v >= 0 && step < w.fold.levels; step++) {
        const int partner = w.v ^ (1 << step), n = w.fold.size >> (step + 1);
        if (steps_pass(&w.steps))
            has_combined(&w, w.v < partner);
        else
            exchange(&w, fold_rank(&w.fold, partner),
                     blocks_of(&w, kept_from(&w, partner, step), n),
                     blocks_of(&w, kept_from(&w, w.v, step), n), w.v < partner);
    }
    if (w.v >= 0)
        exchange_mirrored(&w);
    else if (steps_next(&w.steps, 2))
        round_recv(out, BUF_RECV, 0, block_bytes(s, rank),
                   fold_rank(&w.fold, mirrored(rank / 2, w.fold.levels)));
    return w.steps.n;
}

/* Blocks first … first + n - 1 after they were turned: all are equal. */
static struct part turned(const struct schedule *s, int first, int n)
{
    return part_of((uint64_t)first * s->bytes, (uint64_t)n * s->bytes, 0);
}

static uint64_t turned_butterfly_walk(const struct schedule *s, int rank, uint64_t wanted,
                                      struct round *out)
{
    struct walker w = walker_of(s, rank, wanted, out);
    if (steps_next(&w.steps, 0))
        for (int b = 0; b < s->procs; b++)
            round_copy(out, BUF_TEMP, (uint64_t)mirrored(b, w.fold.levels) * s->bytes, BUF_SEND,
                       block_at(s, b), s->bytes);
    w.has_own = 0;
    for (int step = 0; step < w.fold.levels; step++) {
        const int partner = rank ^ (1 << step), n = s->procs >> (step + 1);
        if (steps_pass(&w.steps))
            has_combined(&w, rank < partner);
        else
            exchange(&w, partner, turned(s, kept_from(&w, partner, step), n),
                     turned(s, kept_from(&w, rank, step), n), rank < partner);
    }
    if (steps_next(&w.steps, 1))
        round_copy(out, BUF_RECV, 0, BUF_TEMP,
                   w.sum + turned(s, mirrored(rank, w.fold.levels), 1).offset, s->bytes);
    return w.steps.n;
}

static uint64_t block_butterfly_walk(const struct schedule *s, int rank, uint64_t wanted,
                                     struct round *out)
{
    return s->procs & (s->procs - 1) ? butterfly_walk(s, rank, wanted, out)
                                     : turned_butterfly_walk(s, rank, wanted, out);
}

/* ---- recursive doubling: groups of 1, 2, 4 … ranks exchange with the group beside them all blocks
 * but their own group's. These are consecutive around the ring of all blocks, so that a rank keeps
 * its sum in a line that begins anywhere on that ring. ---- */

struct line {
    uint64_t at;    /* in TEMP */
    uint64_t first; /* its first byte's place in SEND */
    uint64_t bytes;
};

struct doubler {
    const struct schedule *s;
    int rank;
    struct line sum;
    uint64_t in; /* where in TEMP the next one comes in */
    struct steps steps;
};

/* Place b of all blocks, counted from place `from` around the ring. */
static uint64_t around(const struct schedule *s, uint64_t from, uint64_t b)
{
    return (b + all_bytes(s) - from) % all_bytes(s);
}

/* All blocks but those of ranks first … first + n - 1. */
static struct line all_but(const struct schedule *s, int first, int n)
{
    const struct part hole = blocks(s, first, s->procs - first > n ? first + n : s->procs);
    return (struct line){ .first = (hole.offset + hole.bytes) % all_bytes(s),
                          .bytes = all_bytes(s) - hole.bytes };
}

/* Where the line's byte that is at place b of SEND is in TEMP. */
static uint64_t on_line(const struct doubler *d, const struct line *line, uint64_t b)
{
    return line->at + around(d->s, line->first, b);
}

/* The sum with what came in, where both have it. */
static void combine_lines(struct doubler *d, const struct line *in, int sum_first)
{
    for (uint64_t done = 0, n; done < in->bytes; done += n) {
        const uint64_t b = (in->first + done) % all_bytes(d->s);
        const uint64_t along = around(d->s, d->sum.first, b);
        const uint64_t at = in->at + done, sum = d->sum.at + along;
        n = min_u64(in->bytes - done,
                    (along < d->sum.bytes ? d->sum.bytes : all_bytes(d->s)) - along);
        if (along < d->sum.bytes)
            round_reduce(d->steps.out, BUF_TEMP, sum_first ? at : sum, BUF_TEMP,
                         sum_first ? sum : at, n);
    }
}

/* How many rounds a step takes: the exchange, and what is passed on. */
static int doubling_rounds_of(const struct doubler *d, int distance)
{
    int n = (d->rank ^ distance) < d->s->procs;
    for (int half = distance / 2; half > 0; half /= 2)
        n += doubling_passes_on(d->s->procs, d->rank, distance, half) >= 0;
    return n;
}

/* The exchange (half 0), or what is passed on at distance half. */
static void doubling_messages(struct doubler *d, const struct line *in, int distance, int half,
                              int peer)
{
    if (half == 0) {
        const struct line give = all_but(d->s, d->rank & -distance, distance);
        round_recv(d->steps.out, BUF_TEMP, in->at, in->bytes, peer);
        round_send(d->steps.out, BUF_TEMP, on_line(d, &d->sum, give.first), give.bytes, peer);
    } else if (peer > d->rank) {
        round_send(d->steps.out, BUF_TEMP, in->at, in->bytes, peer);
    } else {
        round_recv(d->steps.out, BUF_TEMP, in->at, in->bytes, peer);
    }
}

/* What came in is combined in the last round of the step, when it has been passed on. */
static void doubling_step(struct doubler *d, int distance)
{
    const int beside = (d->rank & -distance) ^ distance, sum_first = beside > d->rank;
    struct line in = all_but(d->s, beside, distance);
    int left = doubling_rounds_of(d, distance);
    in.at = d->in;
    for (int half = distance; left > 0; half /= 2) {
        const int peer = half == distance
                             ? d->rank ^ distance
                             : doubling_passes_on(d->s->procs, d->rank, distance, half);
        if (peer < 0 || peer >= d->s->procs)
            continue;
        left--;
        if (!steps_next(&d->steps, 1))
            continue;
        doubling_messages(d, &in, distance, half == distance ? 0 : half, peer);
        if (left == 0)
            combine_lines(d, &in, sum_first);
    }
    if (!sum_first)
        return;
    d->in = d->sum.at;
    d->sum = in;
}

static uint64_t doubling_walk(const struct schedule *s, int rank, uint64_t wanted,
                              struct round *out)
{
    const uint64_t own = block_at(s, rank), all = all_bytes(s);
    struct doubler d = {
        .s = s, .rank = rank, .sum = { 0, own % all, all }, .in = all, .steps = { 0, wanted, out }
    };
    if (steps_next(&d.steps, 0)) {
        round_copy(out, BUF_TEMP, 0, BUF_SEND, own, all - own);
        if (own)
            round_copy(out, BUF_TEMP, all - own, BUF_SEND, 0, own);
    }
    for (int distance = 1; distance < s->procs; distance *= 2)
        if (((rank & -distance) ^ distance) < s->procs)
            doubling_step(&d, distance);
    if (steps_next(&d.steps, 1))
        round_copy(out, BUF_RECV, 0, BUF_TEMP, on_line(&d, &d.sum, own), block_bytes(s, rank));
    return d.steps.n;
}

/* ---- what runs instead ---- */

static const char *block_halving_substitute(const struct schedule *s)
{
    return s->ordered ? "basic_linear" : NULL;
}

/* Forced among other ranks, or with blocks that differ, MPICH refuses it or ends; unforced it would
 * double. */
static int can_turn(const struct schedule *s)
{
    return (s->procs & (s->procs - 1)) == 0 && s->blocks.sizes == SIZES_EQUAL;
}

static const char *turned_substitute(const struct schedule *s)
{
    return can_turn(s) ? NULL : "mpich_recursive_doubling";
}

/* The buffers of the reduction and of the scatter. */
#define SUMMED                                                                                     \
    {                                                                                              \
        BUF_DATA, BUF_SEND, BUF_TEMP, BUF_TEMP                                                     \
    }
#define SCATTERED                                                                                  \
    {                                                                                              \
        BUF_DATA, BUF_TEMP, BUF_RECV, BUF_TEMP                                                     \
    }

/* Of blocks that may differ, and of equal ones. */
#define LINEAR                                                                                     \
    {                                                                                              \
        .name = "linear",                                                                          \
        .help = "every rank sends each rank its block, which combines them in order (ours)",       \
        .in_order = 1, .rounds = one_round, .round = linear_round, .temp_bytes = linear_temp,      \
    }

#define PAIRWISE                                                                                   \
    {                                                                                              \
        .name = "mpich_pairwise",                                                                  \
        .help = "MPICH: P - 1 steps: each rank sends the rank k after it that one's block",        \
        .rounds = pairwise_rounds, .round = pairwise_round, .temp_bytes = pairwise_temp,           \
    }

#define MPICH_HALVING                                                                              \
    {                                                                                              \
        .name = "mpich_recursive_halving", .help = "MPICH: as recursive_halving",                  \
        .walk = halving_walk, .temp_bytes = twice_all,                                             \
    }

/* clang-format off */
const struct algorithm reduce_scatter_rows[] = {
    LINEAR,
    { .name = "non-overlapping", .in_order = IN_ORDER_IF_ASKED,
      .recipe = &(const struct sequence){ { { WAY_UP, .of_all = 1, .behind = 1,
                .buf = SUMMED } } },
      .prepare = sequence_prepare, .walk = nonoverlapping_walk, .temp_bytes = sequence_temp_bytes,
      .help = "the reduction that the library chooses by itself, then a linear scatter" },
    { .name = "recursive_halving", .walk = halving_walk, .temp_bytes = twice_all,
      .help = "log2 P exchanges of halves, the farthest first; ranks beyond 2^n are folded in" },
    { .name = "ring", .rounds = rounds_to_all, .round = ring_round, .temp_bytes = once_all,
      .help = "P - 1 steps: every block is summed up on its way around the ring" },
    { .name = "butterfly", .in_order = 1, .walk = butterfly_walk, .temp_bytes = twice_all,
      .help = "log2 P exchanges of halves, the nearest first, then with the mirror image" },
    { .name = "mpich_noncommutative", .in_order = 1, .substitute = turned_substitute,
      .sends_empty = 1, .walk = turned_butterfly_walk, .temp_bytes = twice_all,
      .help = "MPICH: butterfly of turned blocks, for 2^n ranks and equal blocks; else doubling" },
    PAIRWISE,
    { .name = "mpich_recursive_doubling", .in_order = 1, .walk = doubling_walk,
      .temp_bytes = twice_all,
      .help = "MPICH: log2 P exchanges of all blocks but the group's own" },
    MPICH_HALVING,
    { .name = NULL },
};

const struct algorithm reduce_scatter_block_rows[] = {
    LINEAR,
    { .name = "basic_linear", .in_order = IN_ORDER_IF_ASKED,
      .recipe = &(const struct sequence){ { { WAY_UP, .of_all = 1, .behind = 1, .buf = SUMMED },
                { WAY_DOWN, .behind = 1, .buf = SCATTERED } } },
      .prepare = sequence_prepare, .rounds = sequence_rounds, .round = sequence_round,
      .temp_bytes = sequence_temp_bytes,
      .help = "the reduction and the scatter that the library chooses by itself" },
    { .name = "recursive_doubling", .in_order = 1, .walk = doubling_walk, .temp_bytes = twice_all,
      .help = "log2 P exchanges of all blocks but the group's own" },
    { .name = "recursive_halving", .substitute = block_halving_substitute, .walk = halving_walk,
      .temp_bytes = twice_all,
      .help = "log2 P exchanges of halves, the farthest first; ranks beyond 2^n are folded in" },
    { .name = "butterfly", .in_order = 1, .walk = block_butterfly_walk, .temp_bytes = twice_all,
      .help = "log2 P exchanges of halves, the nearest first, then with the mirror image" },
    { .name = "mpich_noncommutative", .in_order = 1, .substitute = turned_substitute,
      .walk = turned_butterfly_walk, .temp_bytes = twice_all,
      .help = "MPICH: butterfly of turned blocks, for 2^n ranks; else doubling" },
    PAIRWISE,
    { .name = "mpich_recursive_doubling", .in_order = 1, .walk = doubling_walk,
      .temp_bytes = twice_all,
      .help = "MPICH: as recursive_doubling" },
    MPICH_HALVING,
    { .name = NULL },
};
/* clang-format on */
