/* SPDX-License-Identifier: BSD-3-Clause */
/* pattern-t.c - the correctness pass finds every wrong byte. */
#include <string.h>

#include "tests/tap.h"
#include "workloads/measure/pattern.h"

enum { MOST = 100 };

static int finds_each(uint64_t bytes)
{
    unsigned char buf[MOST];
    for (uint64_t i = 0; i < bytes; i++) {
        pattern_fill(buf, bytes, &(struct pattern){ 3, 1, 1, 1 });
        buf[i] ^= 1;
        if (pattern_check(buf, bytes, &(struct pattern){ 3, 1, 1, 1 }) != i)
            return 0;
    }
    return 1;
}

/* The exclusive or of blocks 2, 5, 8, 11 and 14, made of the blocks themselves. */
static int combined_is_found(uint64_t bytes)
{
    static const struct pattern five = { 2, 3, 5, 1 }, four = { 2, 3, 4, 1 };
    unsigned char sum[MOST] = { 0 }, block[MOST], wrong[MOST];
    for (uint64_t b = 2; b < 17; b += 3) {
        pattern_fill(block, bytes, &(struct pattern){ b, 1, 1, 1 });
        for (uint64_t i = 0; i < bytes; i++)
            sum[i] ^= block[i];
    }
    pattern_poison(wrong, bytes, &five);
    for (uint64_t i = 0; i < bytes; i++)
        if (wrong[i] == sum[i])
            return 0;
    if (pattern_check(sum, bytes, &five) != bytes)
        return 0;
    return bytes == 0 || pattern_check(sum, bytes, &four) < bytes;
}

static int all_differ(uint64_t bytes)
{
    unsigned char right[MOST], wrong[MOST];
    pattern_fill(right, bytes, &(struct pattern){ 3, 1, 1, 1 });
    pattern_poison(wrong, bytes, &(struct pattern){ 3, 1, 1, 1 });
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
        pattern_fill(buf, bytes, &(struct pattern){ 3, 1, 1, 1 });
        is_int((long long)bytes,
               (long long)pattern_check(buf, bytes, &(struct pattern){ 3, 1, 1, 1 }),
               "%d bytes are as written", (int)bytes);
        is_int(kept, buf[bytes], "and the next is untouched");
        ok(finds_each(bytes), "each wrong byte is found where it is");
        ok(all_differ(bytes), "poison differs everywhere");
        ok(combined_is_found(bytes), "the blocks combined are known, one less is wrong");
    }
    pattern_fill(buf, MOST, &(struct pattern){ 3, 1, 1, 1 });
    ok(pattern_check(buf, MOST, &(struct pattern){ 4, 1, 1, 1 }) < 8,
       "another block is another pattern");
    ok(pattern_check(buf, MOST, &(struct pattern){ 3, 1, 1, 2 }) < 8, "another seed, too");
    memmove(buf, buf + 8, MOST - 8);
    ok(pattern_check(buf, MOST - 8, &(struct pattern){ 3, 1, 1, 1 }) < 8,
       "shifted by a word: found");
    return tap_done();
}
