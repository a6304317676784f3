/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks.h - takes all ranks of a schedule through their rounds, in an order that the messages
 * allow. What a round, a send and a receive cost is the model's business: stage_walk.c, loggp.c,
 * link_walk.c, channel.c.
 *
 * Every rank is a coroutine: it starts a round (its sends go out), takes the round's receives, and
 * steps on, or waits for a message. A rank that sends lets the receivers that it woke run first, so
 * that few messages are ever under way: memory O(ranks + messages in flight), nothing is kept per
 * segment. That order is not the order of time; a model keeps time itself, in the messages. */
#ifndef ANALYSIS_WALK_RANKS_H
#define ANALYSIS_WALK_RANKS_H

#include "analysis/walk/post.h"
#include "workloads/schedules/schedule.h"

/* A model: what happens to it on the way. Each returns 0, or -1 with the walk's *err set. */
struct walk_model {
    void *state;
    /* A rank starts a round. */
    int (*begin)(void *state, int rank, const struct round *round);
    /* One of the round's sends goes out, in the round's order: fill in the union. */
    int (*send)(void *state, struct walk_message *m);
    /* One of the round's receives is there. Not in the order of arrival. */
    int (*receive)(void *state, const struct walk_message *m);
    /* All operations of the rank's round are done. */
    int (*end)(void *state, int rank);
    /* The sends of the rank's round, all of which went out, go out once more, each as before. NULL
     * where the model keeps nothing of a receive until the round ends; else at most WALK_RECEIVES
     * receives (but all of one rank) of rounds of many are made before rounds end, and what goes to
     * other ranks goes out again. */
    void (*again)(void *state, int rank);
};

enum { WALK_RECEIVES = 1 << 21 };

/* A schedule whose rounds are kept (schedule_keep) is gone through once in any order, and once in
 * steps: how that went is noted there, and walks that follow go by it, in the same order. So one
 * thread at a time walks it.
 *
 * Walks all ranks; *operations counts sends, receives, copies and reductions. Returns 0, or -1 with
 * *err set: a schedule that never ends or leaves messages, or what the model said. */
int ranks_walk(const struct schedule *s, const struct walk_model *model, uint64_t *operations,
               struct err *err);

/* Ranks go as far as their messages let them, unless the walk goes in steps of the whole group. */
struct walk_steps {
    /* The number, from 1, of the step in which the sends of this round go out. All sends of a step
     * go out, in the order of ranks (those of rounds of many receives after the others), before any
     * of a later one; a round without sends begins as soon as the one before it has ended. Asked
     * more than once before `begin`. */
    uint64_t (*step)(void *state, int rank, const struct round *round);
    /* All that happens in a step has happened; step 0: what comes before any send. */
    int (*end_step)(void *state, uint64_t step);
};

/* The same, step by step. */
int ranks_walk_steps(const struct schedule *s, const struct walk_model *model,
                     const struct walk_steps *steps, uint64_t *operations, struct err *err);

#endif
