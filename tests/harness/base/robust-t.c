/* SPDX-License-Identifier: BSD-3-Clause */
/* robust-t.c - order statistics against sorting, intervals against textbook formulas and against
 * what they promise, and what dependent values are worth. */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <string.h>

#include "harness/base/rng.h"
#include "harness/base/robust.h"
#include "tests/tap.h"

enum { MOST = 2000 };

static void quantiles_are_gsls(void)
{
    static const int dfs[] = { 1, 2, 3, 4, 5, 9, 10, 29, 30, 99, 100, 999, 9999 };
    static const double confidences[] = { 0.5, 0.9, 0.95, 0.99, 0.9999 };
    for (size_t i = 0; i < sizeof dfs / sizeof *dfs; i++)
        for (size_t j = 0; j < sizeof confidences / sizeof *confidences; j++)
            is_near(gsl_cdf_tdist_Pinv((1 + confidences[j]) / 2, dfs[i]),
                    student_quantile(confidences[j], dfs[i]), 1e-9,
                    "t of %g with %d degrees of freedom", confidences[j], dfs[i]);
}

static void selects_as_sorting(void)
{
    struct rng rng;
    double x[64], y[64];
    int wrong = 0, medians = 0;
    rng_init(&rng, 1);
    for (int round = 0; round < 2000; round++) {
        const size_t n = 1 + rng_below(&rng, 64), k = rng_below(&rng, n);
        for (size_t i = 0; i < n; i++)
            x[i] = (double)rng_below(&rng, round % 2 ? 5 : 1000000);
        memcpy(y, x, sizeof x);
        gsl_sort(y, 1, n);
        wrong += robust_select(x, n, k) != y[k];
        medians += robust_median(x, n) != gsl_stats_median_from_sorted_data(y, 1, n);
    }
    is_int(0, wrong, "the k-th smallest is that of a sorted array, ties or not");
    is_int(0, medians, "and so is the median");
    ok(isnan(robust_median(x, 0)), "no values have no median");
}

/* The ranks whose values enclose the median, by the binomial distribution itself. */
static void median_by_ranks(void)
{
    static const size_t counts[] = { 6, 7, 10, 11, 50, 1000, 1001, MOST };
    double x[MOST];
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        const size_t n = counts[c];
        size_t k = 0;
        while (gsl_cdf_binomial_P((unsigned)k, 0.5, (unsigned)n) <= 0.025)
            k++;
        for (size_t i = 0; i < n; i++)
            x[i] = (double)((i * 7919 + 13) % 2003);
        double sorted[MOST];
        memcpy(sorted, x, n * sizeof *x);
        gsl_sort(sorted, 1, n);
        const struct interval v = robust_interval(STATISTIC_MEDIAN, x, n, (double)n, 0.95);
        const double off = n > 1000 ? 2 : 0; /* normal approximation: a rank or two */
        ok(fabs(v.low - sorted[k - 1]) <= off && fabs(v.high - sorted[n - k]) <= off,
           "%zu values: from the %zu-th smallest (%g to %g)", n, k, v.low, v.high);
    }
    const struct interval few = robust_interval(STATISTIC_MEDIAN, x, 5, 5, 0.95);
    ok(isnan(few.low) && isinf(interval_relative(&few)), "five values have no interval of 95 %%");
}

static void others_are_textbook(void)
{
    double v[] = { 1.0, 1.2, 0.9, 1.1, 1.05, 9.0, 0.1, 1.0, 1.3, 1.15 };
    const double mean = gsl_stats_mean(v, 1, 10), sd = gsl_stats_sd(v, 1, 10);
    struct interval m = robust_interval(STATISTIC_MEAN, v, 10, 10, 0.95);
    is_near(mean, m.centre, 1e-12, "mean");
    is_near(gsl_cdf_tdist_Pinv(0.975, 9) * sd / sqrt(10) / mean, interval_relative(&m), 1e-12,
            "Student's half-width over it");
    double wins[] = { 1.0, 1.2, 0.9, 1.1, 1.05, 1.3, 0.9, 1.0, 1.3, 1.15 };
    const double half = gsl_cdf_tdist_Pinv(0.975, 7) * gsl_stats_sd(wins, 1, 10) / (0.8 * sqrt(10));
    m = robust_interval(STATISTIC_TRIMMED, v, 10, 10, 0.95);
    is_near((1.0 + 1.2 + 0.9 + 1.1 + 1.05 + 1.0 + 1.3 + 1.15) / 8, m.centre, 1e-12,
            "the trimmed mean leaves a tenth out at either end");
    is_near(half, (m.high - m.low) / 2, 1e-12, "Tukey and McLaughlin's half-width");
    const struct interval zero = { 0, 0, 0 }, none = { 1, NAN, NAN };
    ok(interval_relative(&zero) == 0 && isinf(interval_relative(&none)), "widths at the edges");
    is_int(STATISTIC_TRIMMED, statistic_find("trimmed"), "a statistic by its name");
    is_int(-1, statistic_find("mode"), "there are three");
}

/* n values of an autoregressive series of variance 1. */
static void correlated(struct rng *rng, double r, double *x, size_t n)
{
    double a = rng_normal(rng);
    for (size_t i = 0; i < n; i++) {
        x[i] = a;
        a = r * a + sqrt(1 - r * r) * rng_normal(rng);
    }
}

/* In how many of 400 series of `n` values the interval holds the true centre. */
static int covers(enum statistic statistic, double r, size_t n, int independent)
{
    double x[MOST], scratch[2 * MOST];
    int held = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        struct rng rng;
        rng_init(&rng, seed);
        correlated(&rng, r, x, n);
        const double worth = independent ? (double)n : robust_effective(statistic, x, n, scratch);
        const struct interval v = robust_interval(statistic, x, n, worth, 0.95);
        held += v.low <= 0 && 0 <= v.high;
    }
    return held;
}

static void keeps_its_promise(void)
{
    for (int s = STATISTIC_MEDIAN; s <= STATISTIC_TRIMMED; s++) {
        const char *name = statistic_words[s];
        int held = covers(s, 0, 200, 0);
        ok(held >= 368 && held <= 397, "%s of independent values: held by %d of 400", name, held);
        held = covers(s, 0.8, 1000, 0);
        ok(held >= 360, "%s of values that depend on each other: by %d", name, held);
        held = covers(s, 0.8, 1000, 1);
        ok(held < 300, "%s, taken as independent: by %d alone", name, held);
    }
}

static void worth(void)
{
    double x[MOST], scratch[2 * MOST];
    struct rng rng;
    rng_init(&rng, 3);
    correlated(&rng, 0, x, MOST);
    const double free = robust_effective(STATISTIC_MEDIAN, x, MOST, scratch);
    ok(free > 0.7 * MOST && free <= MOST, "independent values are worth their number (%g)", free);
    correlated(&rng, 0.9, x, MOST);
    const double bound = robust_effective(STATISTIC_MEDIAN, x, MOST, scratch);
    ok(bound < 0.2 * MOST, "dependent ones less (%g)", bound);
    for (size_t i = 0; i < MOST; i++)
        x[i] = 1;
    is_near(MOST, robust_effective(STATISTIC_MEDIAN, x, MOST, scratch), 0, "equal ones all");
    for (size_t i = 0; i < MOST; i++)
        x[i] = (double)(i % 2);
    is_near(MOST, robust_effective(STATISTIC_TRIMMED, x, MOST, scratch), 0,
            "and never more than their number");
}

int main(void)
{
    quantiles_are_gsls();
    selects_as_sorting();
    median_by_ranks();
    others_are_textbook();
    keeps_its_promise();
    worth();
    return tap_done();
}
