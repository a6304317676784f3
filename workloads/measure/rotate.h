/* SPDX-License-Identifier: BSD-3-Clause */
/* rotate.h - a ring of places for buffers, so that the buffers of each call are in no cache.
 *
 * The ring is twice as large as the last-level cache. The same amount of memory after it is
 * written before the calls of a point, so that the ring is evicted from all caches. Places
 * follow in steps of about 0.6 of the ring, which no prefetcher predicts. A place is reused
 * after all others. For short messages there are as many places as calls, so none is reused. */
#pragma once

#include "harness/base/base.h"

/* Size of the processor's last-level cache. */

enum { CACHE_LINE = 64, CACHE_PAGE = 4096 }; /* bytes */

/* Bytes of the last-level cache of this processor, from the kernel (else from the C library, which
 * counts it several times on some processors); 32 MiB if unknown, at most 256 MiB. */
size_t cache_last(void);

/* Rounds bytes up to whole units. */
size_t cache_rounded(size_t bytes, size_t unit);

struct rotation {
    char *memory;
    size_t bytes;  /* of the memory */
    size_t behind; /* of these, behind the ring */
    size_t stride; /* bytes from place to place */
    size_t places; /* 0: nothing rotates */
    size_t step;   /* from one to the next, in places */
    size_t turns;  /* taken so far */
};

/* Bytes of memory for places of up to so many bytes. */
size_t rotation_memory(size_t most);

/* Places of so many bytes in memory (of at least rotation_memory(bytes); borrowed), for most_calls
 * calls. Those of a page or more begin at one where the memory does; others at a cache line. */
struct rotation rotation_of(void *memory, size_t size, size_t bytes, size_t most_calls);

/* The place of a turn, from 0; the number of places used. */
char *rotation_place(const struct rotation *r, size_t turn);
size_t rotation_used(const struct rotation *r);

/* Evicts all places from the caches. */
void rotation_chill(const struct rotation *r);
