/* SPDX-License-Identifier: BSD-3-Clause */
/* steady_state-t.c - a slow beginning is cut, steady series are left whole, marks are heeded where
 * enough is left. */
#include <math.h>
#include <string.h>

#include "harness/base/rng.h"
#include "harness/base/robust.h"
#include "tests/tap.h"

enum { MOST = 1000, SEEDS = 200 };

/* n times around 1 of a relative deviation, the first `slow` of them `factor` times that. */
static void draw(uint64_t seed, double *x, size_t n, size_t slow, double factor, double noise)
{
    struct rng rng;
    rng_init(&rng, seed);
    for (size_t i = 0; i < n; i++)
        x[i] = (i < slow ? factor : 1) * (1 + noise * rng_normal(&rng)) *
               (rng_unit(&rng) < 0.02 ? 3 : 1);
}

/* Of SEEDS such series, those cut within `off` of the truth. */
static int found(size_t n, size_t slow, double factor, double noise, size_t off)
{
    double x[MOST], scratch[MOST];
    int right = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        draw(seed, x, n, slow, factor, noise);
        const size_t cut = steady_state_cut(x, n, scratch);
        right += cut + off >= slow && cut <= slow + off;
    }
    return right;
}

static void slow_beginnings(void)
{
    is_int(SEEDS, found(100, 70, 15, 0.05, 1), "70 of 100 calls 15 times slower: cut there");
    is_int(SEEDS, found(1000, 70, 15, 0.05, 1), "70 of 1000");
    is_int(SEEDS, found(80, 70, 15, 0.05, 1), "70 of 80: ten steady calls tell");
    is_int(SEEDS, found(12, 5, 10, 0.05, 2), "five of twelve");
    const int weak = found(300, 60, 1.3, 0.05, 5);
    ok(weak >= SEEDS - 4, "60 of 300 by 30 %% (%d of %d)", weak, SEEDS);
}

static void steady_series(void)
{
    is_int(SEEDS, found(300, 0, 1, 0.02, 0), "a steady series is left whole");
    is_int(SEEDS, found(10, 0, 1, 0.05, 0), "a short one, too");
    const int wild = found(300, 0, 1, 0.3, 0);
    ok(wild >= SEEDS - 10, "and nearly always a wild one (%d of %d)", wild, SEEDS);
    double x[MOST], scratch[MOST];
    for (size_t i = 0; i < MOST; i++)
        x[i] = i < 500 ? 1 : 2;
    is_int(0, (long long)steady_state_cut(x, MOST, scratch), "a slow end is no slow beginning");
    is_int(0, (long long)steady_state_cut(x, 7, scratch), "seven calls are too few to tell");
    for (size_t i = 0; i < MOST; i++)
        x[i] = i < 500 ? 1.08 : 1;
    is_int(0, (long long)steady_state_cut(x, MOST, scratch), "8 %% are within what may be");
}

static void marks(void)
{
    double x[100], scratch[200];
    char disturbed[100] = { 0 }, keep[100];
    draw(1, x, 100, 0, 1, 0.02);
    is_int(100, (long long)steady_state_keep(x, NULL, 100, scratch, keep), "without marks: all");
    memset(disturbed + 20, 1, 70);
    is_int(30, (long long)steady_state_keep(x, disturbed, 100, scratch, keep), "disturbed ones go");
    ok(keep[19] && !keep[20] && !keep[89] && keep[90], "those, and no others");
    memset(disturbed, 1, 81);
    memset(disturbed + 81, 0, 19);
    is_int(100, (long long)steady_state_keep(x, disturbed, 100, scratch, keep),
           "unless less than a fifth is left");
    memset(disturbed, 1, 31);
    memset(disturbed + 31, 0, 9);
    is_int(40, (long long)steady_state_keep(x, disturbed, 40, scratch, keep), "or fewer than ten");
    memset(disturbed, 0, sizeof disturbed);
    draw(1, x, 100, 30, 10, 0.02);
    memset(disturbed + 10, 1, 5);
    is_int(70, (long long)steady_state_keep(x, disturbed, 100, scratch, keep),
           "of the others a slow beginning goes");
    ok(!keep[9] && !keep[12] && !keep[29] && keep[30], "with what is marked within it");
}

int main(void)
{
    slow_beginnings();
    steady_series();
    marks();
    return tap_done();
}
