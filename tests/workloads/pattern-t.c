/* SPDX-License-Identifier: BSD-3-Clause */
/* pattern-t.c - the correctness pass finds every wrong byte. */
#include <string.h>

#include "tests/tap.h"
#include "workloads/pattern.h"

enum { MOST = 100 };

static int finds_each(uint64_t bytes)
{
    unsigned char buf[MOST];
    for (uint64_t i = 0; i < bytes; i++) {
        pattern_fill(buf, bytes, 3, 1);
        buf[i] ^= 1;
        if (pattern_check(buf, bytes, 3, 1) != i)
            return 0;
    }
    return 1;
}

/* The exclusive or of blocks 0 … 4, made of the blocks themselves. */
static int combined_is_found(uint64_t bytes)
{
    unsigned char sum[MOST] = { 0 }, block[MOST], wrong[MOST];
    for (uint64_t b = 0; b < 5; b++) {
        pattern_fill(block, bytes, b, 1);
        for (uint64_t i = 0; i < bytes; i++)
            sum[i] ^= block[i];
    }
    pattern_poison_xor(wrong, bytes, 5, 1);
    for (uint64_t i = 0; i < bytes; i++)
        if (wrong[i] == sum[i])
            return 0;
    if (pattern_check_xor(sum, bytes, 5, 1) != bytes)
        return 0;
    return bytes == 0 || pattern_check_xor(sum, bytes, 4, 1) < bytes;
}

static int all_differ(uint64_t bytes)
{
    unsigned char right[MOST], wrong[MOST];
    pattern_fill(right, bytes, 3, 1);
    pattern_poison(wrong, bytes, 3, 1);
    for (uint64_t i = 0; i < bytes; i++)
        if (right[i] == wrong[i])
            return 0;
    return 1;
}

int main(void)
{
    unsigned char buf[MOST], kept = 0x77;
    for (uint64_t bytes = 0; bytes <= 17; bytes++) {
        memset(buf, kept, sizeof buf);
        pattern_fill(buf, bytes, 3, 1);
        is_int((long long)bytes, (long long)pattern_check(buf, bytes, 3, 1),
               "%d bytes are as written", (int)bytes);
        is_int(kept, buf[bytes], "and the next is untouched");
        ok(finds_each(bytes), "each wrong byte is found where it is");
        ok(all_differ(bytes), "poison differs everywhere");
        ok(combined_is_found(bytes), "the blocks combined are known, one less is wrong");
    }
    pattern_fill(buf, MOST, 3, 1);
    ok(pattern_check(buf, MOST, 4, 1) < 8, "another block is another pattern");
    ok(pattern_check(buf, MOST, 3, 2) < 8, "another seed, too");
    memmove(buf, buf + 8, MOST - 8);
    ok(pattern_check(buf, MOST - 8, 3, 1) < 8, "shifted by a word: found");
    return tap_done();
}
