/* SPDX-License-Identifier: BSD-3-Clause */
/* engine.c - events in a binary heap. */
#include "analysis/walk/engine.h"

#include <math.h>
#include <stdlib.h>

#include "harness/base/array.h"
#include "harness/base/memory.h"

/* ---- time ---- */

static int is_before(const struct engine_event *a, const struct engine_event *b)
{
    return a->at != b->at ? a->at < b->at : a->number < b->number;
}

void engine_at(struct engine *e, double at, int rank, int message)
{
    const struct engine_event new = { at, e->numbers++, rank, message };
    array_room(&e->heap, &e->room, e->n + 1);
    size_t i = e->n++;
    for (size_t up; i > 0 && is_before(&new, &e->heap[up = (i - 1) / 2]); i = up)
        e->heap[i] = e->heap[up];
    e->heap[i] = new;
}

double engine_next(const struct engine *e)
{
    return e->n ? e->heap[0].at : INFINITY;
}

struct engine_event engine_take(struct engine *e)
{
    const struct engine_event first = e->heap[0], last = e->heap[--e->n];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < e->n; i = child) {
        child += child + 1 < e->n && is_before(&e->heap[child + 1], &e->heap[child]);
        if (is_before(&last, &e->heap[child]))
            break;
        e->heap[i] = e->heap[child];
    }
    e->heap[i] = last;
    return first;
}

/* ---- rounds ---- */

/* A peer that is struck out is the complement of a rank. */
static void strike(struct op *op)
{
    op->peer = ~op->peer;
}

int engine_is_struck(const struct op *op)
{
    return op->peer < 0;
}

void engine_strike_send(struct op *send)
{
    strike(send);
}

/* Others read operations that were lent. */
static void give_back(const struct round *round)
{
    for (size_t i = 0; !round->room && i < round->n; i++)
        if ((round->ops[i].kind == OP_SEND || round->ops[i].kind == OP_RECV) &&
            engine_is_struck(&round->ops[i]))
            strike(&round->ops[i]);
}

void engine_round(struct engine *e, int rank)
{
    struct engine_rank *r = &e->ranks[rank];
    give_back(&r->ops);
    if (r->looked) {
        const struct round before = r->ops;
        r->ops = r->next;
        r->next = before;
    } else {
        schedule_round(e->s, rank, r->round, &r->ops);
    }
    r->looked = 0;
    r->receives = 0;
    for (size_t i = 0; i < r->ops.n; i++)
        r->receives += r->ops.ops[i].kind == OP_RECV;
}

size_t engine_look_ahead(struct engine *e, int rank)
{
    struct engine_rank *r = &e->ranks[rank];
    if (r->round + 1 == r->rounds)
        return 0;
    schedule_round(e->s, rank, r->round + 1, &r->next);
    r->looked = 1;
    return round_early(&r->ops, &r->next);
}

struct op *engine_wanted(const struct engine *e, int rank, int src)
{
    const struct engine_rank *r = &e->ranks[rank];
    for (size_t i = 0; r->receives && i < r->ops.n; i++)
        if (r->ops.ops[i].kind == OP_RECV && r->ops.ops[i].peer == src)
            return &r->ops.ops[i];
    return NULL;
}

void engine_strike(struct engine *e, int rank, struct op *receive)
{
    strike(receive);
    e->ranks[rank].receives--;
}

/* ---- all ---- */

void engine_begin(struct engine *e, const struct schedule *s)
{
    *e = (struct engine){ .s = s, .ranks = memory_zeros((size_t)s->procs, sizeof *e->ranks) };
    for (int i = 0; i < s->procs; i++)
        e->ranks[i].rounds = schedule_rounds(s, i);
}

int engine_ended(const struct engine *e, struct err *err)
{
    for (int i = 0; i < e->s->procs; i++)
        if (e->ranks[i].round < e->ranks[i].rounds)
            return err_set(err, "%s never ends: rank %d waits in round %llu",
                           schedule_called(e->s).text, i, (unsigned long long)e->ranks[i].round);
    return 0;
}

void engine_clear(struct engine *e)
{
    for (int i = 0; e->ranks && i < e->s->procs; i++) {
        give_back(&e->ranks[i].ops);
        round_free(&e->ranks[i].ops);
        round_free(&e->ranks[i].next);
    }
    free(e->ranks);
    free(e->heap);
    post_clear(&e->post);
}
