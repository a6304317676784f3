/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/schedules/contributions.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"

enum { BITS = 64 };

static uint64_t *set_of(const struct contributions *c, uint32_t content)
{
    return c->sets + (size_t)content * c->words;
}

static int lowest(uint64_t word)
{
    return __builtin_ctzll(word);
}

static int least_rank(const uint64_t *set, size_t words)
{
    for (size_t i = 0; i < words; i++)
        if (set[i])
            return (int)i * BITS + lowest(set[i]);
    return -1;
}

static int greatest_rank(const uint64_t *set, size_t words)
{
    for (size_t i = words; i-- > 0;)
        if (set[i])
            return (int)i * BITS + BITS - 1 - __builtin_clzll(set[i]);
    return -1;
}

/* Room for one more, cleared; -1 when out of memory. */
static int add(struct contributions *c)
{
    if (array_room(&c->sets, &c->sets_room, (c->n + 1) * c->words) < 0 ||
        array_room(&c->in_order, &c->in_order_room, c->n + 1) < 0)
        return -1;
    memset(set_of(c, (uint32_t)c->n), 0, c->words * sizeof *c->sets);
    c->in_order[c->n++] = 1;
    return 0;
}

int contributions_init(struct contributions *c, int procs)
{
    *c = (struct contributions){ .procs = procs, .words = ((size_t)procs + BITS - 1) / BITS };
    c->last.in = c->last.inout = UINT32_MAX; /* no content */
    for (int rank = 0; rank < procs; rank++) {
        if (add(c) < 0)
            return -1;
        set_of(c, (uint32_t)rank)[rank / BITS] |= UINT64_C(1) << rank % BITS;
    }
    return 0;
}

/* A content that is there already, else n. */
static size_t find(const struct contributions *c, const uint64_t *set, int in_order)
{
    size_t i = 0;
    while (i < c->n && (c->in_order[i] != in_order ||
                        memcmp(set_of(c, (uint32_t)i), set, c->words * sizeof *set) != 0))
        i++;
    return i;
}

enum combined contributions_combine(struct contributions *c, uint32_t in, uint32_t inout,
                                    uint32_t *sum, int *twice)
{
    if (in == c->last.in && inout == c->last.inout) {
        *sum = c->last.sum;
        return COMBINED;
    }
    if (add(c) < 0)
        return COMBINED_NO_MEMORY;
    const uint64_t *a = set_of(c, in), *b = set_of(c, inout);
    uint64_t *both = set_of(c, (uint32_t)--c->n); /* room, not yet counted */
    for (size_t i = 0; i < c->words; i++) {
        if (a[i] & b[i]) {
            *twice = (int)i * BITS + lowest(a[i] & b[i]);
            return COMBINED_TWICE;
        }
        both[i] = a[i] | b[i];
    }
    int in_order = c->in_order[in] && c->in_order[inout] &&
                   greatest_rank(a, c->words) < least_rank(b, c->words);
    size_t found = find(c, both, in_order);
    if (found == c->n)
        c->in_order[c->n++] = (unsigned char)in_order;
    c->last.in = in;
    c->last.inout = inout;
    *sum = c->last.sum = (uint32_t)found;
    return COMBINED;
}

static int holds(const struct contributions *c, uint32_t content, int rank)
{
    return set_of(c, content)[rank / BITS] >> rank % BITS & 1;
}

int contributions_missing(const struct contributions *c, uint32_t content, int first, int last)
{
    for (int rank = first; rank <= last; rank++)
        if (!holds(c, content, rank))
            return rank;
    return -1;
}

int contributions_beyond(const struct contributions *c, uint32_t content, int last)
{
    for (int rank = last + 1; rank < c->procs; rank++)
        if (holds(c, content, rank))
            return rank;
    return -1;
}

void contributions_clear(struct contributions *c)
{
    free(c->sets);
    free(c->in_order);
    *c = (struct contributions){ 0 };
}
