/* SPDX-License-Identifier: BSD-3-Clause */
/* Ratios and winners of planted rounds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/verify/crosscheck_ratios.h"
#include "harness/base/array.h"
#include "harness/base/rng.h"
#include "tests/tap.h"

static void plant(struct cross_values *values, int tool, const char *algorithm, int round,
                  double seconds)
{
    struct cross_value *v = array_add(&values->v, &values->n);
    *v = (struct cross_value){ .tool = tool, .bytes = 64, .round = round, .seconds = seconds };
    snprintf(v->collective, sizeof v->collective, "bcast");
    snprintf(v->algorithm, sizeof v->algorithm, "%s", algorithm);
}

/* The positions are those of tables of the sign test (Conover, Practical Nonparametric Statistics).
 */
static int low_of(int rounds)
{
    struct cross_values values = { 0 };
    struct cross_table table;
    int low = -2;
    for (int r = 1; r <= rounds; r++) { /* ratios 1, 2, 3 ... */
        plant(&values, -1, "default", r, r);
        plant(&values, 0, "default", r, 1);
    }
    cross_judge(&values, 0.95, &table);
    const struct cross_row *row = table.row;
    if (table.n && isnan(row->ci_low) && isnan(row->ci_high))
        low = -1;
    else if (table.n && row->ci_low + row->ci_high == rounds + 1)
        low = (int)row->ci_low - 1;
    cross_table_clear(&table);
    cross_clear(&values);
    return low;
}

static void test_interval(void)
{
    is_int(-2, low_of(0), "no round, no row");
    is_int(-1, low_of(5), "five rounds have no interval of 95 %%");
    is_int(0, low_of(6), "six: from the least to the most");
    is_int(0, low_of(8), "eight likewise");
    is_int(1, low_of(9), "nine: the extremes are left out");
    is_int(2, low_of(12), "twelve: two at either end");
    is_int(5, low_of(20), "twenty: five");
}

/* Of 2,000 seeded samples of a skewed distribution the interval holds the median as often as the
 * binomial distribution says: 1 - 2 (1 + 10) / 2^10 of ten values. */
static void test_coverage(void)
{
    struct rng rng;
    int holds = 0;
    rng_init(&rng, 7);
    for (int i = 0; i < 2000; i++) {
        struct cross_values values = { 0 };
        struct cross_table table;
        for (int r = 1; r <= 10; r++) {
            plant(&values, -1, "default", r, exp(rng_normal(&rng)));
            plant(&values, 0, "default", r, 1);
        }
        cross_judge(&values, 0.95, &table);
        holds += table.row[0].ci_low <= 1 && table.row[0].ci_high >= 1;
        cross_table_clear(&table);
        cross_clear(&values);
    }
    is_near(1 - 22.0 / 1024, holds / 2000.0, 0.01, "the interval of ten rounds holds the median");
}

static void test_pairs(void)
{
    struct cross_values values = { 0 };
    struct cross_table table;
    for (int r = 1; r <= 7; r++) {
        plant(&values, -1, "default", r, 1.1 * r); /* the machine slows both */
        plant(&values, 0, "default", r, r);
    }
    plant(&values, 0, "default", 8, 1e-9); /* ours has none of this round */
    plant(&values, -1, "chain", 1, 5);     /* theirs has none at all */
    plant(&values, 0, "linear", 1, NAN);   /* no number */
    cross_judge(&values, 0.95, &table);
    is_int(1, (long long)table.n, "one cell has both");
    is_int(7, table.row[0].rounds, "rounds that both have");
    is_near(1.1, table.row[0].ratio, 1e-12, "the ratio is of one round");
    is_near(1.1, table.row[0].ci_low, 1e-12, "so what slows both does not widen it");
    is_near(4.4, table.row[0].ours_s, 1e-12, "times are medians");
    is_int(0, (long long)table.n_winners, "the default alone has no winner");
    cross_table_clear(&table);
    cross_clear(&values);
}

/* chain is quicker by us, binomial by them; ties: their rounds cannot tell the two apart. */
static int agree(int ties)
{
    struct cross_values values = { 0 };
    struct cross_table table;
    for (int r = 1; r <= 8; r++) {
        plant(&values, -1, "chain", r, 1);
        plant(&values, -1, "binomial", r, 2);
        plant(&values, 0, "chain", r, ties && r % 2 ? 0.8 : 1.3);
        plant(&values, 0, "binomial", r, 1);
    }
    cross_judge(&values, 0.95, &table);
    const int result = table.n_winners == 1 && strcmp(table.winner[0].ours, "chain") == 0
                           ? table.winner[0].agree
                           : -1;
    cross_table_clear(&table);
    cross_clear(&values);
    return result;
}

int main(void)
{
    test_interval();
    test_coverage();
    test_pairs();
    is_int(0, agree(0), "another winner in every round is another winner");
    is_int(1, agree(1), "one that is quicker in half of the rounds is tied");
    return tap_done();
}
