/* SPDX-License-Identifier: BSD-3-Clause */
/* timed.c - events in a binary heap; ranks that an event touches are looked at when all events of
 * that time have happened. */
#include "analysis/walk/timed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct timed_rank {
    uint64_t round, rounds;
    struct round ops;    /* of the round under way */
    struct round next;   /* of the one after it */
    size_t early;        /* so many of its receives are posted */
    unsigned char *done; /* of its receives: taken; of its sends: left; by place in ops */
    size_t cap;
    uint32_t open; /* sends and receives that are waited for */
    double copy_s; /* of the round under way; 0: made, or being made */
    unsigned char copying, touched;
};

struct timed_pair {
    int32_t posted;   /* receives, less the sends that have left */
    uint32_t arrived; /* messages that no receive has taken */
};

static int out_of_memory(const struct timed *t)
{
    return err_set(t->err, "out of memory while walking %s", t->s->alg->name);
}

static struct timed_pair *pair_of(const struct timed *t, int src, int dst)
{
    return &t->pairs[(size_t)src * (size_t)t->s->procs + (size_t)dst];
}

static void touch(struct timed *t, int rank)
{
    if (t->ranks[rank].touched)
        return;
    t->ranks[rank].touched = 1;
    t->touched[t->n_touched++] = rank;
}

/* ---- events ---- */

static int is_before(const struct timed_event *a, const struct timed_event *b)
{
    return a->at < b->at || (a->at == b->at && a->number < b->number);
}

int timed_expect(struct timed *t, double at, const struct timed_message *m)
{
    const struct timed_event e = { at, t->numbers++, *m };
    if (t->n == t->cap) {
        const size_t cap = t->cap ? 2 * t->cap : 64;
        struct timed_event *more = realloc(t->heap, cap * sizeof *more);
        if (!more)
            return out_of_memory(t);
        t->heap = more;
        t->cap = cap;
    }
    size_t i = t->n++;
    for (size_t up; i > 0 && is_before(&e, &t->heap[up = (i - 1) / 2]); i = up)
        t->heap[i] = t->heap[up];
    t->heap[i] = e;
    return 0;
}

static struct timed_event take_first(struct timed *t)
{
    const struct timed_event first = t->heap[0], last = t->heap[--t->n];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < t->n; i = child) {
        child += child + 1 < t->n && is_before(&t->heap[child + 1], &t->heap[child]);
        if (is_before(&last, &t->heap[child]))
            break;
        t->heap[i] = t->heap[child];
    }
    t->heap[i] = last;
    return first;
}

double timed_next(const struct timed *t)
{
    return t->n ? t->heap[0].at : INFINITY;
}

/* A receive of the round under way takes a message, if one waits for it. */
static int take(struct timed *t, int rank, int src)
{
    struct timed_rank *r = &t->ranks[rank];
    for (size_t i = 0; r->open > 0 && i < r->ops.n; i++) {
        const struct op *op = &r->ops.ops[i];
        if (op->kind != OP_RECV || op->peer != src || r->done[i])
            continue;
        r->done[i] = 1;
        r->open--;
        touch(t, rank);
        return 1;
    }
    return 0;
}

void timed_deliver(struct timed *t, const struct timed_message *m)
{
    if (m->held) {
        t->ranks[m->src].open--;
        touch(t, m->src);
    }
    if (!take(t, m->dst, m->src))
        pair_of(t, m->src, m->dst)->arrived++;
}

void timed_pass(struct timed *t, double now)
{
    t->now = now;
    while (timed_next(t) <= now) {
        const struct timed_event e = take_first(t);
        if (e.message.dst >= 0)
            timed_deliver(t, &e.message);
        else
            touch(t, e.message.src);
    }
}

/* ---- rounds ---- */

static int leave(struct timed *t, int src, size_t i)
{
    struct timed_rank *r = &t->ranks[src];
    const struct op *op = &r->ops.ops[i];
    const struct timed_message m = { src, op->peer, op->bytes,
                                     op->bytes >= t->costs->rendezvous_bytes, r->round };
    r->done[i] = 1;
    pair_of(t, src, op->peer)->posted--;
    return t->model->leave(t->model->state, &m);
}

/* The first message of the sender's round that waits for this receive leaves. */
static int let_leave(struct timed *t, int src, int dst)
{
    const struct timed_rank *r = &t->ranks[src];
    if (pair_of(t, src, dst)->posted <= 0)
        return 0;
    for (size_t i = 0; r->open > 0 && i < r->ops.n; i++)
        if (r->ops.ops[i].kind == OP_SEND && r->ops.ops[i].peer == dst && !r->done[i])
            return leave(t, src, i);
    return 0;
}

static int post(struct timed *t, int src, int dst)
{
    pair_of(t, src, dst)->posted++;
    return let_leave(t, src, dst);
}

/* Those of the round under way: `early` are posted already. Takes what is there for them. */
static int post_receives(struct timed *t, int rank, size_t early)
{
    const struct timed_rank *r = &t->ranks[rank];
    for (size_t i = 0, nth = 0; i < r->ops.n; i++) {
        const struct op *op = &r->ops.ops[i];
        if (op->kind != OP_RECV)
            continue;
        if (nth++ >= early && post(t, op->peer, rank) < 0)
            return -1;
        struct timed_pair *pair = pair_of(t, op->peer, rank);
        if (pair->arrived == 0)
            continue;
        pair->arrived--;
        take(t, rank, op->peer);
    }
    return 0;
}

/* Those of the next round that need not wait for the end of this one. */
static int post_early(struct timed *t, int rank)
{
    struct timed_rank *r = &t->ranks[rank];
    r->early = 0;
    r->next.n = 0;
    if (r->round + 1 == r->rounds)
        return 0;
    if (schedule_round(t->s, rank, r->round + 1, &r->next) < 0)
        return out_of_memory(t);
    r->early = round_early(&r->ops, &r->next);
    for (size_t i = 0, nth = 0; nth < r->early; i++)
        if (r->next.ops[i].kind == OP_RECV && nth++ < r->early &&
            post(t, r->next.ops[i].peer, rank) < 0)
            return -1;
    return 0;
}

static int send_all(struct timed *t, int rank)
{
    const struct timed_rank *r = &t->ranks[rank];
    for (size_t i = 0; i < r->ops.n; i++) {
        const struct op *op = &r->ops.ops[i];
        const int goes =
            op->kind == OP_SEND && !r->done[i] &&
            (op->bytes < t->costs->rendezvous_bytes || pair_of(t, rank, op->peer)->posted > 0);
        if (goes && leave(t, rank, i) < 0)
            return -1;
    }
    return 0;
}

static int make_round(struct timed *t, int rank)
{
    struct timed_rank *r = &t->ranks[rank];
    const struct round before = r->ops;
    r->ops = r->next;
    r->next = before;
    if (r->round == 0 && schedule_round(t->s, rank, 0, &r->ops) < 0)
        return out_of_memory(t);
    if (r->ops.n > r->cap) {
        unsigned char *done = realloc(r->done, r->ops.n);
        if (!done)
            return out_of_memory(t);
        r->done = done;
        r->cap = r->ops.n;
    }
    r->open = 0;
    r->copy_s = 0;
    r->copying = 0;
    for (size_t i = 0; i < r->ops.n; i++) {
        const struct op *op = &r->ops.ops[i];
        r->done[i] = 0;
        r->open +=
            op->kind == OP_RECV || (op->kind == OP_SEND && op->bytes >= t->costs->rendezvous_bytes);
        if (op->kind == OP_COPY)
            r->copy_s += curve_value(t->costs->copy, (double)op->bytes);
    }
    return 0;
}

static int begin_round(struct timed *t, int rank)
{
    const size_t early = t->ranks[rank].early;
    touch(t, rank);
    return make_round(t, rank) < 0 || post_receives(t, rank, early) < 0 || send_all(t, rank) < 0 ||
                   post_early(t, rank) < 0
               ? -1
               : 0;
}

/* A rank whose messages are done makes its copies; when they are made its round has ended. */
static int advance(struct timed *t, int rank)
{
    struct timed_rank *r = &t->ranks[rank];
    if (r->round == r->rounds || r->open > 0)
        return 0;
    if (r->copying && t->now < r->copy_s)
        return 0;
    if (!r->copying && r->copy_s > 0) {
        const struct timed_message made = { .src = rank, .dst = -1 };
        r->copying = 1;
        r->copy_s += t->now;
        return timed_expect(t, r->copy_s, &made);
    }
    t->end = t->now;
    return ++r->round < r->rounds ? begin_round(t, rank) : 0;
}

int timed_go_on(struct timed *t)
{
    while (t->n_touched > 0) {
        const int rank = t->touched[--t->n_touched];
        t->ranks[rank].touched = 0;
        if (advance(t, rank) < 0)
            return -1;
    }
    return 0;
}

/* ---- all ---- */

double timed_messages(const struct schedule *s, double enough)
{
    struct round round = { 0 };
    double n = 0;
    for (int r = 0; r < s->procs && n < enough; r++)
        for (uint64_t k = 0, rounds = schedule_rounds(s, r); k < rounds; k++) {
            if (schedule_round(s, r, k, &round) < 0)
                n = INFINITY;
            for (size_t i = 0; i < round.n; i++)
                n += round.ops[i].kind == OP_SEND;
        }
    round_free(&round);
    return n;
}

int timed_begin(struct timed *t, const struct schedule *s, const struct links_costs *costs,
                const struct timed_model *model, struct err *err)
{
    const size_t procs = (size_t)s->procs;
    *t = (struct timed){ .s = s, .costs = costs, .model = model, .err = err };
    t->ranks = calloc(procs, sizeof *t->ranks);
    t->pairs = calloc(procs * procs, sizeof *t->pairs);
    t->touched = malloc(procs * sizeof *t->touched);
    if (!t->ranks || !t->pairs || !t->touched)
        return out_of_memory(t);
    for (int r = 0; r < s->procs; r++) {
        t->ranks[r].rounds = schedule_rounds(s, r);
        if (t->ranks[r].rounds > 0 && begin_round(t, r) < 0)
            return -1;
    }
    return timed_go_on(t);
}

int timed_ended(const struct timed *t)
{
    for (int r = 0; r < t->s->procs; r++)
        if (t->ranks[r].round < t->ranks[r].rounds)
            return err_set(t->err, "%s never ends: rank %d waits in round %llu", t->s->alg->name, r,
                           (unsigned long long)t->ranks[r].round);
    return 0;
}

void timed_clear(struct timed *t)
{
    for (int r = 0; t->ranks && r < t->s->procs; r++) {
        round_free(&t->ranks[r].ops);
        round_free(&t->ranks[r].next);
        free(t->ranks[r].done);
    }
    free(t->ranks);
    free(t->pairs);
    free(t->touched);
    free(t->heap);
}
