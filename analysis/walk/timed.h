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
 * Memory: O(ranks^2), the messages and the rounds under way. */
#ifndef ANALYSIS_WALK_TIMED_H
#define ANALYSIS_WALK_TIMED_H

#include "analysis/walk/engine.h"
#include "analysis/walk/link_walk.h"

/* What happens to a message that leaves, at timed->now: it gets a time (engine_at), or is handed to
 * timed_deliver when it is there. */
struct timed_model {
    void *state;
    void (*leave)(void *state, int message);
};

struct timed_rank;

/* A walk. Seconds. */
struct timed {
    struct engine engine; /* of its messages the part `timed` counts */
    const struct links_costs *costs;
    const struct timed_model *model;
    struct timed_rank *ranks;
    int32_t
        *posted;  /* of each pair of ranks: receives that are posted, less sends that have left */
    int *touched; /* ranks that may go on */
    size_t n_touched;
    double now, end; /* end: of the last round so far */
};

/* The messages of a schedule; what is at least `enough` where there are so many. */
double timed_messages(const struct schedule *s, double enough);

/* All ranks begin, at 0. timed_clear in any case. */
void timed_begin(struct timed *t, const struct schedule *s, const struct links_costs *costs,
                 const struct timed_model *model);

/* A message is there; what follows of it waits for timed_go_on. */
void timed_deliver(struct timed *t, int message);

/* The clock goes to `now`, not beyond the next expected event; those of that time happen. */
void timed_pass(struct timed *t, double now);

/* Ranks whose round has ended begin the next. */
void timed_go_on(struct timed *t);

/* Frees what it holds. */
void timed_clear(struct timed *t);

#endif
