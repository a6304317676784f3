/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/schedules/recipe.h"

#include "workloads/schedules/parts.h"

uint64_t border_of_messages(const struct schedule *s, int i)
{
    return (uint64_t)i * s->bytes;
}

int members_two_to_n(const struct schedule *s)
{
    return 1 << floor_log2((unsigned)s->procs);
}

/* A rank in a part of its recipe. */
struct cook {
    const struct recipe *recipe;
    const struct recipe_part *part;
    struct team team;
    int rank, v;         /* v: -1 where it is folded */
    struct vector where; /* the vector */
    uint64_t inbox;      /* in TEMP, behind the vector */
    int own;             /* what it has is in SEND alone */
};

static uint64_t all_bytes(const struct cook *c)
{
    return team_border(&c->team, c->team.procs);
}

static struct cook begin(const struct schedule *s, int rank)
{
    const struct recipe *r = s->alg->recipe;
    const int root = s->collective->rooted ? s->root : 0;
    struct cook c = { .recipe = r, .rank = rank, .where = { r->vector, 0 } };
    if (r->vector == BUF_RECV && s->collective->recv.root_only && rank != s->root)
        c.where.buf = BUF_TEMP;
    c.team =
        r->members ? team_folded(s, root, r->members(s), r->border) : team_all(s, root, r->border);
    c.v = team_member(&c.team, rank);
    c.inbox = c.where.buf == BUF_TEMP ? all_bytes(&c) : 0;
    return c;
}

/* It is folded into another, or another into it. */
static int is_in_a_fold(const struct cook *c)
{
    return c->v < c->team.folded;
}

static int folds_first(enum recipe_kind kind)
{
    return kind == RECIPE_FOLD_BLOCK || kind == RECIPE_FOLD_SUM;
}

static void set_part(struct cook *c, int i)
{
    c->part = &c->recipe->parts[i];
    c->own = i == 0 || (i == 1 && folds_first(c->recipe->parts[0].kind) && !is_in_a_fold(c));
}

static uint64_t paced(const struct cook *c, int steps)
{
    return (uint64_t)steps + (uint64_t)(steps - 1) * (uint64_t)pace_rounds(&c->team, c->part->pace);
}

/* A step before the first one: turned vectors are copied beforehand. */
static int copies_first(const struct cook *c)
{
    return c->own && c->part->pattern->turned;
}

static int tree_child(const struct cook *c, int i)
{
    return c->part->tree->tree->child(c->team.procs, 0, c->v, i);
}

static struct run blocks_below(const struct cook *c, int v)
{
    struct run run = { .stride = 1 };
    run.count = c->part->tree->below(c->team.procs, 0, v, &run.first);
    return run;
}

static uint64_t part_rounds(const struct cook *c)
{
    const int steps = c->part->pattern ? c->part->pattern->steps(&c->team) : 0;
    switch (c->part->kind) {
    case RECIPE_GATHER:
    case RECIPE_EXCHANGE:
    case RECIPE_EXCHANGE_SUM:
        return c->v < 0 ? 0 : paced(c, steps);
    case RECIPE_REDUCE:
        return c->v < 0 ? 0 : (uint64_t)(steps + copies_first(c));
    case RECIPE_DOUBLE:
        return c->v < 0 ? 0 : (uint64_t)(c->own ? steps : steps + steps % 2);
    case RECIPE_DOWN:
    case RECIPE_UP:
        return c->v < 0 ? 0 : (uint64_t)((c->v > 0) + (tree_child(c, 0) >= 0));
    case RECIPE_TURN:
    case RECIPE_COMBINE:
    case RECIPE_UNFOLD_BLOCK:
        return 1;
    case RECIPE_FOLD_BLOCK:
    case RECIPE_FOLD_SUM:
    case RECIPE_UNFOLD_ALL:
        return (uint64_t)is_in_a_fold(c);
    default:
        return 0;
    }
}

uint64_t recipe_rounds(const struct schedule *s, int rank)
{
    struct cook c = begin(s, rank);
    uint64_t n = 0;
    for (int i = 0; c.recipe->parts[i].kind; i++) {
        set_part(&c, i);
        n += part_rounds(&c);
    }
    return n;
}

/* What came from a rank, whole or a block of it, goes to a place of the result, the last rank's
 * first. */
static void combine_one(const struct cook *c, int src, struct vector into, struct vector from,
                        uint64_t bytes, struct round *out)
{
    if (src == c->team.procs - 1)
        round_copy(out, into.buf, into.at, from.buf, from.at, bytes);
    else
        round_reduce(out, into.buf, into.at, from.buf, from.at, bytes);
}

/* The blocks that came from all, its own from SEND. */
static void combine_blocks(const struct cook *c, struct round *out)
{
    const uint64_t at = team_border(&c->team, c->v), bytes = team_span(&c->team, c->v, 1);
    for (int src = c->team.procs - 1; src >= 0; src--) {
        const struct vector came = { BUF_TEMP, c->inbox + (uint64_t)src * bytes };
        const struct vector own = { BUF_SEND, at };
        combine_one(c, src, (struct vector){ c->where.buf, c->where.at + at },
                    src == c->v ? own : came, bytes, out);
    }
}

/* The messages of all, gathered by a pattern. */
static void combine_messages(const struct cook *c, struct round *out)
{
    for (int src = c->team.procs - 1; src >= 0; src--) {
        const uint64_t place = spread_place(&c->team, c->part->pattern, c->v, src);
        combine_one(c, src, (struct vector){ BUF_RECV, 0 },
                    (struct vector){ c->where.buf, c->where.at + place }, c->team.s->bytes, out);
    }
}

static void take(const struct cook *c, int src, struct round *out)
{
    const uint64_t part = team_span(&c->team, c->v, 1);
    if (c->part->kind == RECIPE_EXCHANGE_SUM)
        round_recv(out, BUF_TEMP, c->inbox + (uint64_t)src * part, part, src);
    else
        recv_block(c->team.s, c->rank, src, out);
}

static void give(const struct cook *c, int dst, struct round *out)
{
    if (c->part->kind == RECIPE_EXCHANGE_SUM)
        round_send(out, BUF_SEND, team_border(&c->team, dst), team_span(&c->team, dst, 1), dst);
    else
        send_block(c->team.s, c->rank, dst, out);
}

/* Ranks are members here: nobody is folded, and nobody is the root. */
static void exchange(const struct cook *c, int step, struct round *out)
{
    const struct pattern *p = c->part->pattern;
    for (int i = 0, src; (src = p->peer(&c->team, c->v, step, i, -1)) != PEER_END; i++)
        if (src != PEER_NONE)
            take(c, src, out);
    for (int i = 0, dst; (dst = p->peer(&c->team, c->v, step, i, 1)) != PEER_END; i++)
        if (dst != PEER_NONE)
            give(c, dst, out);
    if (c->part->kind == RECIPE_EXCHANGE && step == 0)
        keep_block(c->team.s, c->rank, out);
    if (c->part->kind == RECIPE_EXCHANGE_SUM && step + 1 == p->steps(&c->team))
        combine_blocks(c, out);
}

/* Where the sum is after a step (-1: before the first): by turns in the inbox and where it belongs,
 * since what is sent may not be written in the same round. Where the vector starts in SEND, the
 * turns are such that the last step ends where it belongs; otherwise an odd number of steps ends in
 * the inbox, and a round more copies it. */
static struct vector sum_after(const struct cook *c, int step)
{
    const struct vector inbox = { BUF_TEMP, c->inbox };
    const int left = c->part->pattern->steps(&c->team) - 1 - step;
    if (step < 0)
        return c->own ? (struct vector){ BUF_SEND, 0 } : c->where;
    return (c->own ? left % 2 : step % 2 == 0) ? inbox : c->where;
}

/* What comes from the peers of a step. All members of a line combine from its last one down to its
 * first, so that all get the same bits. Peers come the next lower one first, around the end: those
 * from `above` on stand before the member in that order, the others behind it. The first peer in
 * that order comes to where the sum is made, the others each to a place behind it. */
struct incoming {
    int n, above, first;
};

static struct incoming incoming_of(const struct cook *c, int step)
{
    const struct pattern *p = c->part->pattern;
    struct incoming in = { 0 };
    for (int v; (v = p->peer(&c->team, c->v, step, in.n, -1)) != PEER_END; in.n++)
        in.above += v < c->v && in.above == in.n;
    in.first = in.above < in.n ? in.above : 0;
    return in;
}

static struct vector place_of(const struct cook *c, const struct incoming *in, int i,
                              struct vector into)
{
    const uint64_t place = (uint64_t)(i < in->first ? i + 1 : i);
    return i == in->first ? into : (struct vector){ BUF_TEMP, c->inbox + place * all_bytes(c) };
}

static void add_peers(const struct cook *c, const struct incoming *in, int from, int to,
                      struct vector into, struct round *out)
{
    for (int i = from; i < to; i++) {
        const struct vector came = place_of(c, in, i, into);
        if (i != in->first)
            round_reduce(out, into.buf, into.at, came.buf, came.at, all_bytes(c));
    }
}

/* A step of RECIPE_DOUBLE, or, one step behind the last, the copy to where the sum belongs. */
static void double_up(const struct cook *c, int step, struct round *out)
{
    const struct pattern *p = c->part->pattern;
    const struct vector from = sum_after(c, step - 1), into = sum_after(c, step);
    const uint64_t all = all_bytes(c);
    if (step == p->steps(&c->team)) {
        round_copy(out, c->where.buf, c->where.at, from.buf, from.at, all);
        return;
    }
    const struct incoming in = incoming_of(c, step);
    for (int i = 0; i < in.n; i++) {
        const struct vector to = place_of(c, &in, i, into);
        round_recv(out, to.buf, to.at, all,
                   team_rank(&c->team, p->peer(&c->team, c->v, step, i, -1)));
    }
    for (int i = 0, v; (v = p->peer(&c->team, c->v, step, i, 1)) != PEER_END; i++)
        round_send(out, from.buf, from.at, all, team_rank(&c->team, v));
    add_peers(c, &in, in.above, in.n, into, out);
    round_reduce(out, into.buf, into.at, from.buf, from.at, all);
    add_peers(c, &in, 0, in.above, into, out);
}

static void fold(const struct cook *c, struct round *out)
{
    const struct team *t = &c->team;
    const int sums = c->part->kind == RECIPE_FOLD_SUM;
    const uint64_t all = all_bytes(c), own = schedule_block_bytes(t->s, c->rank, c->rank);
    const int other = team_other_rank(t, c->rank);
    if (c->v < 0) {
        round_send(out, BUF_SEND, 0, sums ? all : own, other);
    } else if (sums) {
        round_recv(out, BUF_TEMP, c->inbox, all, other);
        round_copy(out, c->where.buf, c->where.at, BUF_SEND, 0, all);
        round_reduce(out, c->where.buf, c->where.at, BUF_TEMP, c->inbox, all);
    } else {
        const uint64_t at = team_border(t, c->v), both = team_span(t, c->v, 1);
        round_recv(out, c->where.buf, c->where.at + at + own, both - own, other);
        round_copy(out, c->where.buf, c->where.at + at, BUF_SEND, 0, own);
    }
}

static void unfold_all(const struct cook *c, struct round *out)
{
    const enum op_buffer into = c->where.buf == BUF_TEMP ? BUF_RECV : c->where.buf;
    const int other = team_other_rank(&c->team, c->rank);
    if (c->v < 0)
        round_recv(out, into, 0, all_bytes(c), other);
    else
        round_send(out, c->where.buf, c->where.at, all_bytes(c), other);
}

static void unfold_block(const struct cook *c, struct round *out)
{
    const uint64_t own = schedule_block_bytes(c->team.s, c->rank, c->rank);
    if (c->v < 0) {
        round_recv(out, BUF_RECV, 0, own, c->rank - 1);
        return;
    }
    const uint64_t at = c->where.at + spread_place(&c->team, c->part->pattern, c->v, c->v);
    if (is_in_a_fold(c))
        round_send(out, c->where.buf, at + own, team_span(&c->team, c->v, 1) - own, c->rank + 1);
    round_copy(out, BUF_RECV, 0, c->where.buf, at, own);
}

/* Down: from the parent, then to all children; up: from all children, then to the parent. */
static void tree_round(const struct cook *c, uint64_t k, struct round *out)
{
    const int down = c->part->kind == RECIPE_DOWN, inner = tree_child(c, 0) >= 0;
    const int at_parent = c->v > 0 && k == (down ? 0 : (uint64_t)inner);
    if (at_parent) {
        const int parent = c->part->tree->tree->parent(c->team.procs, 0, c->v);
        (down ? spread_recv : spread_send)(&c->team, c->where, blocks_below(c, c->v), parent, out);
        return;
    }
    for (int i = 0, child; (child = tree_child(c, i)) >= 0; i++)
        (down ? spread_send : spread_recv)(&c->team, c->where, blocks_below(c, child), child, out);
}

static void turn(const struct cook *c, struct round *out)
{
    const uint64_t low = team_border(&c->team, c->v), high = all_bytes(c) - low;
    round_copy(out, BUF_RECV, low, c->where.buf, c->where.at, high);
    if (low)
        round_copy(out, BUF_RECV, 0, c->where.buf, c->where.at + high, low);
}

/* A step, or what stands between two. */
static void paced_round(const struct cook *c, uint64_t k, struct round *out)
{
    const int pause = pace_rounds(&c->team, c->part->pace);
    const int step = (int)(k / (uint64_t)(1 + pause)), within = (int)(k % (uint64_t)(1 + pause));
    const struct pattern *p = c->part->pattern;
    if (within)
        pace_round(&c->team, p, c->part->pace, c->v, step + 1, within - 1, out);
    else if (c->part->kind != RECIPE_GATHER)
        exchange(c, step, out);
    else
        spread_gather(&c->team, p, c->where, c->v, step, c->own, out);
}

static void part_round(const struct cook *c, uint64_t k, struct round *out)
{
    switch (c->part->kind) {
    case RECIPE_REDUCE:
        spread_reduce(&c->team, c->part->pattern, c->where, c->inbox, c->v,
                      (int)k - copies_first(c), c->own, out);
        break;
    case RECIPE_DOUBLE:
        double_up(c, (int)k, out);
        break;
    case RECIPE_DOWN:
    case RECIPE_UP:
        tree_round(c, k, out);
        break;
    case RECIPE_TURN:
        turn(c, out);
        break;
    case RECIPE_COMBINE:
        combine_messages(c, out);
        break;
    case RECIPE_FOLD_BLOCK:
    case RECIPE_FOLD_SUM:
        fold(c, out);
        break;
    case RECIPE_UNFOLD_ALL:
        unfold_all(c, out);
        break;
    case RECIPE_UNFOLD_BLOCK:
        unfold_block(c, out);
        break;
    default:
        paced_round(c, k, out);
        break;
    }
}

void recipe_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    struct cook c = begin(s, rank);
    for (int i = 0; c.recipe->parts[i].kind; i++) {
        set_part(&c, i);
        const uint64_t n = part_rounds(&c);
        if (k < n) {
            out->phase = i;
            part_round(&c, k, out);
            return;
        }
        k -= n;
    }
}

/* The most that comes in in a step of a reduce-scatter. */
static uint64_t largest_step(const struct cook *c)
{
    const struct pattern *p = c->part->pattern;
    uint64_t most = 0;
    for (int k = 0; c->v >= 0 && k < p->steps(&c->team); k++) {
        uint64_t bytes = 0;
        for (int i = 0, src; (src = p->peer(&c->team, c->v, k, i, 1)) != PEER_END; i++) {
            struct run run = p->sent ? p->sent(&c->team, c->v, k, i) : (struct run){ c->v, 1, 1 };
            for (int b = 0; src != PEER_NONE && b < run.count; b++)
                bytes += team_span(&c->team, (run.first + b) % c->team.procs, 1);
        }
        most = bytes > most ? bytes : most;
    }
    return most;
}

/* The most peers that a step has, but 1 at least. */
static int most_peers(const struct cook *c)
{
    const struct pattern *p = c->part->pattern;
    int most = 1;
    for (int k = 0; c->v >= 0 && k < p->steps(&c->team); k++)
        for (int i = 0; p->peer(&c->team, c->v, k, i, 1) != PEER_END; i++)
            most = i + 1 > most ? i + 1 : most;
    return most;
}

static uint64_t inbox_bytes(const struct cook *c)
{
    switch (c->part->kind) {
    case RECIPE_REDUCE:
        return largest_step(c);
    case RECIPE_EXCHANGE_SUM:
        return (uint64_t)c->team.procs * team_span(&c->team, c->v, 1);
    case RECIPE_DOUBLE:
        return (uint64_t)most_peers(c) * all_bytes(c);
    case RECIPE_FOLD_SUM:
        return c->v >= 0 && is_in_a_fold(c) ? all_bytes(c) : 0;
    default:
        return 0;
    }
}

uint64_t recipe_temp(const struct schedule *s, int rank)
{
    struct cook c = begin(s, rank);
    uint64_t most = 0;
    for (int i = 0; c.recipe->parts[i].kind; i++) {
        set_part(&c, i);
        const uint64_t bytes = inbox_bytes(&c);
        most = bytes > most ? bytes : most;
    }
    return c.v >= 0 ? c.inbox + most : 0;
}
