/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/measure/memory_copy.h"

#include "workloads/measure/rotate.h"
#include "workloads/simulated/simulated_cost.h"

enum {
    APART = CACHE_PAGE / 2 + CACHE_LINE, /* of source and target within a page: loads that follow
                                            stores to a like address would wait for them */
    CACHES = 2                           /* source and target are each so many caches large */
};

/* Copies go through source and target in steps of more than a page, as tables of pages are caches
 * too. */
static size_t step_of(uint64_t bytes)
{
    return cache_rounded((size_t)bytes, CACHE_LINE) + CACHE_PAGE + CACHE_LINE;
}

size_t copier_memory(uint64_t most)
{
    const size_t caches = CACHES * cache_last(), step = step_of(most);
    return 2 * cache_rounded(step > caches ? step : caches, CACHE_PAGE) + APART;
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
        simulated_cost_wait(simulated_cost_seconds(c->costs, c->bytes));
        return 0;
    }
    memcpy(c->target + c->at, c->source + c->at, c->bytes);
    c->at += c->step;
    if (c->at + c->bytes > c->room)
        c->at = 0;
    return 0;
}
