/* SPDX-License-Identifier: BSD-3-Clause */
/* post.h - the messages of a walk. A message in flight has a number. Waiting
 * messages are in a hash table by pair of ranks, first in, first out. Both kinds
 * of walk use it: in the order of time (engine.h) and in any order (ranks.h).
 *
 * Memory: O(messages that are held at one time). Start from { 0 }. */
#pragma once

#include "harness/base/base.h"

/* A message with the data of its kind of walk. */
struct walk_message {
    uint64_t bytes;
    int src, dst;
    union {
        struct {
            uint64_t number;
            int phase;
        } stage; /* stage_walk.c, link_walk.c, channel.c: in which it was sent */
        struct {
            double taken; /* when the receiver has it, expected or not; 0: not yet */
            unsigned char channel, stage, arrived;
        } placed; /* seat_walk.c */
        struct {
            uint64_t round; /* of its sender */
            int held;       /* its sender waits until it is delivered */
        } timed;            /* queue.c */
        struct {
            double at; /* when it was sent, or its receive was posted */
            int what;  /* the message, or the receive */
        } replayed;    /* replay.c */
    };
};

struct parcel {
    struct walk_message message;
    int next; /* in its bucket or among the free ones; 0 at the end */
};

struct bucket;

struct post {
    struct parcel *pool; /* the first is never used, so that 0 is no message */
    size_t room;
    int used, vacant;
    struct bucket *buckets;
    size_t n_buckets; /* a power of two, above `used` */
    size_t kept;      /* messages that wait */
};

/* Adds a message and returns its number, from 1. */
int post_new(struct post *post, const struct walk_message *m);

/* The message of a number; valid until the next post_new. */
static inline struct walk_message *post_message(const struct post *post, int message)
{
    return &post->pool[message].message;
}

/* Drops a message that does not wait; its number may be reused. */
static inline void post_drop(struct post *post, int message)
{
    post->pool[message].next = post->vacant;
    post->vacant = message;
}

/* Queues a message after others of its pair. */
void post_keep(struct post *post, int message);

/* Dequeues the first waiting message of a pair: its number, or 0 if none waits. */
int post_find(struct post *post, int src, int dst);
static inline int post_take(struct post *post, int src, int dst)
{
    return post->kept ? post_find(post, src, dst) : 0;
}

void post_clear(struct post *post);
