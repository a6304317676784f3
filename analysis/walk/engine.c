/* SPDX-License-Identifier: BSD-3-Clause */
/* engine.c - events in a few lines, and those that fit into none in a binary heap. */
#include "analysis/walk/engine.h"

/* Events that come one after the other, as messages on one link do, stand in a line; there are a
 * few lines, since who sends much at once is far ahead of the others. What fits behind none of them
 * goes into the heap. */

static int is_before(const struct engine_event *a, const struct engine_event *b)
{
    return a->at != b->at ? a->at < b->at : a->number < b->number;
}

static struct engine_event *nth_of(const struct engine_line *line, size_t nth)
{
    return &line->ring[(line->first + nth) & (line->room - 1)];
}

/* Twice the room; what had gone round to the front follows what stands behind it. */
static void widen(struct engine_line *line)
{
    const size_t had = line->room;
    array_room(&line->ring, &line->room, had + 1);
    memcpy(line->ring + had, line->ring, line->first * sizeof *line->ring);
}

static void put_in_heap(struct engine *e, const struct engine_event *new)
{
    array_room(&e->heap, &e->room, e->n_heap + 1);
    size_t i = e->n_heap++;
    for (size_t up; i > 0 && is_before(new, &e->heap[up = (i - 1) / 2]); i = up)
        e->heap[i] = e->heap[up];
    e->heap[i] = *new;
}

/* The line whose last event is the latest that is not after this time; else an empty one, or NULL.
 */
static struct engine_line *line_for(struct engine *e, double at)
{
    struct engine_line *best = NULL, *empty = NULL;
    for (int i = 0; i < ENGINE_LINES; i++) {
        struct engine_line *line = &e->line[i];
        if (line->n == 0)
            empty = line;
        else if (line->last <= at && (!best || line->last > best->last))
            best = line;
    }
    return best ? best : empty;
}

void engine_add_event(struct engine *e, double at, int rank, int message)
{
    const struct engine_event new = { at, e->numbers++, rank, message };
    struct engine_line *line = line_for(e, at);
    e->n++;
    if (!line) {
        put_in_heap(e, &new);
        return;
    }
    if (line->n == line->room)
        widen(line);
    *nth_of(line, line->n++) = new;
    line->last = at;
}

/* The line whose first event is the first of all; NULL: the heap's is, or there is none. */
static struct engine_line *first_line(const struct engine *e)
{
    const struct engine_event *first = e->n_heap ? e->heap : NULL;
    const struct engine_line *found = NULL;
    for (int i = 0; i < ENGINE_LINES; i++) {
        const struct engine_line *line = &e->line[i];
        if (line->n == 0 || (first && !is_before(nth_of(line, 0), first)))
            continue;
        first = nth_of(line, 0);
        found = line;
    }
    return (struct engine_line *)found;
}

double engine_next(const struct engine *e)
{
    const struct engine_line *line = first_line(e);
    return line ? nth_of(line, 0)->at : e->n ? e->heap[0].at : INFINITY;
}

static struct engine_event take_from_heap(struct engine *e)
{
    const struct engine_event first = e->heap[0], last = e->heap[--e->n_heap];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < e->n_heap; i = child) {
        child += child + 1 < e->n_heap && is_before(&e->heap[child + 1], &e->heap[child]);
        if (is_before(&last, &e->heap[child]))
            break;
        e->heap[i] = e->heap[child];
    }
    e->heap[i] = last;
    return first;
}

static struct engine_event take_from(struct engine *e, struct engine_line *line)
{
    e->n--;
    if (!line)
        return take_from_heap(e);
    const struct engine_event first = *nth_of(line, 0);
    line->first = (line->first + 1) & (line->room - 1);
    line->n--;
    return first;
}

struct engine_event engine_take(struct engine *e)
{
    return take_from(e, first_line(e));
}

int engine_take_by(struct engine *e, double now, struct engine_event *event)
{
    struct engine_line *line = first_line(e);
    if (e->n == 0 || (line ? nth_of(line, 0) : e->heap)->at > now)
        return 0;
    *event = take_from(e, line);
    return 1;
}

void engine_drop_events(struct engine *e)
{
    e->n = e->n_heap = 0;
    e->numbers = 0;
    for (int i = 0; i < ENGINE_LINES; i++)
        e->line[i].n = e->line[i].first = 0;
}

void engine_free_events(struct engine *e)
{
    for (int i = 0; i < ENGINE_LINES; i++)
        free(e->line[i].ring);
    free(e->heap);
}

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
    return e->s->kept ? kept_early(e->s->kept, rank, r->round) : round_early(&r->ops, &r->next);
}

struct op *engine_find_receive(const struct engine *e, int rank, int src)
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
    engine_free_events(e);
    post_clear(&e->post);
}
