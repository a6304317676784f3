/* SPDX-License-Identifier: BSD-3-Clause */
/* warming-t.c - how long calls are made before they are timed; and what is read of /proc/stat. */
#include <stdio.h>

#include "tests/tap.h"
#include "workloads/measure/warming.h"

/* Calls that the rule makes of a series that is `factor` times as long for its first `slow` calls,
 * in blocks; budget 2 s. */
static int made(int least, double call_s, int slow, double factor, double falling)
{
    const struct warm_rule rule = { .least = least, .budget_s = 2 };
    double seconds[WARM_MOST + 1], scratch[WARM_MOST + 1], elapsed_s = 0, level = 1;
    int n = 0, more;
    while ((more = warm_next(&rule, seconds, n, elapsed_s, scratch, 32)) > 0)
        for (int i = 0; i < more && n <= WARM_MOST; i++, n++, level *= falling)
            elapsed_s += seconds[n] = call_s * level * (n < slow ? factor : 1);
    return n;
}

static void rule_of_calls(void)
{
    is_int(0, made(0, 3e-6, 0, 1, 1), "none where none are asked for");
    is_int(100, made(3, 3e-6, 0, 1, 1), "short and steady: a hundred");
    is_int(200, made(200, 3e-6, 0, 1, 1), "or as many as are asked for");
    is_int(3, made(3, 10e-3, 0, 1, 1), "long: as many as are asked for");
    is_int(3, made(3, 10e-3, 2, 15, 1), "long, the first ones longer: too");
    const int ms = made(3, 2e-3, 0, 1, 1);
    ok(ms >= 25 && ms < 58, "of 2 ms: for a fortieth of the budget (%d)", ms);
    ok(made(3, 3e-6, 70, 15, 1) > 105, "70 slow ones (%d)", made(3, 3e-6, 70, 15, 1));
    ok(made(3, 3e-6, 500, 15, 1) >= 100, "more slow ones than a hundred are cut later");
    const int falls = made(3, 3e-6, 0, 1, 0.998);
    is_int(WARM_MOST, falls, "ever quicker: on until there is an end");
    const struct warm_rule rule = { .least = 3, .budget_s = 2 };
    double falling[120], scratch[120];
    for (int i = 0; i < 120; i++)
        falling[i] = 4e-3 / (1 + i);
    is_int(25, warm_next(&rule, falling, 120, 0.5, scratch, 32), "quicker still: a fifth more");
    is_int(0, warm_next(&rule, falling, 120, 0.7, scratch, 32),
           "unless a third of the budget is spent");
}

static void stolen_ticks(void)
{
    is_int(34184,
           (long long)disturb_stolen("cpu  1542336 171967 396187 325246 7971 0 15289 34184 "
                                     "0 0\ncpu0 772087 81052 184505 183311 2773 0 5453 1 0 0"),
           "stolen ticks of all processors");
    is_int(0, (long long)disturb_stolen("cpu  1 2 3 4\n"), "a system that does not count them");
    is_int(0, (long long)disturb_stolen(""), "or says nothing");
    is_int(0, (long long)disturb_stolen("intr 1 2 3 4 5 6 7 8 9"), "or something else");
}

int main(void)
{
    rule_of_calls();
    stolen_ticks();
    return tap_done();
}
