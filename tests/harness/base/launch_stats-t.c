/* SPDX-License-Identifier: BSD-3-Clause */
/* What launches say together: published binomial counts, and how often the interval holds the truth
 * on planted workloads, with the rule that stops repeating in the loop. With TABLE=1 in the
 * environment it prints the table of docs/notebook/2026-11-22-intervals.md, for other intervals as
 * well. */
#include "harness/base/launch_stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/measure/stats.h"
#include "harness/base/rng.h"
#include "tests/tap.h"

/* ---- the statistic ---- */

static double centre(enum statistic statistic, size_t n)
{
    double x[] = { 9, 1, 2, 3, 4, 5, 6, 7, 8, 1000 };
    return robust_centre(statistic, x, n);
}

static void of_a_launch(void)
{
    is_near(5.5, centre(STATISTIC_MEDIAN, 10), 0, "the median");
    is_near(5.5, centre(STATISTIC_TRIMMED, 10), 1e-12, "the mean of the middle eight");
    is_near(104.5, centre(STATISTIC_MEAN, 10), 1e-12, "the mean");
    is_near(4, centre(STATISTIC_TRIMMED, 3), 1e-12, "of three nothing is cut");
    ok(isnan(centre(STATISTIC_MEDIAN, 0)), "no samples, no time");
}

/* ---- intervals of known launches ---- */

static void known(void)
{
    double t[] = { 7, 1, 2, 3, 4, 5, 6, 8, 9 };
    struct over_launches o;
    over_launches(t, 0, STATISTIC_MEDIAN, 0.95, &o);
    ok(isnan(o.time) && o.method == OVER_NOTHING, "no launch, no time");
    over_launches(t, 1, STATISTIC_MEDIAN, 0.95, &o);
    ok(o.time == 7 && isnan(o.low) && isnan(o.rel_ci) && o.method == OVER_ONE,
       "one launch has a time and no interval");
    over_launches(t, 2, STATISTIC_MEDIAN, 0.95, &o);
    ok(o.method == OVER_STUDENT && o.time == 4, "two have one of Student's t");
    is_near(12.7062 * 3, o.time * log(o.high / o.time), 1e-5, "of one degree of freedom");
    is_near(o.time, sqrt(o.low * o.high), 1e-9, "as a factor to either side: no end is below 0");
    over_launches(t, 5, STATISTIC_MEDIAN, 0.95, &o);
    ok(o.method == OVER_STUDENT, "five are too few for order statistics at 95 %%");
    over_launches(t, 6, STATISTIC_MEDIAN, 0.95, &o);
    ok(o.method == OVER_ORDER && o.low == 1 && o.high == 7, "six: from the least to the largest");
    over_launches(t, 8, STATISTIC_MEDIAN, 0.95, &o);
    ok(o.low == 1 && o.high == 8, "eight: the same, as 1 - 18/256 is not enough");
    over_launches(t, 9, STATISTIC_MEDIAN, 0.95, &o);
    ok(o.low == 2 && o.high == 8 && o.time == 5,
       "nine: from the second to the last but one, 1 - 20/512");
    over_launches(t, 9, STATISTIC_MEAN, 0.95, &o);
    ok(o.method == OVER_STUDENT && o.time == 5, "a mean has Student's, however many");
    is_near(2.30600 * sqrt(7.5) / 3, o.time * log(o.high / o.time), 1e-5,
            "of eight degrees of freedom");
    is_near(sqrt(7.5) / 5, o.spread, 1e-12, "the spread is relative");
    t[0] = 1e6;
    over_launches(t, 6, STATISTIC_MEDIAN, 0.95, &o);
    is_near(3.5, o.time, 0, "one launch that takes a million times as long moves no median");
}

/* ---- planted workloads ---- */

enum { CALLS = 30, LEAST = 6, MOST = 12, POPULATION = 4001 };

enum workload { QUIET, TAILS, BURSTS, DRIFT, TWO_SPEEDS, COIN, WAVES, SKEWED, WILD, N_WORKLOADS };

static const char *const workload_names[N_WORKLOADS] = {
    "quiet",  "heavy tails", "bursts",          "drift in a launch", "two speeds",
    "a coin", "dependent",   "skewed launches", "wild launches",
};

/* What a launch is multiplied by. */
static double level_of(enum workload w, struct rng *rng)
{
    const double z = rng_normal(rng), u = rng_unit(rng), a = rng_normal(rng), b = rng_normal(rng);
    switch (w) {
    case TAILS:
        return 1 + 0.02 * z;
    case TWO_SPEEDS: /* memory lies well or badly */
        return (u < 0.3 ? 1.1 : 1) * (1 + 0.005 * z);
    case COIN:
        return (u < 0.5 ? 1.1 : 1) * (1 + 0.005 * z);
    case SKEWED:
        return 1 + 0.03 * exp(z);
    case WILD: /* Student's t of two degrees of freedom: no variance */
        return fmax(0.1, 1 + 0.01 * z / sqrt((a * a + b * b) / 2));
    default:
        return 1 + 0.01 * z;
    }
}

/* Median of the calls of one launch. */
static double launch(enum workload w, struct rng *rng)
{
    double x[CALLS], wave = rng_normal(rng);
    const double level = level_of(w, rng), slope = w == DRIFT ? 0.1 * rng_normal(rng) : 0;
    const int burst = w == BURSTS && rng_unit(rng) < 0.15, from = (int)rng_below(rng, CALLS);
    for (int i = 0; i < CALLS; i++) {
        double z = rng_normal(rng);
        wave = 0.9 * wave + sqrt(1 - 0.81) * z;
        z = w == WAVES ? wave : z;
        x[i] = level * (1 + slope * (i - CALLS / 2.) / CALLS) * (1 + 0.02 * z);
        if (w == TAILS)
            x[i] *= (rng_unit(rng) < 0.05 ? 3 : 1) * exp(0.05 * fabs(rng_normal(rng)));
        if (burst && (i >= from || i < from - CALLS / 3)) /* two thirds of its calls */
            x[i] *= 2;
    }
    return robust_centre(STATISTIC_MEDIAN, x, CALLS);
}

/* ---- intervals that are not ours, to compare with ---- */

typedef void interval_function(const double *time, size_t n, struct over_launches *over);

static void by_order(const double *time, size_t n, struct over_launches *over)
{
    over_launches(time, n, STATISTIC_MEDIAN, 0.95, over);
}

static void by_student(const double *time, size_t n, struct over_launches *over)
{
    over_launches(time, n, STATISTIC_MEAN, 0.95, over);
}

/* Largest k with P(W <= k) <= 2.5 %, W the signed-rank sum of n values. */
static size_t signed_rank(size_t n)
{
    double ways[MOST * (MOST + 1) / 2 + 1] = { 1 }, below = 0;
    const size_t top = n * (n + 1) / 2;
    size_t k = 0;
    for (size_t j = 1; j <= n; j++)
        for (size_t s = top; s >= j; s--)
            ways[s] += ways[s - j];
    for (; (below += ways[k] / pow(2, (double)n)) <= 0.025; k++)
        ;
    return k - 1;
}

/* Hodges and Lehmann: of the means of all pairs. */
static void by_ranks(const double *time, size_t n, struct over_launches *over)
{
    double mean[MOST * (MOST + 1) / 2];
    size_t pairs = 0;
    const size_t k = signed_rank(n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++)
            mean[pairs++] = (time[i] + time[j]) / 2;
    stats_sort(mean, pairs);
    over->time = stats_quantile(mean, pairs, 0.5);
    over->low = mean[k];
    over->high = mean[pairs - 1 - k];
    over->rel_ci = (over->high - over->low) / 2 / over->time;
}

/* ---- coverage ---- */

struct coverage {
    double fixed, stopped; /* share that holds: after six launches; when it stopped */
    double launches;       /* in the mean */
};

/* Six launches, then one more while the interval is wider than the precision, up to twelve. */
static struct coverage cover(enum workload w, interval_function *interval, double precision,
                             int trials)
{
    struct coverage c = { 0 };
    struct rng rng;
    static double population[POPULATION];
    rng_init(&rng, 1000 + (uint64_t)w);
    for (int i = 0; i < POPULATION; i++)
        population[i] = launch(w, &rng);
    const double truth = stats_median(population, POPULATION);
    for (int t = 0; t < trials; t++) {
        double time[MOST];
        struct over_launches o;
        size_t n = 0;
        while (n < LEAST)
            time[n++] = launch(w, &rng);
        interval(time, n, &o);
        c.fixed += (o.low <= truth && truth <= o.high) / (double)trials;
        while (o.rel_ci > precision && n < MOST) {
            time[n++] = launch(w, &rng);
            interval(time, n, &o);
        }
        c.stopped += (o.low <= truth && truth <= o.high) / (double)trials;
        c.launches += (double)n / trials;
    }
    return c;
}

static void promise(void)
{
    for (int w = 0; w < N_WORKLOADS; w++)
        for (int p = 0; p < 2; p++) {
            const double precision = p ? 0.0125 : 0.025;
            const struct coverage c = cover((enum workload)w, by_order, precision, 1000);
            ok(c.fixed > 0.9 && c.fixed <= 0.985 && c.stopped > 0.9 && c.stopped <= 0.985,
               "%s, precision %.2g %%: the interval of six launches holds the truth in %.1f %%, "
               "where repeating stopped in %.1f %% (%.1f launches)",
               workload_names[w], 100 * precision, 100 * c.fixed, 100 * c.stopped, c.launches);
        }
}

/* Two to five launches that differ by half of their time: no end is below 0, and the promise holds.
 */
static void few(void)
{
    struct rng rng;
    rng_init(&rng, 77);
    for (size_t n = 2; n <= 5; n++) {
        int holds = 0, below = 0;
        for (int t = 0; t < 2000; t++) {
            double time[5];
            struct over_launches o;
            for (size_t k = 0; k < n; k++)
                time[k] = exp(0.5 * rng_normal(&rng));
            over_launches(time, n, STATISTIC_MEDIAN, 0.95, &o);
            holds += o.low <= 1 && 1 <= o.high;
            below += !(o.low > 0);
        }
        is_int(0, below, "%zu wild launches: no interval reaches 0", n);
        ok(holds > 1800 && holds < 1970, "and %.1f %% hold the truth", holds / 20.);
    }
}

static void print_table(void)
{
    static interval_function *const intervals[] = { by_order, by_student, by_ranks };
    puts("# | workload | order: 6, stopped, launches | Student: 6, stopped, launches | signed "
         "ranks: 6, stopped, launches |");
    for (int w = 0; w < N_WORKLOADS; w++) {
        printf("# | %s |", workload_names[w]);
        for (int k = 0; k < 3; k++) {
            const struct coverage c = cover((enum workload)w, intervals[k], 0.025, 10000);
            printf(" %.1f, %.1f, %.1f |", 100 * c.fixed, 100 * c.stopped, c.launches);
        }
        puts("");
    }
}

int main(void)
{
    of_a_launch();
    known();
    promise();
    few();
    if (getenv("TABLE"))
        print_table();
    return tap_done();
}
