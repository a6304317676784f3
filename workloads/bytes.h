/* SPDX-License-Identifier: BSD-3-Clause */
/* bytes.h - the operation of reductions: the sum of unsigned bytes modulo 256, eight at a time. */
#ifndef WORKLOADS_BYTES_H
#define WORKLOADS_BYTES_H

#include <stdint.h>

/* Byte by byte: the lower seven bits are added, which carries into the eighth and no further. */
static inline uint64_t bytes_sum(uint64_t a, uint64_t b)
{
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
    return ((a & low) + (b & low)) ^ ((a ^ b) & ~low);
}

#endif
