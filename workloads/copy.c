/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/copy.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "workloads/charge.h"

enum {
    LINE = 64,
    PAGE = 4096,
    CACHES = 4,             /* source and target are each so many caches large */
    CACHE_UNKNOWN = 1 << 25 /* bytes, where the system does not tell */
};

/* Copies go through source and target in steps of more than a page, as tables of pages are caches
 * too. */
struct copier {
    char *source, *target;
    size_t bytes, step, room, at; /* room: bytes of either */
    const struct cost_list *costs;
};

static size_t last_cache(void)
{
    long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
    if (bytes <= 0)
        bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
    return bytes > 0 ? (size_t)bytes : CACHE_UNKNOWN;
}

static size_t rounded(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

/* Of one allocation, so that free(source) frees both. Source and target differ in their place
 * within a page: loads that follow stores to a like address would wait for them. */
static int take_memory(struct copier *c, struct err *err)
{
    const size_t apart = rounded(c->room, PAGE) + PAGE / 2 + LINE, all = apart + c->room;
    void *memory;
    if (posix_memalign(&memory, PAGE, all) != 0)
        return err_set(err, "out of memory for copies of %llu bytes", (unsigned long long)c->bytes);
    memset(memory, 1, all); /* every page is there before anything is timed */
    c->source = memory;
    c->target = c->source + apart;
    return 0;
}

struct copier *copier_new(uint64_t bytes, const struct cost_list *costs, struct err *err)
{
    const size_t cache = last_cache();
    struct copier *c = calloc(1, sizeof *c);
    if (!c) {
        err_set(err, "out of memory");
        return NULL;
    }
    c->bytes = bytes;
    c->costs = costs;
    c->step = rounded(c->bytes, LINE) + PAGE + LINE;
    c->room = c->step > CACHES * cache ? c->step : CACHES * cache;
    if (!costs && take_memory(c, err) < 0) {
        copier_free(c);
        return NULL;
    }
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

void copier_free(struct copier *copier)
{
    if (copier)
        free(copier->source);
    free(copier);
}
