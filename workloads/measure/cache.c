/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/measure/cache.h"

#include <sched.h>
#include <stdio.h>
#include <unistd.h>

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
