/* SPDX-License-Identifier: BSD-3-Clause */
/* cache.h - size of the processor's last-level cache. */
#pragma once

#include <stddef.h>

enum { CACHE_LINE = 64, CACHE_PAGE = 4096 }; /* bytes */

/* Bytes of the last-level cache of this processor, from the kernel (else from the C library, which
 * counts it several times on some processors); 32 MiB if unknown, at most 256 MiB. */
size_t cache_last(void);

/* Rounds bytes up to whole units. */
size_t cache_rounded(size_t bytes, size_t unit);
