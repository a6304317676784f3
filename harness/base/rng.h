/* SPDX-License-Identifier: BSD-3-Clause */
/* rng.h - small seeded random numbers (xoshiro256**, Blackman & Vigna 2018, seeded by splitmix64).
 *
 * For shuffling, bootstrap and planted noise; the caller records the seed. */
#pragma once

#include "harness/base/base.h"

struct rng {
    uint64_t s[4];
};

/* Starts the generator from any 64-bit seed. */
void rng_init(struct rng *rng, uint64_t seed);

/* The next 64 bits. */
uint64_t rng_u64(struct rng *rng);

/* Uniform in 0 … n-1, without modulo bias; n ≥ 1. */
uint64_t rng_below(struct rng *rng, uint64_t n);

/* Uniform in [0, 1). */
double rng_unit(struct rng *rng);

/* Standard normal (polar method). */
double rng_normal(struct rng *rng);

/* Fisher-Yates shuffle of n elements of the given size in bytes. */
void rng_shuffle(struct rng *rng, void *base, size_t n, size_t size);
