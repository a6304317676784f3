/* SPDX-License-Identifier: BSD-3-Clause */
/* recexch.c - MPICH's recursive exchange with a radix K, the fan-out, and what it makes of it: a
 * barrier, two all-reductions and two allgathers (src/mpi/coll/algorithms/recexchalgo and the files
 * named *_recexch.c and *_k_reduce_scatter_allgather.c, 4.2.1).
 *
 * The largest K^n of the ranks are members, v = 0, 1 ... in the order of ranks; a rank that is none
 * is a guest of the member behind it. Guests give what they have to their member before, and get
 * the result after. In phase p a member exchanges with the K - 1 members whose number differs from
 * its own in digit p alone. */
#include "workloads/schedules/chain_of_sums.h"
#include "workloads/schedules/algorithm_rows.h"
#include "workloads/schedules/steps.h"

struct exchange {
    const struct schedule *s;
    int k, members, phases;
    int guests; /* ranks that are no members */
    int whole;  /* members with K - 1 guests each: the first ones */
    int border; /* the ranks below it are these members and all guests */
    int rank;
    int v;     /* the member that the rank is; -1: it is a guest */
    int own;   /* guests of its */
    int begun; /* RECV holds what SEND does, and more */
    struct steps steps;
};

static struct exchange exchange_among(const struct schedule *s)
{
    const int clipped = s->fanout < s->procs ? s->fanout : s->procs;
    struct exchange x = { .s = s, .k = clipped > 2 ? clipped : 2, .members = 1 };
    for (; (long long)x.members * x.k <= s->procs; x.phases++)
        x.members *= x.k;
    x.guests = s->procs - x.members;
    x.whole = x.guests / (x.k - 1);
    x.border = (int)((long long)x.guests * x.k / (x.k - 1));
    return x;
}

static int rank_of(const struct exchange *x, int v)
{
    return v < x->whole ? v * x->k + x->k - 1 : v + x->guests;
}

static struct exchange exchange_of(const struct schedule *s, int rank, uint64_t wanted,
                                   struct round *out)
{
    struct exchange x = exchange_among(s);
    x.rank = rank;
    x.steps = (struct steps){ 0, wanted, out };
    if (rank < x.border && rank % x.k != x.k - 1) {
        x.v = -1;
        return x;
    }
    x.v = rank < x.border ? rank / x.k : rank - x.guests;
    x.own = rank < x.border ? x.k - 1 : rank == x.border ? x.border % x.k : 0;
    return x;
}

/* Of a guest. */
static int host_of(const struct exchange *x)
{
    const int host = x->rank + x->k - 1 - x->rank % x->k;
    return host < x->border ? host : x->border;
}

/* K^n. */
static int power(const struct exchange *x, int n)
{
    int power = 1;
    while (n-- > 0)
        power *= x->k;
    return power;
}

static int digit_of(const struct exchange *x, int v, int phase)
{
    return v / power(x, phase) % x->k;
}

/* Member i of those that v exchanges with, by number. */
static int peer_of(const struct exchange *x, int v, int phase, int i)
{
    const int digit = digit_of(x, v, phase), other = i < digit ? i : i + 1;
    return v + (other - digit) * power(x, phase);
}

/* The number whose digits are those of v the other way around. */
static int reverse(const struct exchange *x, int v)
{
    int reversed = 0;
    for (int i = 0; i < x->phases; i++, v /= x->k)
        reversed = reversed * x->k + v % x->k;
    return reversed;
}

/* ---- what each rank has, exchanged whole: barrier, allreduce ---- */

static uint64_t barrier_walk(const struct schedule *s, int rank, uint64_t wanted, struct round *out)
{
    struct exchange x = exchange_of(s, rank, wanted, out);
    if (x.v < 0 && steps_next(&x.steps, 0))
        round_send(out, BUF_DATA, 0, 0, host_of(&x));
    if (x.own && steps_next(&x.steps, 0))
        for (int i = 0; i < x.own; i++)
            round_recv(out, BUF_DATA, 0, 0, rank - 1 - i);
    for (int phase = 0; x.v >= 0 && phase < x.phases; phase++) {
        if (!steps_next(&x.steps, 1))
            continue;
        for (int i = 0; i < x.k - 1; i++)
            round_recv(out, BUF_DATA, 0, 0, rank_of(&x, peer_of(&x, x.v, phase, i)));
        for (int i = 0; i < x.k - 1; i++)
            round_send(out, BUF_DATA, 0, 0, rank_of(&x, peer_of(&x, x.v, phase, i)));
    }
    if (x.v < 0 && steps_next(&x.steps, 2))
        round_recv(out, BUF_DATA, 0, 0, host_of(&x));
    if (x.own && steps_next(&x.steps, 2))
        for (int i = 0; i < x.own; i++)
            round_send(out, BUF_DATA, 0, 0, rank - 1 - i);
    return x.steps.n;
}

static uint64_t slot(const struct exchange *x, int i)
{
    return (uint64_t)i * x->s->bytes;
}

/* What the rank has so far. */
static enum op_buffer held(const struct exchange *x)
{
    return x->begun ? BUF_RECV : BUF_SEND;
}

/* Behind the messages of a rank's first round. */
static void begin(const struct exchange *x, struct round *out)
{
    if (!x->begun)
        round_copy(out, BUF_RECV, 0, BUF_SEND, 0, x->s->bytes);
}

/* The contributions of the guests, each into a slot, the nearest first: each stands before it. */
static void take_guests(struct exchange *x)
{
    const uint64_t m = x->s->bytes;
    struct round *out = x->steps.out;
    if (steps_next(&x->steps, 0)) {
        for (int i = 0; i < x->own; i++)
            round_recv(out, BUF_TEMP, slot(x, i), m, x->rank - 1 - i);
        begin(x, out);
        for (int i = 0; i < x->own; i++)
            round_reduce(out, BUF_RECV, 0, BUF_TEMP, slot(x, i), m);
    }
    x->begun = 1;
}

/* Two sets of slots: what comes in a phase may come in the one before. */
static void exchange_sums(struct exchange *x, int phase)
{
    const uint64_t m = x->s->bytes;
    const int first = phase % 2 * (x->k - 1);
    struct round *out = x->steps.out;
    if (steps_next(&x->steps, 1)) {
        for (int i = 0; i < x->k - 1; i++)
            round_recv(out, BUF_TEMP, slot(x, first + i), m,
                       rank_of(x, peer_of(x, x->v, phase, i)));
        for (int i = 0; i < x->k - 1; i++)
            round_send(out, held(x), 0, m, rank_of(x, peer_of(x, x->v, phase, i)));
        begin(x, out);
        chain_of_sums(x->s, first, x->k - 1, digit_of(x, x->v, phase), out);
    }
    x->begun = 1;
}

/* A guest's contribution goes to its member, and the result comes from there. */
static void visit(struct exchange *x)
{
    if (steps_next(&x->steps, 0))
        round_send(x->steps.out, BUF_SEND, 0, x->s->bytes, host_of(x));
}

static void return_result(struct exchange *x, uint64_t bytes, int phase)
{
    if ((x->v >= 0 && !x->own) || !steps_next(&x->steps, phase))
        return;
    if (x->v < 0)
        round_recv(x->steps.out, BUF_RECV, 0, bytes, host_of(x));
    for (int i = 0; i < x->own; i++)
        round_send(x->steps.out, BUF_RECV, 0, bytes, x->rank - 1 - i);
}

static uint64_t allreduce_walk(const struct schedule *s, int rank, uint64_t wanted,
                               struct round *out)
{
    struct exchange x = exchange_of(s, rank, wanted, out);
    if (x.v < 0)
        visit(&x);
    if (x.own)
        take_guests(&x);
    for (int phase = 0; x.v >= 0 && phase < x.phases; phase++)
        exchange_sums(&x, phase);
    return_result(&x, s->bytes, 2);
    return x.steps.n;
}

static uint64_t allreduce_temp(const struct schedule *s, int rank)
{
    (void)rank;
    const struct exchange x = exchange_among(s);
    return 2 * (uint64_t)(x.k - 1) * s->bytes;
}

/* ---- reduce-scatter by the exchange, the nearest members first, then an allgather the same way
 * back: the message is cut into a block for each member, the last one with what is left over. Block
 * u is that of the member whose digits are those of u the other way around ---- */

/* The blocks of K^level members that block u is of. */
static struct part blocks_about(const struct exchange *x, int u, int level)
{
    const int group = power(x, level), first = u / group * group;
    return cut_last(x->s, (uint64_t)first, (uint64_t)(first + group), (uint64_t)x->members);
}

/* Guests come one after the other. */
static void take_each_guest(struct exchange *x)
{
    const uint64_t m = x->s->bytes;
    for (int i = 0; i < x->own; i++) {
        if (steps_next(&x->steps, 0)) {
            round_recv(x->steps.out, BUF_TEMP, 0, m, x->rank - 1 - i);
            begin(x, x->steps.out);
            round_reduce(x->steps.out, BUF_RECV, 0, BUF_TEMP, 0, m);
        }
        x->begun = 1;
    }
}

static void exchange_parts(struct exchange *x, int phase, int i)
{
    const int level = x->phases - 1 - phase, peer = peer_of(x, x->v, phase, i);
    struct round *out = x->steps.out;
    if (steps_next(&x->steps, 1)) {
        const struct part give = blocks_about(x, reverse(x, peer), level),
                          take = blocks_about(x, reverse(x, x->v), level);
        round_recv(out, BUF_TEMP, take.offset, take.bytes, rank_of(x, peer));
        round_send(out, held(x), give.offset, give.bytes, rank_of(x, peer));
        begin(x, out);
        round_reduce(out, BUF_RECV, take.offset, BUF_TEMP, take.offset, take.bytes);
    }
    x->begun = 1;
}

static void gather_parts(struct exchange *x, int level)
{
    const int phase = x->phases - 1 - level;
    if (!steps_next(&x->steps, 2))
        return;
    for (int i = 0; i < x->k - 1; i++) {
        const int peer = peer_of(x, x->v, phase, i);
        const struct part take = blocks_about(x, reverse(x, peer), level);
        round_recv(x->steps.out, BUF_RECV, take.offset, take.bytes, rank_of(x, peer));
    }
    const struct part give = blocks_about(x, reverse(x, x->v), level);
    for (int i = 0; i < x->k - 1; i++)
        round_send(x->steps.out, BUF_RECV, give.offset, give.bytes,
                   rank_of(x, peer_of(x, x->v, phase, i)));
}

static uint64_t scatter_walk(const struct schedule *s, int rank, uint64_t wanted, struct round *out)
{
    struct exchange x = exchange_of(s, rank, wanted, out);
    if (x.v < 0)
        visit(&x);
    take_each_guest(&x);
    for (int phase = 0; x.v >= 0 && phase < x.phases; phase++)
        for (int i = 0; i < x.k - 1; i++)
            exchange_parts(&x, phase, i);
    for (int level = 0; x.v >= 0 && level < x.phases; level++)
        gather_parts(&x, level);
    return_result(&x, s->bytes, 3);
    return x.steps.n;
}

/* ---- allgather: a member has its own block and those of its guests, consecutive ones, so that
 * what K^n members have is, too. Doubling: the nearest members first. Halving: the farthest first,
 * after each member has exchanged what it has with the one whose digits are its own the other way
 * around ---- */

/* Bytes of RECV that the K^level members have together that u is of. */
static struct part rows_about(const struct exchange *x, int u, int level)
{
    const int group = power(x, level), first = u / group * group;
    const int from = first ? rank_of(x, first - 1) + 1 : 0, to = rank_of(x, first + group - 1) + 1;
    return part_of((uint64_t)from * x->s->bytes, (uint64_t)(to - from) * x->s->bytes, 0);
}

/* A member's own block, behind its first messages. */
static void keep_own(struct exchange *x)
{
    if (!x->begun)
        round_copy(x->steps.out, BUF_RECV, (uint64_t)x->rank * x->s->bytes, BUF_SEND, 0,
                   x->s->bytes);
}

static void take_blocks(struct exchange *x)
{
    if (steps_next(&x->steps, 0)) {
        for (int i = 0; i < x->own; i++)
            round_recv(x->steps.out, BUF_RECV, (uint64_t)(x->rank - 1 - i) * x->s->bytes,
                       x->s->bytes, x->rank - 1 - i);
        keep_own(x);
    }
    x->begun = 1;
}

/* Rows go out from where they are given where the rank has no others. */
static void give_rows(struct exchange *x, int u, int level, int peer)
{
    const struct part give = rows_about(x, u, level);
    round_send(x->steps.out, held(x), x->begun ? give.offset : 0, give.bytes, rank_of(x, peer));
}

static void take_rows(struct exchange *x, int u, int level, int peer)
{
    const struct part take = rows_about(x, u, level);
    round_recv(x->steps.out, BUF_RECV, take.offset, take.bytes, rank_of(x, peer));
}

static void change_places(struct exchange *x)
{
    const int other = reverse(x, x->v);
    if (other == x->v)
        return;
    if (steps_next(&x->steps, 1)) {
        take_rows(x, other, 0, other);
        give_rows(x, x->v, 0, other);
        keep_own(x);
    }
    x->begun = 1;
}

static void exchange_rows(struct exchange *x, int level, int halving)
{
    const int phase = halving ? x->phases - 1 - level : level;
    if (steps_next(&x->steps, 1)) {
        for (int i = 0; i < x->k - 1; i++) {
            const int peer = peer_of(x, x->v, phase, i);
            take_rows(x, halving ? reverse(x, peer) : peer, level, peer);
        }
        for (int i = 0; i < x->k - 1; i++)
            give_rows(x, halving ? reverse(x, x->v) : x->v, level, peer_of(x, x->v, phase, i));
        keep_own(x);
    }
    x->begun = 1;
}

static uint64_t gathered(const struct schedule *s, int halving, int rank, uint64_t wanted,
                         struct round *out)
{
    struct exchange x = exchange_of(s, rank, wanted, out);
    if (x.v < 0)
        visit(&x);
    if (x.own)
        take_blocks(&x);
    if (halving && x.v >= 0)
        change_places(&x);
    for (int level = 0; x.v >= 0 && level < x.phases; level++)
        exchange_rows(&x, level, halving);
    return_result(&x, (uint64_t)s->procs * s->bytes, 2);
    return x.steps.n;
}

static uint64_t doubling_walk(const struct schedule *s, int rank, uint64_t wanted,
                              struct round *out)
{
    return gathered(s, 0, rank, wanted, out);
}

static uint64_t halving_walk(const struct schedule *s, int rank, uint64_t wanted, struct round *out)
{
    return gathered(s, 1, rank, wanted, out);
}

/* clang-format off */
const struct algorithm barrier_recexch[] = {
    { .name = "mpich_recexch", .group = "messages",
      .default_fanout = MPICH_RADIX, .min_fanout = 2, .walk = barrier_walk,
      .help = "MPICH: exchanges among K ranks (fan-out K, 2 by default); others are folded in" },
    { .name = NULL },
};

const struct algorithm allreduce_recexch[] = {
    { .name = "mpich_recexch", .group = "messages",
      .default_fanout = MPICH_RADIX, .min_fanout = 2, .in_order = 1, .sends_empty = 1,
      .walk = allreduce_walk, .temp_bytes = allreduce_temp,
      .help = "MPICH: log_K P exchanges of the whole message among K ranks (fan-out K, 2 by "
              "default)" },
    { .name = NULL },
};

const struct algorithm allreduce_recexch_scatter[] = {
    { .name = "mpich_k_reduce_scatter_allgather", .default_fanout = MPICH_RADIX, .min_fanout = 2,
      .sends_empty = 1, .walk = scatter_walk, .temp_bytes = temp_of_message,
      .help = "MPICH: as rabenseifner, with exchanges among K ranks (fan-out K, 2 by default)" },
    { .name = NULL },
};

const struct algorithm allgather_recexch[] = {
    { .name = "mpich_recexch_doubling", .group = "messages",
      .default_fanout = MPICH_RADIX, .min_fanout = 2, .walk = doubling_walk,
      .help = "MPICH: log_K P exchanges among K ranks, the nearest first (fan-out K, 2 by "
              "default)" },
    { .name = "mpich_recexch_halving", .group = "messages",
      .default_fanout = MPICH_RADIX, .min_fanout = 2, .walk = halving_walk,
      .help = "MPICH: the same, the farthest first, after ranks have changed places" },
    { .name = NULL },
};
/* clang-format on */
