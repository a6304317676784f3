/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/pattern.h"

#include <string.h>

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

static void fill(unsigned char *buf, uint64_t bytes, uint64_t salt, uint64_t flip)
{
    for (uint64_t i = 0; i < bytes; i += 8) {
        const uint64_t word = word_at(i / 8, salt) ^ flip;
        memcpy(buf + i, &word, bytes - i < 8 ? bytes - i : 8);
    }
}

void pattern_fill(void *buf, uint64_t bytes, uint64_t block, uint64_t seed)
{
    fill(buf, bytes, salt_of(block, seed), 0);
}

void pattern_poison(void *buf, uint64_t bytes, uint64_t block, uint64_t seed)
{
    fill(buf, bytes, salt_of(block, seed), ~UINT64_C(0));
}

uint64_t pattern_check(const void *buf, uint64_t bytes, uint64_t block, uint64_t seed)
{
    const unsigned char *at = buf;
    const uint64_t salt = salt_of(block, seed);
    for (uint64_t i = 0; i < bytes; i += 8) {
        const uint64_t len = bytes - i < 8 ? bytes - i : 8;
        uint64_t word = word_at(i / 8, salt);
        if (memcmp(at + i, &word, len) == 0)
            continue;
        const unsigned char *want = (const unsigned char *)&word;
        for (uint64_t j = 0; j < len; j++)
            if (at[i + j] != want[j])
                return i + j;
    }
    return bytes;
}
