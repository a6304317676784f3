/* SPDX-License-Identifier: BSD-3-Clause */
/* post.c - a pool whose free places are linked, and chained buckets. Room is made when a message is
 * new. */
#include "analysis/walk/post.h"

struct bucket {
    int first, last;
};

static struct bucket *bucket_of(const struct post *post, int src, int dst)
{
    const uint64_t pair = (uint64_t)(uint32_t)src << 32 | (uint32_t)dst;
    return &post->buckets[pair * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (post->n_buckets - 1)];
}

static void append(struct post *post, int i)
{
    struct parcel *p = &post->pool[i];
    struct bucket *b = bucket_of(post, p->message.src, p->message.dst);
    p->next = 0;
    if (b->first)
        post->pool[b->last].next = i;
    else
        b->first = i;
    b->last = i;
}

/* Doubles the buckets; messages of a pair stay in order, because each old bucket is moved in order.
 */
static void spread(struct post *post)
{
    const size_t old_n = post->n_buckets;
    struct bucket *old = post->buckets;
    post->n_buckets = old_n ? 2 * old_n : 64;
    post->buckets = memory_zeros(post->n_buckets, sizeof *post->buckets);
    for (size_t b = 0; b < old_n; b++)
        for (int i = old[b].first, next; i; i = next) {
            next = post->pool[i].next;
            append(post, i);
        }
    free(old);
}

int post_new(struct post *post, const struct walk_message *m)
{
    int i = post->vacant;
    if (i) {
        post->vacant = post->pool[i].next;
    } else {
        const size_t want = (size_t)post->used + 2;
        if (want > INT_MAX)
            memory_ends_as("more than 2147483645 messages are under way at one time: a walk holds "
                           "no more");
        array_room(&post->pool, &post->room, want);
        if (want > post->n_buckets)
            spread(post);
        i = ++post->used;
    }
    post->pool[i].message = *m;
    return i;
}

void post_keep(struct post *post, int message)
{
    append(post, message);
    post->kept++;
}

int post_find(struct post *post, int src, int dst)
{
    struct bucket *b = bucket_of(post, src, dst);
    for (int i = b->first, before = 0; i; before = i, i = post->pool[i].next) {
        if (post->pool[i].message.src != src || post->pool[i].message.dst != dst)
            continue;
        if (before)
            post->pool[before].next = post->pool[i].next;
        else
            b->first = post->pool[i].next;
        if (b->last == i)
            b->last = before;
        post->kept--;
        return i;
    }
    return 0;
}

CLEARS(post_clear, post, it->pool, it->buckets)
