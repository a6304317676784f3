/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/measure/pattern.h"

/* Eight bytes of the block: splitmix64 of their position (Steele, Lea & Flood 2014). */
static uint64_t word_at(uint64_t position, uint64_t salt)
{
    uint64_t z = salt + position * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static uint64_t salt_of(uint64_t block, uint64_t seed)
{
    return word_at(block + 1, seed);
}

static uint64_t pattern_word(const struct pattern *p, uint64_t position)
{
    uint64_t word = 0;
    for (uint64_t i = 0; i < p->n; i++)
        word ^= word_at(position, salt_of(p->first + i * p->step, p->seed));
    return word;
}

static void fill(unsigned char *buf, uint64_t bytes, const struct pattern *p, uint64_t flip)
{
    for (uint64_t i = 0; i < bytes; i += 8) {
        const uint64_t word = pattern_word(p, i / 8) ^ flip;
        memcpy(buf + i, &word, bytes - i < 8 ? bytes - i : 8);
    }
}

void pattern_fill(void *buf, uint64_t bytes, const struct pattern *p)
{
    fill(buf, bytes, p, 0);
}

void pattern_poison(void *buf, uint64_t bytes, const struct pattern *p)
{
    fill(buf, bytes, p, ~UINT64_C(0));
}

uint64_t pattern_check(const void *buf, uint64_t bytes, const struct pattern *p)
{
    const unsigned char *at = buf;
    for (uint64_t i = 0; i < bytes; i += 8) {
        const uint64_t len = bytes - i < 8 ? bytes - i : 8;
        const uint64_t word = pattern_word(p, i / 8);
        const unsigned char *want = (const unsigned char *)&word;
        for (uint64_t j = 0; j < len; j++)
            if (at[i + j] != want[j])
                return i + j;
    }
    return bytes;
}
