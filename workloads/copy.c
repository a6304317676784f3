/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/copy.h"

#include <string.h>
#include <unistd.h>

#include "workloads/charge.h"

enum {
    LINE = 64,
    PAGE = 4096,
    APART = PAGE / 2 + LINE, /* of source and target within a page: loads that follow stores to a
                                like address would wait for them */
    CACHES = 2,              /* source and target are each so many caches large */
    CACHE_UNKNOWN = 1 << 25, /* bytes, where the system does not tell */
    CACHE_MOST = 1 << 28     /* virtual machines tell of caches that they share with many */
};

static size_t last_cache(void)
{
    long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
    if (bytes <= 0)
        bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
    if (bytes <= 0)
        return CACHE_UNKNOWN;
    return bytes < CACHE_MOST ? (size_t)bytes : CACHE_MOST;
}

static size_t rounded(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

/* Copies go through source and target in steps of more than a page, as tables of pages are caches
 * too. */
static size_t step_of(uint64_t bytes)
{
    return rounded((size_t)bytes, LINE) + PAGE + LINE;
}

size_t copier_memory(uint64_t most)
{
    const size_t caches = CACHES * last_cache(), step = step_of(most);
    return 2 * rounded(step > caches ? step : caches, PAGE) + APART;
}

struct copier copier_of(uint64_t bytes, void *memory, size_t size, const struct cost_list *costs)
{
    struct copier c = { .bytes = (size_t)bytes, .step = step_of(bytes), .costs = costs };
    if (costs)
        return c;
    c.room = (size - APART) / 2;
    c.source = memory;
    c.target = c.source + c.room + APART;
    return c;
}

int copier_run(void *copier)
{
    struct copier *c = copier;
    if (c->costs) {
        charge_wait(charge_seconds(c->costs, c->bytes));
        return 0;
    }
    memcpy(c->target + c->at, c->source + c->at, c->bytes);
    c->at += c->step;
    if (c->at + c->bytes > c->room)
        c->at = 0;
    return 0;
}
