/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/schedules/trace.h"

enum { MAX_MESSAGES = 1000000 };

/* A rank on its way through its rounds. Messages that wait for it are linked through `next`. */
struct traveller {
    uint64_t k, rounds, send_stage, recv_stage;
    size_t taken;       /* receives of the current round that are done */
    size_t first, last; /* inbox: indices of messages; NONE when empty */
    int phase, begun;   /* begun: the sends of the current round are out */
};

static const size_t NONE = SIZE_MAX;

struct tracer {
    const struct schedule *s;
    struct trace *t;
    struct traveller *ranks;
    size_t *next; /* per message: the one that came to the same inbox after it */
    size_t next_room;
    struct round round;
    struct err *err;
};

static int add_message(struct tracer *r, struct trace_message m)
{
    struct trace *t = r->t;
    if (t->n == MAX_MESSAGES)
        return err_set(r->err, "%s among %d processes sends more than %d messages",
                       schedule_called(r->s).text, r->s->procs, MAX_MESSAGES);
    const size_t i = t->n;
    array_room(&r->next, &r->next_room, i + 1);
    *array_add(&t->v, &t->n) = m;
    struct traveller *dst = &r->ranks[m.dst];
    if (dst->first == NONE)
        dst->first = i;
    else
        r->next[dst->last] = i;
    dst->last = i;
    r->next[i] = NONE;
    return 0;
}

/* The oldest message from src in a rank's inbox, taken out; NONE when there is none. */
static size_t take(struct tracer *r, struct traveller *dst, int src)
{
    size_t before = NONE, i = dst->first;
    while (i != NONE && r->t->v[i].src != src) {
        before = i;
        i = r->next[i];
    }
    if (i == NONE)
        return NONE;
    if (before == NONE)
        dst->first = r->next[i];
    else
        r->next[before] = r->next[i];
    if (dst->last == i)
        dst->last = before;
    return i;
}

static void enter_phase(struct tracer *r, struct traveller *at, int phase)
{
    at->phase = phase;
    at->send_stage = at->recv_stage = 0;
    if (phase < r->t->phases)
        return;
    size_t n = (size_t)r->t->phases;
    array_more(&r->t->last_stage, &n, (size_t)(phase + 1) - n);
    r->t->phases = (int)n;
}

static int send_round(struct tracer *r, int rank)
{
    struct traveller *at = &r->ranks[rank];
    if (r->round.phase != at->phase || at->k == 0)
        enter_phase(r, at, r->round.phase);
    uint64_t latest = at->send_stage > at->recv_stage ? at->send_stage : at->recv_stage;
    for (size_t i = 0; i < r->round.n; i++) {
        const struct op *op = &r->round.ops[i];
        struct trace_message m = { rank, op->peer, at->phase, latest + 1, op->bytes, r->t->n };
        if (op->kind != OP_SEND)
            continue;
        if (add_message(r, m) < 0)
            return -1;
        at->send_stage = latest + 1;
        if (r->t->last_stage[at->phase] < m.stage)
            r->t->last_stage[at->phase] = m.stage;
    }
    return 0;
}

/* 1 when all receives of the round are done. */
static int receive_round(struct tracer *r, struct traveller *at)
{
    size_t nth = 0;
    for (size_t i = 0; i < r->round.n; i++) {
        if (r->round.ops[i].kind != OP_RECV || nth++ < at->taken)
            continue;
        size_t m = take(r, at, r->round.ops[i].peer);
        if (m == NONE)
            return 0;
        at->taken++;
        if (r->t->v[m].stage > at->recv_stage)
            at->recv_stage = r->t->v[m].stage;
    }
    return 1;
}

/* As far as a rank gets: how many rounds it has begun or ended, or -1. */
static int advance(struct tracer *r, int rank)
{
    struct traveller *at = &r->ranks[rank];
    int moved = 0;
    for (; at->k < at->rounds; at->k++, moved++) {
        schedule_round(r->s, rank, at->k, &r->round);
        if (!at->begun && send_round(r, rank) < 0)
            return -1;
        moved += !at->begun;
        at->begun = 1;
        if (!receive_round(r, at))
            break;
        at->begun = 0;
        at->taken = 0;
    }
    return moved;
}

static int run(struct tracer *r)
{
    int moved = 1, ended = 0;
    while (moved) {
        moved = ended = 0;
        for (int rank = 0; rank < r->s->procs; rank++) {
            int done = advance(r, rank);
            if (done < 0)
                return -1;
            moved |= done > 0;
            ended += r->ranks[rank].k == r->ranks[rank].rounds;
        }
    }
    return ended == r->s->procs ? 0 : err_set(r->err, "%s never ends", schedule_called(r->s).text);
}

static int by_source(const void *a, const void *b)
{
    const struct trace_message *x = a, *y = b;
    if (x->src != y->src)
        return x->src - y->src;
    return x->nth < y->nth ? -1 : x->nth > y->nth;
}

/* Stages of a phase are counted from where the phase before ended. */
static void number_through(struct trace *t)
{
    for (int i = 1; i < t->phases; i++)
        t->last_stage[i] += t->last_stage[i - 1];
    for (size_t i = 0; i < t->n; i++)
        if (t->v[i].phase > 0)
            t->v[i].stage += t->last_stage[t->v[i].phase - 1];
}

int trace(const struct schedule *s, struct trace *t, struct err *err)
{
    struct tracer r = { .s = s, .t = t, .err = err };
    int status = -1;

    *t = (struct trace){ 0 };
    r.ranks = memory_zeros((size_t)s->procs, sizeof *r.ranks);
    for (int i = 0; i < s->procs; i++) {
        r.ranks[i].rounds = schedule_rounds(s, i);
        r.ranks[i].first = r.ranks[i].last = NONE;
    }
    if (run(&r) == 0) {
        number_through(t);
        if (t->n)
            qsort(t->v, t->n, sizeof *t->v, by_source);
        else
            t->phases = 0;
        status = 0;
    }
    memory_free(r.ranks, r.next);
    round_free(&r.round);
    if (status < 0)
        trace_clear(t);
    return status;
}

CLEARS(trace_clear, trace, it->v, it->last_stage)

static int by_rank(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Sums what a rank sends into sums[dst]; the destinations, sorted, into seen. Returns their number.
 */
static int sum_rank(const struct schedule *s, int rank, struct traffic *sums, int *seen,
                    struct round *round)
{
    int n = 0;
    for (uint64_t k = 0, rounds = schedule_rounds(s, rank); k < rounds; k++) {
        schedule_round(s, rank, k, round);
        for (size_t i = 0; i < round->n; i++) {
            const struct op *op = &round->ops[i];
            if (op->kind != OP_SEND)
                continue;
            if (sums[op->peer].messages++ == 0)
                seen[n++] = op->peer;
            sums[op->peer].bytes += op->bytes;
        }
    }
    qsort(seen, (size_t)n, sizeof *seen, by_rank);
    return n;
}

void traffic_each(const struct schedule *s, void (*row)(const struct traffic *pair, void *arg),
                  void *arg)
{
    size_t procs = (size_t)s->procs;
    struct traffic *sums = memory_zeros(procs, sizeof *sums);
    int *seen = memory_zeros(procs, sizeof *seen);
    struct round round = { 0 };

    for (int rank = 0; rank < s->procs; rank++) {
        const int n = sum_rank(s, rank, sums, seen, &round);
        for (int i = 0; i < n; i++) {
            struct traffic *pair = &sums[seen[i]];
            pair->src = rank;
            pair->dst = seen[i];
            row(pair, arg);
            *pair = (struct traffic){ 0 };
        }
    }
    memory_free(sums, seen);
    round_free(&round);
}
