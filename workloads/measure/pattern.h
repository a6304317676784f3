/* SPDX-License-Identifier: BSD-3-Clause */
/* pattern.h - known values for the correctness pass: every byte follows from the block it belongs
 * to (e.g. the root's message, or one rank's part), its position and the seed. Pure C. */
#pragma once

#include "harness/base/base.h"

/* The exclusive or of n blocks: first, first + step, ...; of one block the block itself. */
struct pattern {
    uint64_t first, step, n, seed;
};

/* Writes its bytes. */
void pattern_fill(void *buf, uint64_t bytes, const struct pattern *p);

/* Writes bytes that differ everywhere from it. */
void pattern_poison(void *buf, uint64_t bytes, const struct pattern *p);

/* Position of the first byte that is not the pattern's, or bytes when all are. */
uint64_t pattern_check(const void *buf, uint64_t bytes, const struct pattern *p);
