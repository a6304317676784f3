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
#include "workloads/schedules/parts.h"
#include "workloads/schedules/portable.h"

enum { MOST_SKIPS = 33 };

struct skips {
    int n;                    /* q */
    long long at[MOST_SKIPS]; /* skip[0] ... skip[q] */
};

static struct skips skips_of(int procs)
{
    struct skips s = { .n = ceil_log2(procs) };
    s.at[s.n] = procs;
    for (int k = s.n; k > 0; k--)
        s.at[k - 1] = (s.at[k] + 1) / 2;
    return s;
}

/* A number as a sum of different skips, the largest first: the last of these. 0: q. */
static int base_block(const struct skips *s, long long v)
{
    for (int k = s->n; k >= 0 && v > 0; k--)
        if (s->at[k] <= v && (v -= s->at[k]) == 0)
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
    int found, block[MOST_SKIPS];
};

static int next_left(const struct search *w, int below)
{
    const uint64_t rest = w->left & ((1ULL << below) - 1);
    return rest ? 63 - __builtin_clzll(rest) : -1;
}

/* The highest that a block of the next round to be found may come from. */
static long long highest(const struct search *w)
{
    return w->v - w->skips->at[w->found];
}

/* The same of the round after it. */
static long long too_low(const struct search *w)
{
    return w->v - w->skips->at[w->found + 1];
}

static void search_from(struct search *w, long long at, int skip)
{
    for (; skip >= 0 && w->found < w->skips->n; skip = next_left(w, skip)) {
        const long long to = at + w->skips->at[skip];
        if (to > highest(w) || to >= w->least)
            continue;
        if (to <= too_low(w))
            search_from(w, to, next_left(w, skip));
        if (w->found == w->skips->n || at > too_low(w))
            return;
        w->least = to;
        w->block[w->found++] = skip;
        w->left &= ~(1ULL << skip);
    }
}

/* What v > 0 gets in the rounds of a phase: its base block, from 0 on, in one of them; in the
 * others a block of the phase before, -q to -1. */
static void blocks_got(const struct skips *s, int v, int block[])
{
    const int base = base_block(s, v), q = s->n;
    struct search w = { .skips = s, .v = v + s->at[q], .least = 2 * s->at[q] };
    w.left = ((2ULL << q) - 1) & ~(1ULL << base);
    search_from(&w, 0, next_left(&w, q + 1));
    for (int k = 0; k < q; k++)
        block[k] = w.block[k] == q ? base : w.block[k] - q;
}

/* ---- rounds of the broadcast ---- */

/* A rank in the broadcast. Rounds are counted from the first one that moves something on. */
struct relay {
    const struct schedule *s;
    struct skips skips;
    int v;
    uint64_t first, rounds; /* of the first phase so many are left out; all others */
    int got[MOST_SKIPS];    /* v > 0: by round of a phase */
};

static struct relay relay_of(const struct schedule *s, int rank)
{
    struct relay r = { .s = s, .skips = skips_of(s->procs), .v = shifted(s, rank) };
    const uint64_t q = (uint64_t)r.skips.n;
    r.rounds = s->segments - 1 + q;
    r.first = (q - r.rounds % q) % q;
    if (r.v > 0)
        blocks_got(&r.skips, r.v, r.got);
    return r;
}

/* The block that comes in a round by a phase's table; -1: none. */
static long long block_of(const struct relay *r, const int got[], uint64_t round)
{
    const uint64_t at = r->first + round, q = (uint64_t)r->skips.n;
    const long long last = (long long)r->s->segments - 1;
    const long long block = got[at % q] + (long long)(at / q * q) - (long long)r->first;
    return block < 0 ? -1 : block < last ? block : last;
}

static int skip_of(const struct relay *r, uint64_t round)
{
    return (int)r->skips.at[(r->first + round) % (uint64_t)r->skips.n];
}

/* Who v deals with in a round: gets from (way -1), sends to (1); counted from the root. */
static int partner(const struct relay *r, uint64_t round, int way)
{
    const int procs = r->s->procs, far = skip_of(r, round) % procs;
    return (r->v + (way > 0 ? far : procs - far)) % procs;
}

/* The block that comes in, or goes out, in a round; -1: none. */
static long long comes(const struct relay *r, uint64_t round)
{
    return r->v ? block_of(r, r->got, round) : -1;
}

static long long goes(const struct relay *r, uint64_t round)
{
    const int to = partner(r, round, 1);
    int got[MOST_SKIPS];
    if (to == 0)
        return -1;
    blocks_got(&r->skips, to, got);
    return block_of(r, got, round);
}

static int moves_something(const struct schedule *s)
{
    return s->procs > 1 && s->bytes > 0;
}

static struct part block_at(const struct schedule *s, long long block)
{
    const struct part all = whole(s);
    return segment_of(&all, (uint64_t)block);
}

static uint64_t bcast_rounds(const struct schedule *s, int rank)
{
    return moves_something(s) ? relay_of(s, rank).rounds : 0;
}

static void bcast_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const struct relay r = relay_of(s, rank);
    const long long in = comes(&r, k), on = goes(&r, k);
    if (in >= 0) {
        const struct part p = block_at(s, in);
        round_recv(out, BUF_DATA, p.offset, p.bytes, unshifted(s, partner(&r, k, -1)));
    }
    if (on >= 0) {
        const struct part p = block_at(s, on);
        round_send(out, BUF_DATA, p.offset, p.bytes, unshifted(s, partner(&r, k, 1)));
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
static int goes_later(const struct relay *r, uint64_t round, long long block)
{
    const uint64_t end = round + (uint64_t)r->skips.n;
    for (uint64_t k = round + 1; k <= end && k < r->rounds; k++)
        if (goes(r, k) == block)
            return 1;
    return 0;
}

static void take(const struct relay *r, uint64_t round, long long block, struct round *out)
{
    const struct part p = block_at(r->s, block);
    const int src = unshifted(r->s, partner(r, round, 1));
    const uint64_t inbox = r->v ? r->s->bytes : 0;
    if (goes_later(r, round, block)) {
        round_recv(out, BUF_TEMP, inbox, p.bytes, src);
        round_reduce(out, sum_at(r), p.offset, BUF_TEMP, inbox, p.bytes);
    } else {
        round_recv(out, sum_at(r), p.offset, p.bytes, src);
        round_reduce(out, sum_at(r), p.offset, BUF_SEND, p.offset, p.bytes);
    }
}

static void give(const struct relay *r, uint64_t round, long long block, struct round *out)
{
    const struct part p = block_at(r->s, block);
    round_send(out, goes_later(r, round, block) ? sum_at(r) : BUF_SEND, p.offset, p.bytes,
               unshifted(r->s, partner(r, round, -1)));
}

static uint64_t reduce_rounds(const struct schedule *s, int rank)
{
    return s->bytes == 0 ? 0 : s->procs == 1 ? 1 : relay_of(s, rank).rounds;
}

static void reduce_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (s->procs == 1) {
        round_copy(out, BUF_RECV, 0, BUF_SEND, 0, s->bytes);
        return;
    }
    const struct relay r = relay_of(s, rank);
    const uint64_t round = r.rounds - 1 - k;
    const long long in = goes(&r, round), on = comes(&r, round);
    if (in >= 0)
        take(&r, round, in, out);
    if (on >= 0)
        give(&r, round, on, out);
}

static uint64_t reduce_temp(const struct schedule *s, int rank)
{
    const struct part all = whole(s);
    return moves_something(s) ? all.segment_bytes + (rank == s->root ? 0 : s->bytes) : 0;
}

const struct algorithm bcast_circulant = {
    .name = "circulant",
    .collective = "bcast",
    .help = "n segments in n - 1 + ceil(log2 P) rounds, the fewest there can be",
    .segmented = 1,
    .group = "steps",
    .rounds = bcast_rounds,
    .round = bcast_round,
};

const struct algorithm reduce_circulant = {
    .name = "circulant",
    .collective = "reduce",
    .help = "n segments in n - 1 + ceil(log2 P) rounds: the broadcast's backwards",
    .segmented = 1,
    .group = "steps",
    .rounds = reduce_rounds,
    .round = reduce_round,
    .temp_bytes = reduce_temp,
};
