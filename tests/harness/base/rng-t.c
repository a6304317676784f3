/* SPDX-License-Identifier: BSD-3-Clause */
/* rng: the published sequences, ranges without bias, moments within five standard errors. */
#include <math.h>
#include <string.h>

#include "harness/base/rng.h"
#include "tests/tap.h"

/* Reference output of xoshiro256** 1.0 (Blackman & Vigna) from state {1, 2, 3, 4}, and of
 * splitmix64 from seed 1234567. */
static void test_reference(void)
{
    static const uint64_t wanted[] = { 11520,
                                       0,
                                       1509978240,
                                       UINT64_C(1215971899390074240),
                                       UINT64_C(1216172134540287360),
                                       UINT64_C(607988272756665600),
                                       UINT64_C(16172922978634559625),
                                       UINT64_C(8476171486693032832) };
    static const uint64_t state[] = { UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                      UINT64_C(9817491932198370423),
                                      UINT64_C(4593380528125082431) };
    struct rng rng = { { 1, 2, 3, 4 } };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        ok(rng_u64(&rng) == wanted[i], "number %zu of xoshiro256** is the published one", i);
    rng_init(&rng, 1234567);
    for (int i = 0; i < 4; i++)
        ok(rng.s[i] == state[i], "word %d of the state is splitmix64's", i);
}

static void test_below(void)
{
    static const uint64_t n[] = { 1, 2, 3, 7, 10, 1000 };
    struct rng rng;
    rng_init(&rng, 1);
    for (size_t i = 0; i < sizeof n / sizeof *n; i++) {
        unsigned counts[1000] = { 0 };
        double chi2 = 0, expect = 1e5 / (double)n[i];
        int inside = 1;
        for (int k = 0; k < 100000; k++) {
            uint64_t x = rng_below(&rng, n[i]);
            inside = inside && x < n[i];
            counts[x % 1000]++;
        }
        for (uint64_t v = 0; v < n[i]; v++)
            chi2 += (counts[v] - expect) * (counts[v] - expect) / expect;
        double room = (double)n[i] - 1 + 5 * sqrt(2.0 * (double)n[i]);
        ok(inside, "rng_below(%d) stays below it", (int)n[i]);
        ok(chi2 <= room, "and is uniform (chi2 %.1f, at most %.1f)", chi2, room);
    }
    uint64_t large = UINT64_C(3) << 62; /* plain modulo would give the lower third twice as often */
    int low = 0;
    for (int k = 0; k < 10000; k++)
        low += rng_below(&rng, large) < large / 3;
    ok(abs(low - 3333) < 5 * 48, "a range near 2^64 is fair too (%d of 10000 in its lower third)",
       low);
}

static void test_moments(void)
{
    enum { N = 200000 };
    struct rng rng;
    double u = 0, uu = 0, z = 0, zz = 0, z4 = 0;
    int in = 1;
    rng_init(&rng, 2);
    for (int i = 0; i < N; i++) {
        double x = rng_unit(&rng), y = rng_normal(&rng);
        in = in && x >= 0 && x < 1;
        u += x / N;
        uu += x * x / N;
        z += y / N;
        zz += y * y / N;
        z4 += y * y * y * y / N;
    }
    double five = 5 / sqrt(N);
    ok(in, "rng_unit stays in [0, 1)");
    is_near(0.5, u, 2 * five * sqrt(1.0 / 12), "its mean is 1/2");
    is_near(1.0 / 3, uu, 3 * five * sqrt(4.0 / 45), "its second moment is 1/3");
    is_near(0, z, five, "rng_normal has mean 0");
    is_near(1, zz, five * sqrt(2), "variance 1");
    is_near(3, z4, five * sqrt(96) / 3, "and fourth moment 3");
}

static void test_shuffle(void)
{
    struct rng rng;
    int first[4] = { 0 }, whole = 1;
    rng_init(&rng, 3);
    for (int k = 0; k < 8000; k++) {
        int a[4] = { 0, 1, 2, 3 };
        rng_shuffle(&rng, a, 4, sizeof *a);
        whole = whole && (1 << a[0] | 1 << a[1] | 1 << a[2] | 1 << a[3]) == 15;
        first[a[0]]++;
    }
    ok(whole, "a shuffle keeps every element");
    for (int i = 0; i < 4; i++)
        ok(abs(first[i] - 2000) < 5 * 39, "element %d comes first in a quarter (%d of 8000)", i,
           first[i]);
    int one = 9;
    rng_shuffle(&rng, &one, 1, sizeof one);
    rng_shuffle(&rng, &one, 0, sizeof one);
    is_int(9, one, "shuffling one or none does nothing");
}

static void test_seed(void)
{
    struct rng a, b, c;
    rng_init(&a, 0);
    rng_init(&b, 0);
    rng_init(&c, 1);
    uint64_t x = rng_u64(&a), y = rng_u64(&b), z = rng_u64(&c);
    ok(x == y, "the same seed gives the same numbers");
    ok(x != z, "the next seed others");
    ok(x != 0, "and seed 0 is a good one");
}

int main(void)
{
    test_reference();
    test_below();
    test_moments();
    test_shuffle();
    test_seed();
    return tap_done();
}
