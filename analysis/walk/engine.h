/* SPDX-License-Identifier: BSD-3-Clause */
/* engine.h - what the walks in the order of time have in common: one clock, one line of what will
 * happen, the messages under way (post.h) and the rounds that the ranks are in. What anything costs
 * is the walk's business: seat_walk.c, queue.c, and through flow_simulation.c replay.c.
 *
 * A walk adds events (engine_add_event), takes the next event
 * (engine_next), and reads rounds and their receives. */
#pragma once

#include "analysis/walk/post.h"
#include "workloads/schedules/schedule.h"

/* An event of a message, or (message 0) of a rank. */
struct engine_event {
    double at;       /* seconds */
    uint64_t number; /* order of insertion, breaks ties of equal times */
    int rank, message;
};

/* Progress of a rank. */
struct engine_rank {
    uint64_t round, rounds; /* `rounds`: it has ended */
    struct round ops;       /* of the current round; engine_is_struck: done */
    size_t receives;        /* of them that are not struck out */
    struct round next;      /* the next round, once read (looked) */
    int looked;
};

/* A queue of events in ascending order of time; `last`: the time of the last one. */
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

/* Initialises the engine; no rank has begun. */
void engine_begin(struct engine *e, const struct schedule *s);

/* Adds an event at time `at`. */
void engine_add_event(struct engine *e, double at, int rank, int message);

/* The time of the next event; INFINITY: none. */
double engine_next(const struct engine *e);

/* Removes and returns the next event, which must exist. */
struct engine_event engine_take(struct engine *e);

/* The same if its time is at most `now`: 1. 0: it is later, or there is none. */
int engine_take_by(struct engine *e, double now, struct engine_event *event);

/* engine_drop_events drops all events, as after engine_begin, but keeps
 * ranks and messages. engine_free_events frees the memory of events. */
void engine_drop_events(struct engine *e);
void engine_free_events(struct engine *e);

/* Loads the rank's round as its current one, nothing struck out. */
void engine_round(struct engine *e, int rank);

/* Reads the rank's next round; returns how many receives may be posted early (round_early). Call it
 * before anything of the current round is struck out. */
size_t engine_look_ahead(struct engine *e, int rank);

/* The rank's first receive from src that is not struck out, or NULL. */
struct op *engine_find_receive(const struct engine *e, int rank, int src);

/* Marks a receive or a send as done by an invalid peer.
 * A round borrowed from kept.h is returned unchanged. */
void engine_strike(struct engine *e, int rank, struct op *receive);
void engine_strike_send(struct op *send);
int engine_is_struck(const struct op *op);

/* Checks the end, when no event is left: 0 if all ranks have ended, or -1 with *err. */
int engine_ended(const struct engine *e, struct err *err);

void engine_clear(struct engine *e);
