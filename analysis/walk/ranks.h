/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks.h - runs all ranks of a schedule through their rounds, in an order that the messages
 * allow. The costs of rounds, sends and receives come from the model: stage_walk.c, link_walk.c,
 * channel.c.
 *
 * Every rank is a coroutine: it starts a round (its sends go out), takes the round's receives,
 * and continues or waits for a message. A rank that sends lets the receivers it woke run
 * first, so few messages are in flight: memory O(ranks + messages in flight), nothing is kept
 * per segment. This is not the order of time; a model keeps time itself, in the messages. */
#pragma once

#include "analysis/walk/post.h"
#include "workloads/schedules/schedule.h"

/* Callbacks of a model. Each returns 0, or -1 with the walk's *err set. */
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
};

/* A schedule with kept rounds (schedule_keep) is traversed once in any order, and once in steps.
 * The order is recorded in it, and later walks reuse it. So only one thread at a time may walk it.
 *
 * Walks all ranks; *operations counts sends, receives, copies and reductions. Returns 0, or -1 with
 * *err set: a schedule that never ends or leaves messages, or the model's error. */
int ranks_walk(const struct schedule *s, const struct walk_model *model, uint64_t *operations,
               struct err *err);

/* For walks in global steps; otherwise ranks go as far as their messages let them. */
struct walk_steps {
    /* The number, from 1, of the step of this round's sends. All sends of a step go out, in rank
     * order (rounds with many receives last), before those of a later step. A round without sends
     * begins when the previous round has ended. Called more than once before `begin`. */
    uint64_t (*step)(void *state, int rank, const struct round *round);
    /* A step is complete; step 0: everything before the first send. */
    int (*end_step)(void *state, uint64_t step);
};

/* The same, step by step. */
int ranks_walk_steps(const struct schedule *s, const struct walk_model *model,
                     const struct walk_steps *steps, uint64_t *operations, struct err *err);
