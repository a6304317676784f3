/* SPDX-License-Identifier: BSD-3-Clause */
/* cache.h - how much the processor keeps at hand. */
#ifndef WORKLOADS_MEASURE_CACHE_H
#define WORKLOADS_MEASURE_CACHE_H

#include <stddef.h>

enum { CACHE_LINE = 64, CACHE_PAGE = 4096 }; /* bytes */

/* Bytes of the last cache of the processor that runs this, as the kernel tells (or, where it does
 * not, the C library, which counts that of some processors several times); 32 MiB where nobody
 * does, and 256 MiB at most. */
size_t cache_last(void);

/* So many bytes as whole units. */
size_t cache_rounded(size_t bytes, size_t unit);

#endif
