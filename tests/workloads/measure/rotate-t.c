/* SPDX-License-Identifier: BSD-3-Clause */
/* rotate-t.c - places of buffers: apart from each other, all used before one comes again, and more
 * of them than a cache holds. */
#include "workloads/measure/rotate.h"

#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"

enum { MANY_CALLS = 100000 };

/* A ring that is marked place by place: places that were free when they were taken. */
static size_t taken_once(const struct rotation *r, char *memory, size_t bytes)
{
    size_t once = 0;
    for (size_t i = 0; i < r->places; i++) {
        char *at = rotation_place(r, i);
        const int inside = at >= memory && at + bytes <= memory + r->bytes - 2 * cache_last();
        once += inside && !memchr(at, 'x', bytes);
        memset(at, 'x', bytes);
    }
    return once;
}

static void ring(char *memory, size_t size, size_t bytes, size_t most_calls)
{
    struct rotation r = rotation_of(memory, size, bytes, most_calls);
    memset(memory, '.', size);
    is_int((long)r.places, (long)taken_once(&r, memory, bytes),
           "%zu bytes: every place is taken once, and none is within another", bytes);
    ok(rotation_place(&r, r.places) == rotation_place(&r, 0), "then the first one comes again");
    const size_t touched = r.places * cache_rounded(bytes, CACHE_LINE);
    ok(r.places >= most_calls || touched >= cache_last(),
       "never within a turn, or when more than the last cache was touched (%zu of %zu)", touched,
       cache_last());
    size_t near = 0;
    for (size_t i = 0; i + 1 < r.places; i++) {
        const char *a = rotation_place(&r, i), *b = rotation_place(&r, i + 1);
        near += (size_t)(a > b ? a - b : b - a) < 2 * CACHE_PAGE;
    }
    ok(near == 0 || r.places * r.stride < 8 * CACHE_PAGE, "no place is beside the one before");
    ok((size_t)rotation_place(&r, 1) % (bytes < CACHE_PAGE ? CACHE_LINE : CACHE_PAGE) == 0,
       "each begins where the library likes it");
    rotation_chill(&r);
    ok(!memchr(memory, 1, size - 2 * cache_last()), "and keeps its data when it leaves the caches");
}

/* The memory was made where the last cache was smaller: nothing before it is touched. */
static void moved_to_larger_cache(char *memory)
{
    char *ring = memory + CACHE_PAGE;
    memset(memory, '.', CACHE_PAGE);
    struct rotation r = rotation_of(ring, 8 * CACHE_PAGE, CACHE_PAGE, MANY_CALLS);
    is_int(4, (long)r.places, "less memory than the cache wants: half of it is the ring");
    memset(ring, '.', 4 * CACHE_PAGE);
    if (r.places == 4)
        rotation_chill(&r);
    ok(!memchr(memory, 1, 5 * CACHE_PAGE), "and what is before it, and in it, stays");
}

int main(void)
{
    static const size_t sizes[] = { 8, 4000, 5000, 1 << 20 };
    const size_t size = rotation_memory(1 << 20);
    char *memory = aligned_alloc(CACHE_PAGE, size);
    struct rotation none = { .places = 0 };
    ok(memory && size >= 4 * cache_last(), "the ring and what is behind it: four times the cache");
    for (size_t i = 0; memory && i < sizeof sizes / sizeof *sizes; i++)
        ring(memory, size, sizes[i], MANY_CALLS / (i + 1));
    if (memory)
        moved_to_larger_cache(memory);
    is_int(0, (long)rotation_used(&none), "nothing rotates: no place is used");
    const size_t huge = rotation_memory(5 * cache_last());
    struct rotation two = rotation_of(memory, huge, 5 * cache_last(), MANY_CALLS);
    is_int(2, (long)two.places, "of a message above the cache there are two places");
    two.turns = 5;
    is_int(2, (long)rotation_used(&two), "which is how many were used after five turns");
    free(memory);
    return tap_done();
}
