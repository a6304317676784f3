/* SPDX-License-Identifier: BSD-3-Clause */
/* timed.c - ranks that an event touches are looked at when all events of that time have happened.
 */
#include "analysis/walk/timed.h"

#include <math.h>
#include <stdlib.h>

#include "harness/base/memory.h"

struct timed_rank {
    size_t early;  /* so many receives of the next round are posted */
    uint32_t held; /* sends that are waited for */
    double copy_s; /* of the round under way; 0: made, or being made */
    unsigned char copying, touched;
};

static void touch(struct timed *t, int rank)
{
    if (t->ranks[rank].touched)
        return;
    t->ranks[rank].touched = 1;
    t->touched[t->n_touched++] = rank;
}

/* ---- events ---- */

/* A receive of the round under way takes a message, if one waits for it. */
static int take(struct timed *t, int rank, int src)
{
    struct op *op = engine_wanted(&t->engine, rank, src);
    if (!op)
        return 0;
    engine_strike(&t->engine, rank, op);
    touch(t, rank);
    return 1;
}

void timed_deliver(struct timed *t, int message)
{
    const struct walk_message *m = post_message(&t->engine.post, message);
    if (m->timed.held) {
        t->ranks[m->src].held--;
        touch(t, m->src);
    }
    if (take(t, m->dst, m->src))
        post_drop(&t->engine.post, message);
    else
        post_keep(&t->engine.post, message);
}

void timed_pass(struct timed *t, double now)
{
    struct engine_event e;
    t->now = now;
    while (engine_take_by(&t->engine, now, &e)) {
        if (e.message)
            timed_deliver(t, e.message);
        else
            touch(t, e.rank);
    }
}

/* ---- rounds ---- */

static int32_t *posted_of(const struct timed *t, int src, int dst)
{
    return &t->posted[(size_t)src * (size_t)t->engine.s->procs + (size_t)dst];
}

static void leave(struct timed *t, int src, struct op *send)
{
    struct walk_message m = { .bytes = send->bytes, .src = src, .dst = send->peer };
    m.timed.held = m.bytes >= t->costs->rendezvous_bytes;
    m.timed.round = t->engine.ranks[src].round;
    --*posted_of(t, src, m.dst);
    engine_strike_send(send);
    t->model->leave(t->model->state, post_new(&t->engine.post, &m));
}

/* The first message of the sender's round that waits for this receive leaves. */
static void let_leave(struct timed *t, int src, int dst)
{
    const struct round *ops = &t->engine.ranks[src].ops;
    for (size_t i = 0; t->ranks[src].held > 0 && i < ops->n; i++)
        if (ops->ops[i].kind == OP_SEND && ops->ops[i].peer == dst) {
            leave(t, src, &ops->ops[i]);
            return;
        }
}

static void post(struct timed *t, int src, int dst)
{
    if (++*posted_of(t, src, dst) > 0)
        let_leave(t, src, dst);
}

/* Those of the round under way: `early` are posted already. Takes what is there for them. */
static void post_receives(struct timed *t, int rank, size_t early)
{
    const struct round *ops = &t->engine.ranks[rank].ops;
    for (size_t i = 0, nth = 0; i < ops->n; i++) {
        const struct op *op = &ops->ops[i];
        const int src = op->peer;
        if (op->kind != OP_RECV)
            continue;
        if (nth++ >= early)
            post(t, src, rank);
        const int message = post_take(&t->engine.post, src, rank);
        if (message) {
            post_drop(&t->engine.post, message);
            take(t, rank, src);
        }
    }
}

/* Those of the next round that need not wait for the end of this one. */
static void post_early(struct timed *t, int rank)
{
    const size_t early = t->ranks[rank].early;
    const struct op *next = t->engine.ranks[rank].next.ops;
    for (size_t i = 0, nth = 0; nth < early; i++)
        if (next[i].kind == OP_RECV && nth++ < early)
            post(t, next[i].peer, rank);
}

static void send_all(struct timed *t, int rank)
{
    const struct round *ops = &t->engine.ranks[rank].ops;
    for (size_t i = 0; i < ops->n; i++) {
        struct op *op = &ops->ops[i];
        if (op->kind == OP_SEND && !engine_is_struck(op) &&
            (op->bytes < t->costs->rendezvous_bytes || *posted_of(t, rank, op->peer) > 0))
            leave(t, rank, op);
    }
}

static void begin_round(struct timed *t, int rank)
{
    struct timed_rank *r = &t->ranks[rank];
    const struct round *ops = &t->engine.ranks[rank].ops;
    const size_t posted = r->early;
    touch(t, rank);
    engine_round(&t->engine, rank);
    r->early = engine_look_ahead(&t->engine, rank);
    r->held = 0;
    r->copy_s = 0;
    r->copying = 0;
    for (size_t i = 0; i < ops->n; i++) {
        const struct op *op = &ops->ops[i];
        r->held += op->kind == OP_SEND && op->bytes >= t->costs->rendezvous_bytes;
        if (op->kind == OP_COPY)
            r->copy_s += curve_value(t->costs->copy, (double)op->bytes);
    }
    post_receives(t, rank, posted);
    send_all(t, rank);
    post_early(t, rank);
}

/* A rank whose messages are done makes its copies; when they are made its round has ended. */
static void advance(struct timed *t, int rank)
{
    struct timed_rank *r = &t->ranks[rank];
    struct engine_rank *at = &t->engine.ranks[rank];
    if (at->round == at->rounds || r->held || at->receives || (r->copying && t->now < r->copy_s))
        return;
    if (!r->copying && r->copy_s > 0) {
        r->copying = 1;
        r->copy_s += t->now;
        engine_at(&t->engine, r->copy_s, rank, 0);
        return;
    }
    t->end = t->now;
    if (++at->round < at->rounds)
        begin_round(t, rank);
}

void timed_go_on(struct timed *t)
{
    while (t->n_touched > 0) {
        const int rank = t->touched[--t->n_touched];
        t->ranks[rank].touched = 0;
        advance(t, rank);
    }
}

/* ---- all ---- */

double timed_messages(const struct schedule *s, double enough)
{
    struct round round = { 0 };
    double n = 0;
    if (s->kept)
        return (double)s->kept->sends;
    for (int r = 0; r < s->procs && n < enough; r++)
        for (uint64_t k = 0, rounds = schedule_rounds(s, r); k < rounds && n < enough; k++) {
            schedule_round(s, r, k, &round);
            for (size_t i = 0; i < round.n; i++)
                n += round.ops[i].kind == OP_SEND;
        }
    round_free(&round);
    return n;
}

void timed_begin(struct timed *t, const struct schedule *s, const struct links_costs *costs,
                 const struct timed_model *model)
{
    const size_t procs = (size_t)s->procs;
    *t = (struct timed){ .costs = costs, .model = model };
    engine_begin(&t->engine, s);
    t->ranks = memory_zeros(procs, sizeof *t->ranks);
    t->touched = memory_zeros(procs, sizeof *t->touched);
    t->posted = memory_zeros(procs * procs, sizeof *t->posted);
    for (int r = 0; r < s->procs; r++)
        if (t->engine.ranks[r].rounds > 0)
            begin_round(t, r);
    timed_go_on(t);
}

void timed_clear(struct timed *t)
{
    engine_clear(&t->engine);
    free(t->ranks);
    free(t->touched);
    free(t->posted);
}
