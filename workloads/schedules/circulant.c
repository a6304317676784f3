/* SPDX-License-Identifier: BSD-3-Clause */
/* circulant.c - broadcast and reduction of n blocks (segments) in n - 1 + ceil(log2 P) rounds, the
 * fewest that there can be (Traeff, Optimal Broadcast Schedules in Logarithmic Time with
 * Applications to Broadcast, All-Broadcast, Reduction and All-Reduction, arXiv 2407.18004, 2024).
 *
 * Ranks are counted from the root. Skips are P halved again and again, rounded up: skip[q] = P, q =
 * ceil(log2 P), down to skip[0] = 1. Rounds come in phases of q. In round k of a phase every rank
 * sends a block to the rank skip[k] after it, and receives one from the rank skip[k] before it.
 * Which block comes in, each rank finds by itself: within a phase it gets one new block, its base
 * block, and of each other block of the phase before the one that some rank not far below it got
 * as its base block. So a rank has every block it is to send, and gets none twice.
 *
 * The reduction is the broadcast backwards: what is sent there comes in here, and is combined. */
#include "workloads/schedules/algorithm_rows.h"

enum { MOST_SKIPS = 33 };

struct skips {
    int procs, n; /* n: q */
};

static struct skips skips_of(int procs)
{
    return (struct skips){ procs, ceil_log2(procs) };
}

/* skip[k], 0 to q: P over 2^(q - k), rounded up, which is the same as halving and rounding up again
 * and again. */
static long long skip_at(const struct skips *s, int k)
{
    const int halvings = s->n - k;
    return (s->procs + (1LL << halvings) - 1) >> halvings;
}

/* A number as a sum of different skips, the largest first: the last of these. 0: q. */
static int base_block(const struct skips *s, long long v)
{
    for (int k = s->n; k >= 0 && v > 0; k--)
        if (skip_at(s, k) <= v && (v -= skip_at(s, k)) == 0)
            return k;
    return s->n;
}

/* ---- which blocks a rank gets in a phase ---- */

/* The blocks come from ranks below v + P, each lower than the one before: in round k from one
 * above v + P - skip[k + 1], up to v + P - skip[k]. They are found on the way through all sums of
 * skips, the largest first; each skip ends one of them, and is left out after that. */
struct search {
    const struct skips *skips;
    long long v, least; /* v + P; the last one that was found */
    uint64_t left;      /* skips */
    int found, wanted, block[MOST_SKIPS];
};

static int next_left(const struct search *w, int below)
{
    const uint64_t rest = w->left & ((1ULL << below) - 1);
    return rest ? 63 - __builtin_clzll(rest) : -1;
}

/* The highest that a block of the next round to be found may come from. */
static long long highest(const struct search *w)
{
    return w->v - skip_at(w->skips, w->found);
}

/* The same of the round after it. */
static long long too_low(const struct search *w)
{
    return w->v - skip_at(w->skips, w->found + 1);
}

static void search_from(struct search *w, long long at, int skip)
{
    for (; skip >= 0 && w->found < w->wanted; skip = next_left(w, skip)) {
        const long long to = at + skip_at(w->skips, skip);
        if (to > highest(w) || to >= w->least)
            continue;
        if (to <= too_low(w))
            search_from(w, to, next_left(w, skip));
        if (w->found == w->wanted || at > too_low(w))
            return;
        w->least = to;
        w->block[w->found++] = skip;
        w->left &= ~(1ULL << skip);
    }
}

/* What v > 0 gets in round k of a phase: its base block, from 0 on, in one of them; in the others a
 * block of the phase before, -q to -1. */
static int block_got(const struct skips *s, int v, int k)
{
    const int base = base_block(s, v), q = s->n;
    struct search w = {
        .skips = s, .v = v + skip_at(s, q), .least = 2 * skip_at(s, q), .wanted = k + 1
    };
    w.left = ((2ULL << q) - 1) & ~(1ULL << base);
    search_from(&w, 0, next_left(&w, q + 1));
    return w.block[k] == q ? base : w.block[k] - q;
}

/* ---- and which goes from a rank to the one skip[k] after it ----
 *
 * Found without a search, but for few (the paper's send schedule): the skips are gone through from
 * the largest on, which takes the sender into a smaller and smaller range of ranks, whose lower and
 * upper parts send different blocks. Where the range ends too early the receiver is asked. */

struct descent {
    const struct skips *skips;
    int base, k;      /* the last skip that was gone through */
    long long v, end; /* within the range, and its end */
    int block, is_known;
};

static struct descent descent_of(const struct skips *s, int v)
{
    const int base = base_block(s, v);
    return (struct descent){ s, base, s->n, v, s->procs, base, 0 };
}

/* Takes the next skip, but the last. */
static void descend(struct descent *d)
{
    const long long skip = skip_at(d->skips, --d->k), below = skip_at(d->skips, d->k - 1);
    if (d->v < skip) {
        d->is_known = d->v + skip < d->end || d->end < below || (d->k == 1 && d->base > 0);
        d->end = d->end < skip ? d->end : skip;
    } else {
        d->block = d->k - d->skips->n;
        d->is_known = d->k == 1 || d->v > skip || d->end - skip < below;
        d->v -= skip;
        d->end -= skip;
    }
}

/* The block of round k of a phase; the receiver is not the root. */
static int block_passed(const struct skips *s, int from, int to, int k)
{
    if (from == 0)
        return k;
    struct descent d = descent_of(s, from);
    if (k == 0)
        return d.base - s->n;
    while (d.k > k)
        descend(&d);
    return d.is_known ? d.block : block_got(s, to, k);
}

/* Those of all rounds of a phase that a rank sends; to the root none that counts. */
static void blocks_sent(const struct skips *s, int v, int block[])
{
    struct descent d = descent_of(s, v);
    block[0] = v ? d.base - s->n : 0;
    for (int k = s->n - 1; k > 0; k--) {
        const long long to = v + skip_at(s, k);
        descend(&d);
        block[k] = v == 0 ? k
                   : d.is_known || to == s->procs
                       ? d.block
                       : block_got(s, (int)(to < s->procs ? to : to - s->procs), k);
    }
}

/* ---- rounds of the broadcast ---- */

/* A rank in the broadcast. Rounds are counted from the first one that moves something on. */
struct relay {
    const struct schedule *s;
    struct skips skips;
    int v;
    uint64_t first, rounds; /* of the first phase so many are left out; all others */
};

static struct relay relay_of(const struct schedule *s, int rank)
{
    struct relay r = { .s = s, .skips = skips_of(s->procs), .v = shifted(s, rank) };
    const uint64_t q = (uint64_t)r.skips.n, over = (s->segments - 1) % q;
    r.rounds = s->segments - 1 + q;
    r.first = over ? q - over : 0;
    return r;
}

/* A round of a phase, and how many rounds came before the phase. */
struct place {
    int k;
    uint64_t before;
};

static struct place place_of(const struct relay *r, uint64_t round)
{
    const uint64_t at = r->first + round, k = at % (uint64_t)r->skips.n;
    return (struct place){ (int)k, at - k };
}

/* The block that a phase's table means; -1: none. */
static long long block_of(const struct relay *r, int entry, const struct place *p)
{
    const long long last = (long long)r->s->segments - 1;
    const long long block = entry + (long long)p->before - (long long)r->first;
    return block < 0 ? -1 : block < last ? block : last;
}

/* Who v deals with in a round: gets from (way -1), sends to (1); counted from the root. */
static int partner(const struct relay *r, const struct place *p, int way)
{
    const int procs = r->s->procs, far = (int)skip_at(&r->skips, p->k);
    const int to = way > 0 ? r->v + far : r->v - far;
    return to < 0 ? to + procs : to < procs ? to : to - procs;
}

/* The block that comes in, and the one that goes out; -1: none. */
static long long comes(const struct relay *r, const struct place *p)
{
    return r->v ? block_of(r, block_passed(&r->skips, partner(r, p, -1), r->v, p->k), p) : -1;
}

static long long goes(const struct relay *r, const struct place *p)
{
    const int to = partner(r, p, 1);
    return to ? block_of(r, block_passed(&r->skips, r->v, to, p->k), p) : -1;
}

static struct part block_at(const struct schedule *s, long long block)
{
    const struct part all = whole(s);
    return segment_of(&all, (uint64_t)block);
}

static uint64_t relay_rounds(const struct schedule *s, int rank)
{
    return relay_of(s, rank).rounds;
}

static void bcast_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const struct relay r = relay_of(s, rank);
    const struct place now = place_of(&r, k);
    const long long in = comes(&r, &now), on = goes(&r, &now);
    if (in >= 0) {
        const struct part p = block_at(s, in);
        round_recv(out, BUF_DATA, p.offset, p.bytes, unshifted(s, partner(&r, &now, -1)));
    }
    if (on >= 0) {
        const struct part p = block_at(s, on);
        round_send(out, BUF_DATA, p.offset, p.bytes, unshifted(s, partner(&r, &now, 1)));
    }
}

/* ---- the same backwards, combining ---- */

/* The sum is made in the result's place at the root, elsewhere in TEMP; what comes in later than
 * the first of a block has its place behind. */
static enum op_buffer sum_at(const struct relay *r)
{
    return r->v ? BUF_TEMP : BUF_RECV;
}

/* Whether the broadcast sends a block on after a round: it does so within a phase. */
static int goes_later(const struct relay *r, const int sent[], struct place at, long long block)
{
    const uint64_t end = r->first + r->rounds;
    for (int i = 0; i < r->skips.n && at.before + (uint64_t)at.k + 1 < end; i++) {
        if (++at.k == r->skips.n)
            at = (struct place){ 0, at.before + (uint64_t)r->skips.n };
        if (block_of(r, sent[at.k], &at) == block && partner(r, &at, 1))
            return 1;
    }
    return 0;
}

static void take(const struct relay *r, const int sent[], const struct place *now, long long block,
                 struct round *out)
{
    const struct part p = block_at(r->s, block);
    const int src = unshifted(r->s, partner(r, now, 1));
    const uint64_t inbox = r->v ? r->s->bytes : 0;
    if (goes_later(r, sent, *now, block)) {
        round_recv(out, BUF_TEMP, inbox, p.bytes, src);
        round_reduce(out, sum_at(r), p.offset, BUF_TEMP, inbox, p.bytes);
    } else {
        round_recv(out, sum_at(r), p.offset, p.bytes, src);
        round_reduce(out, sum_at(r), p.offset, BUF_SEND, p.offset, p.bytes);
    }
}

static void give(const struct relay *r, const int sent[], const struct place *now, long long block,
                 struct round *out)
{
    const struct part p = block_at(r->s, block);
    round_send(out, goes_later(r, sent, *now, block) ? sum_at(r) : BUF_SEND, p.offset, p.bytes,
               unshifted(r->s, partner(r, now, -1)));
}

static void reduce_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const struct relay r = relay_of(s, rank);
    const struct place now = place_of(&r, r.rounds - 1 - k);
    int sent[MOST_SKIPS];
    blocks_sent(&r.skips, r.v, sent);
    const long long in = goes(&r, &now), on = comes(&r, &now);
    if (in >= 0)
        take(&r, sent, &now, in, out);
    if (on >= 0)
        give(&r, sent, &now, on, out);
}

static uint64_t reduce_temp(const struct schedule *s, int rank)
{
    const struct part all = whole(s);
    return all.segment_bytes + (rank == s->root ? 0 : s->bytes);
}

/* clang-format off */
const struct algorithm bcast_circulant[] = {
    { .name = "circulant", .segmented = 1, .group = "steps",
      .rounds = relay_rounds, .round = bcast_round,
      .help = "n segments in n - 1 + ceil(log2 P) rounds, the fewest there can be" },
    { .name = NULL },
};

const struct algorithm reduce_circulant[] = {
    { .name = "circulant", .segmented = 1, .group = "steps",
      .rounds = relay_rounds, .round = reduce_round, .temp_bytes = reduce_temp,
      .help = "n segments in n - 1 + ceil(log2 P) rounds: the broadcast's backwards" },
    { .name = NULL },
};
/* clang-format on */
