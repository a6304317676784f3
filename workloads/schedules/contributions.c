/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/schedules/contributions.h"

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

/* One more, cleared. */
static void add(struct contributions *c)
{
    array_room(&c->sets, &c->sets_room, (c->n + 1) * c->words);
    array_room(&c->in_order, &c->in_order_room, c->n + 1);
    memset(set_of(c, (uint32_t)c->n), 0, c->words * sizeof *c->sets);
    c->in_order[c->n++] = 1;
}

static size_t slot_of(const struct contributions *c, const uint64_t *set, int in_order)
{
    uint64_t hash = (uint64_t)in_order;
    for (size_t i = 0; i < c->words; i++)
        hash = (hash ^ set[i]) * UINT64_C(0x9e3779b97f4a7c15), hash ^= hash >> 29;
    return (size_t)hash & (c->n_slots - 1);
}

/* The slot of such a content, or the free one where it belongs. */
static size_t find(const struct contributions *c, const uint64_t *set, int in_order)
{
    size_t at = slot_of(c, set, in_order);
    for (; c->slots[at]; at = (at + 1) & (c->n_slots - 1)) {
        const uint32_t content = c->slots[at] - 1;
        if (c->in_order[content] == in_order &&
            memcmp(set_of(c, content), set, c->words * sizeof *set) == 0)
            break;
    }
    return at;
}

static void remember(struct contributions *c, uint32_t content)
{
    c->slots[find(c, set_of(c, content), c->in_order[content])] = content + 1;
}

/* Slots for twice as many contents as there are. */
static void widen(struct contributions *c)
{
    free(c->slots);
    while (c->n_slots < 4 * c->n)
        c->n_slots *= 2;
    c->slots = memory_zeros(c->n_slots, sizeof *c->slots);
    for (size_t i = 0; i < c->n; i++)
        remember(c, (uint32_t)i);
}

void contributions_init(struct contributions *c, int procs)
{
    *c = (struct contributions){ .procs = procs,
                                 .words = ((size_t)procs + BITS - 1) / BITS,
                                 .n_slots = 64 };
    c->last.in = c->last.inout = UINT32_MAX; /* no content */
    for (int rank = 0; rank < procs; rank++) {
        add(c);
        set_of(c, (uint32_t)rank)[rank / BITS] |= UINT64_C(1) << rank % BITS;
    }
    widen(c);
}

int contributions_combine(struct contributions *c, uint32_t in, uint32_t inout, uint32_t *sum,
                          int *twice)
{
    if (in == c->last.in && inout == c->last.inout) {
        *sum = c->last.sum;
        return 0;
    }
    add(c);
    const uint64_t *a = set_of(c, in), *b = set_of(c, inout);
    uint64_t *both = set_of(c, (uint32_t)--c->n); /* room, not yet counted */
    for (size_t i = 0; i < c->words; i++) {
        if (a[i] & b[i]) {
            *twice = (int)i * BITS + lowest(a[i] & b[i]);
            return -1;
        }
        both[i] = a[i] | b[i];
    }
    int in_order = c->in_order[in] && c->in_order[inout] &&
                   greatest_rank(a, c->words) < least_rank(b, c->words);
    *sum = c->slots[find(c, both, in_order)] - 1;
    if (*sum == UINT32_MAX) { /* its slot is free */
        *sum = (uint32_t)c->n;
        c->in_order[c->n++] = (unsigned char)in_order;
        remember(c, *sum);
        if (2 * c->n > c->n_slots)
            widen(c);
    }
    c->last.in = in;
    c->last.inout = inout;
    c->last.sum = *sum;
    return 0;
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

CLEARS(contributions_clear, contributions, it->sets, it->in_order, it->slots)
