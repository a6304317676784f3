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

/* One block, or the exclusive or of the blocks before it. */
struct source {
    uint64_t block, seed;
    int combined;
};

static uint64_t source_word(const struct source *s, uint64_t position)
{
    uint64_t word = 0;
    if (!s->combined)
        return word_at(position, salt_of(s->block, s->seed));
    for (uint64_t b = 0; b < s->block; b++)
        word ^= word_at(position, salt_of(b, s->seed));
    return word;
}

static void fill(unsigned char *buf, uint64_t bytes, const struct source *s, uint64_t flip)
{
    for (uint64_t i = 0; i < bytes; i += 8) {
        const uint64_t word = source_word(s, i / 8) ^ flip;
        memcpy(buf + i, &word, bytes - i < 8 ? bytes - i : 8);
    }
}

static uint64_t first_wrong(const unsigned char *at, uint64_t bytes, const struct source *s)
{
    for (uint64_t i = 0; i < bytes; i += 8) {
        const uint64_t len = bytes - i < 8 ? bytes - i : 8;
        uint64_t word = source_word(s, i / 8);
        if (memcmp(at + i, &word, len) == 0)
            continue;
        const unsigned char *want = (const unsigned char *)&word;
        for (uint64_t j = 0; j < len; j++)
            if (at[i + j] != want[j])
                return i + j;
    }
    return bytes;
}

void pattern_fill(void *buf, uint64_t bytes, uint64_t block, uint64_t seed)
{
    fill(buf, bytes, &(struct source){ block, seed, 0 }, 0);
}

void pattern_poison(void *buf, uint64_t bytes, uint64_t block, uint64_t seed)
{
    fill(buf, bytes, &(struct source){ block, seed, 0 }, ~UINT64_C(0));
}

uint64_t pattern_check(const void *buf, uint64_t bytes, uint64_t block, uint64_t seed)
{
    return first_wrong(buf, bytes, &(struct source){ block, seed, 0 });
}

void pattern_poison_xor(void *buf, uint64_t bytes, uint64_t blocks, uint64_t seed)
{
    fill(buf, bytes, &(struct source){ blocks, seed, 1 }, ~UINT64_C(0));
}

uint64_t pattern_check_xor(const void *buf, uint64_t bytes, uint64_t blocks, uint64_t seed)
{
    return first_wrong(buf, bytes, &(struct source){ blocks, seed, 1 });
}
