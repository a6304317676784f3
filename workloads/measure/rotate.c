/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/measure/rotate.h"

#include <sched.h>
#include <unistd.h>

enum { CACHES = 2 }; /* the ring, and what is behind it */

static size_t stride_of(size_t bytes)
{
    return cache_rounded(bytes ? bytes : 1, bytes < CACHE_PAGE ? CACHE_LINE : CACHE_PAGE);
}

static size_t behind(void)
{
    return CACHES * cache_last();
}

size_t rotation_memory(size_t most)
{
    const size_t two = 2 * stride_of(most), ring = CACHES * cache_last();
    return cache_rounded(two > ring ? two : ring, CACHE_PAGE) + behind();
}

static size_t common_divisor(size_t a, size_t b)
{
    while (b) {
        const size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* What is behind never takes more than half: a rank may run on a processor with a larger cache by
 * now. */
struct rotation rotation_of(void *memory, size_t size, size_t bytes, size_t most_calls)
{
    struct rotation r = { .memory = memory, .bytes = size, .stride = stride_of(bytes) };
    r.behind = behind() < size / 2 ? behind() : size / 2;
    r.places = (size - r.behind) / r.stride;
    if (r.places > most_calls)
        r.places = most_calls > 2 ? most_calls : 2;
    r.step = (size_t)(0.618034 * (double)r.places) + 1;
    while (common_divisor(r.step, r.places) != 1)
        r.step++;
    return r;
}

char *rotation_place(const struct rotation *r, size_t turn)
{
    return r->memory + turn % r->places * r->step % r->places * r->stride;
}

size_t rotation_used(const struct rotation *r)
{
    return r->turns < r->places ? r->turns : r->places;
}

void rotation_chill(const struct rotation *r)
{
    memset(r->memory + r->bytes - r->behind, 1, r->behind);
}

enum { UNKNOWN = 1 << 25, MOST = 1 << 28, MOST_CACHES = 16 };

/* Of a processor's caches the largest, which is the last; 0: the kernel does not tell. */
static long largest_of(int processor)
{
    char path[96], unit;
    long largest = 0, size;
    for (int i = 0; i < MOST_CACHES; i++) {
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cache/index%d/size", processor,
                 i);
        FILE *in = fopen(path, "re");
        if (!in)
            break;
        if (fscanf(in, "%ld%c", &size, &unit) == 2 && size > 0 && size <= MOST / 1024) {
            size *= unit == 'M' ? 1024 * 1024 : unit == 'K' ? 1024 : 1;
            largest = size > largest ? size : largest;
        }
        fclose(in);
    }
    return largest;
}

size_t cache_last(void)
{
    const int processor = sched_getcpu();
    long bytes = largest_of(processor < 0 ? 0 : processor);
    if (bytes <= 0)
        bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
    if (bytes <= 0)
        bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
    if (bytes <= 0)
        return UNKNOWN;
    return bytes < MOST ? (size_t)bytes : MOST;
}

size_t cache_rounded(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}
