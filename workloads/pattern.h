/* SPDX-License-Identifier: BSD-3-Clause */
/* pattern.h - known values for the correctness pass: every byte follows from the block it belongs
 * to (e.g. the root's message, or one rank's part), its position and the seed. Pure C. */
#ifndef WORKLOADS_PATTERN_H
#define WORKLOADS_PATTERN_H

#include <stdint.h>

/* Writes the bytes of a block. */
void pattern_fill(void *buf, uint64_t bytes, uint64_t block, uint64_t seed);

/* Writes bytes that differ everywhere from the block's. */
void pattern_poison(void *buf, uint64_t bytes, uint64_t block, uint64_t seed);

/* Position of the first byte that is not the block's, or bytes when all are. */
uint64_t pattern_check(const void *buf, uint64_t bytes, uint64_t block, uint64_t seed);

/* The same of the exclusive or of blocks 0 … blocks - 1. */
void pattern_poison_xor(void *buf, uint64_t bytes, uint64_t blocks, uint64_t seed);
uint64_t pattern_check_xor(const void *buf, uint64_t bytes, uint64_t blocks, uint64_t seed);

#endif
