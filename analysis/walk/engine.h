/* SPDX-License-Identifier: BSD-3-Clause */
/* engine.h - what the walks in the order of time have in common: one clock, one line of what will
 * happen, the messages under way (post.h) and the rounds that the ranks are in. What anything costs
 * is the walk's business: seat_walk.c, queue.c, and through flow_simulation.c replay.c.
 *
 * A walk puts in what will happen (engine_at), takes out what happens next (engine_next), and asks
 * for rounds and their receives. */
#ifndef ANALYSIS_WALK_ENGINE_H
#define ANALYSIS_WALK_ENGINE_H

#include "analysis/walk/post.h"
#include "workloads/schedules/schedule.h"

/* Something that happens: to a message, or (message 0) to a rank alone. */
struct engine_event {
    double at;       /* seconds */
    uint64_t number; /* of equal times the first that was put in comes first */
    int rank, message;
};

/* Where a rank is. */
struct engine_rank {
    uint64_t round, rounds; /* `rounds`: it has ended */
    struct round ops;       /* of the round under way; engine_is_struck: it is done */
    size_t receives;        /* of them that are not struck out */
    struct round next;      /* the round after it, when it was looked at */
    int looked;
};

/* Events of which each comes after the one before it; `last`: the time of the last one. */
struct engine_line {
    struct engine_event *ring;
    size_t first, n, room;
    double last;
};

enum { ENGINE_LINES = 4 };

struct engine {
    const struct schedule *s;
    struct engine_rank *ranks;
    struct post post;
    size_t n; /* events to come, in the lines or in the heap */
    struct engine_line line[ENGINE_LINES];
    struct engine_event *heap;
    size_t n_heap, room;
    uint64_t numbers;
};

/* No rank has begun. */
void engine_begin(struct engine *e, const struct schedule *s);

/* Something will happen at that time. */
void engine_at(struct engine *e, double at, int rank, int message);

/* The time of what happens next; INFINITY: nothing does. */
double engine_next(const struct engine *e);

/* What happens next, which there must be, is taken out. */
struct engine_event engine_take(struct engine *e);

/* The same where it happens by `now`: 1. 0: it happens later, or nothing does. */
int engine_take_by(struct engine *e, double now, struct engine_event *event);

/* Nothing will happen any more: as after engine_begin, but for ranks and messages. And what this
 * holds is freed. */
void engine_forget(struct engine *e);
void engine_free_events(struct engine *e);

/* Makes the rank's round the one under way, none of it struck out. */
void engine_round(struct engine *e, int rank);

/* Looks at the rank's next round; how many of its receives may be posted already (round_early). To
 * be asked while nothing of the round under way is struck out. */
size_t engine_look_ahead(struct engine *e, int rank);

/* The rank's first receive from src that is not struck out, or NULL. */
struct op *engine_wanted(const struct engine *e, int rank, int src);

/* Strikes a receive out; a send. Their peers are no ranks then; a round that was lent (kept.h) goes
 * back as it was. */
void engine_strike(struct engine *e, int rank, struct op *receive);
void engine_strike_send(struct op *send);
int engine_is_struck(const struct op *op);

/* Nothing happens any more: 0 where all ranks have ended, or -1 with *err. */
int engine_ended(const struct engine *e, struct err *err);

/* Frees what it holds. */
void engine_clear(struct engine *e);

#endif
