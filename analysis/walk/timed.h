/* SPDX-License-Identifier: BSD-3-Clause */
/* timed.h - ranks that go through a schedule each at its own pace, in the order of time: the part
 * that the flow walker (flow.h) and the queue walker (queue.h) have in common. What a message costs
 * on its way is theirs.
 *
 * A round begins when the one before it has ended. Its receives are posted, and with them those of
 * the next round that may be (round_early), its sends leave at once; but a message of
 * costs->rendezvous_bytes or more leaves when its receive is posted, too (of two ranks' messages
 * the k-th send belongs to the k-th receive). A round ends when its receives are there, its sends
 * are delivered (shorter ones: have left), and its copies are made, one after the other. Reductions
 * cost nothing.
 *
 * Memory: O(ranks^2), and the rounds under way. */
#ifndef ANALYSIS_WALK_TIMED_H
#define ANALYSIS_WALK_TIMED_H

#include "analysis/walk/links.h"

struct timed_message {
    int src, dst;
    uint64_t bytes;
    int held;       /* its sender waits until it is delivered */
    uint64_t round; /* of its sender */
};

/* A message leaves, at timed->now. Returns 0, or -1 with *err. */
struct timed_model {
    void *state;
    int (*leave)(void *state, const struct timed_message *m);
};

/* What happens at a time: a message is there; or (dst < 0) copies are made. */
struct timed_event {
    double at;
    uint64_t number; /* of equal times the first that was put in comes first */
    struct timed_message message;
};

struct timed_rank;
struct timed_pair;

/* A walk. Seconds. */
struct timed {
    const struct schedule *s;
    const struct links_costs *costs;
    const struct timed_model *model;
    struct timed_rank *ranks;
    struct timed_pair *pairs; /* of ranks */
    int *touched;             /* ranks that may go on */
    size_t n_touched;
    struct timed_event *heap;
    size_t n, cap;
    uint64_t numbers;
    double now, end; /* end: of the last round so far */
    struct err *err;
};

/* The messages of a schedule; what is at least `enough` where there are so many. */
double timed_messages(const struct schedule *s, double enough);

/* All ranks begin, at 0. Returns 0, or -1 with *err; timed_clear in any case. */
int timed_begin(struct timed *t, const struct schedule *s, const struct links_costs *costs,
                const struct timed_model *model, struct err *err);

/* A message will be there at that time. -1 with *err: out of memory. */
int timed_expect(struct timed *t, double at, const struct timed_message *m);

/* A message is there; what follows of it waits for timed_go_on. */
void timed_deliver(struct timed *t, const struct timed_message *m);

/* The time of the next expected event; INFINITY: none. */
double timed_next(const struct timed *t);

/* The clock goes to `now`, not beyond the next expected event; those of that time happen. */
void timed_pass(struct timed *t, double now);

/* Ranks whose round has ended begin the next. Returns 0, or -1 with *err. */
int timed_go_on(struct timed *t);

/* Nothing happens any more: 0 where all ranks have ended, or -1 with *err. */
int timed_ended(const struct timed *t);

/* Frees what it holds. */
void timed_clear(struct timed *t);

#endif
