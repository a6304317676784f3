/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/rng.h"

static uint64_t rotl(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

void rng_init(struct rng *rng, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        uint64_t z = (seed += UINT64_C(0x9e3779b97f4a7c15));
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        rng->s[i] = z ^ (z >> 31);
    }
}

uint64_t rng_u64(struct rng *rng)
{
    uint64_t *s = rng->s;
    uint64_t result = rotl(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return result;
}

uint64_t rng_below(struct rng *rng, uint64_t n)
{
    uint64_t limit = UINT64_MAX - UINT64_MAX % n; /* a multiple of n: values below it are fair */
    uint64_t x;
    do
        x = rng_u64(rng);
    while (x >= limit);
    return x % n;
}

double rng_unit(struct rng *rng)
{
    return (double)(rng_u64(rng) >> 11) * 0x1.0p-53;
}

double rng_normal(struct rng *rng)
{
    double u, v, s;
    do {
        u = 2 * rng_unit(rng) - 1;
        v = 2 * rng_unit(rng) - 1;
        s = u * u + v * v;
    } while (s >= 1 || s == 0);
    return u * sqrt(-2 * log(s) / s);
}

void rng_shuffle(struct rng *rng, void *base, size_t n, size_t size)
{
    unsigned char *bytes = base;
    for (size_t i = n; i > 1; i--) {
        size_t j = rng_below(rng, i);
        unsigned char *a = bytes + (i - 1) * size, *b = bytes + j * size;
        for (size_t k = 0; k < size; k++) {
            unsigned char t = a[k];
            a[k] = b[k];
            b[k] = t;
        }
    }
}
