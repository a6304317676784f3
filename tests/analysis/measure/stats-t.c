/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics against NIST's certified values, published tables, GSL and their own promises on
 * seeded random numbers. */
#include "analysis/measure/stats.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "harness/base/rng.h"
#include "tests/tap.h"

/* Relative: NIST prints 15 digits, and its hardest set (NumAcc4) leaves about 8 in double. */
static const double certified = 1e-8;

/* NIST StRD, univariate: NumAcc1..4 as its files define them (itl.nist.gov/div898/strd/univ). */
static void numacc(const char *name, double first, double low, double high, size_t n, double mean,
                   double sd, double r1)
{
    double *x = malloc(n * sizeof *x);
    for (size_t i = 0; i < n; i++)
        x[i] = i == 0 ? first : i % 2 ? low : high;
    struct sample_set set = { .value = x, .n = n };
    struct summary s;
    stats_summarize(&set, STATISTIC_MEAN, 0.95, 0, &s);
    is_near(mean, s.mean, certified, "%s: mean is NIST's", name);
    is_near(sd, s.stddev, certified, "%s: standard deviation is NIST's", name);
    is_near(r1, stats_lag1(x, n), 1e-6, "%s: lag-1 autocorrelation is NIST's", name);
    free(x);
}

static void nist(void)
{
    double three[] = { 10000001, 10000003, 10000002 };
    struct sample_set set = { .value = three, .n = 3 };
    struct summary s;
    stats_summarize(&set, STATISTIC_MEAN, 0.95, 0, &s);
    is_near(10000002, s.mean, certified, "NumAcc1: mean is NIST's");
    is_near(1, s.stddev, certified, "NumAcc1: standard deviation is NIST's");
    is_near(-0.5, stats_lag1(three, 3), certified, "NumAcc1: lag-1 autocorrelation is NIST's");
    numacc("NumAcc2", 1.2, 1.1, 1.3, 1001, 1.2, 0.1, -0.999);
    numacc("NumAcc3", 1000000.2, 1000000.1, 1000000.3, 1001, 1000000.2, 0.1, -0.999);
    numacc("NumAcc4", 10000000.2, 10000000.1, 10000000.3, 1001, 10000000.2, 0.1, -0.999);
}

/* Swed & Eisenhart's layout: 5 above and 5 below in 2 runs; mean 6, variance 20/9. */
static void runs(void)
{
    double split[] = { 1, 1, 1, 1, 1, 9, 9, 9, 9, 9 };
    double zigzag[] = { 1, 9, 1, 9, 1, 9, 1, 9, 1, 9 };
    is_near((2 - 6) / sqrt(20. / 9), stats_runs_z(split, 10, 5), 1e-12, "two runs of five");
    is_near((10 - 6) / sqrt(20. / 9), stats_runs_z(zigzag, 10, 5), 1e-12, "ten runs of one");
    ok(isnan(stats_runs_z(split, 5, 1)), "a constant has no runs");
}

/* A^2 straight from its definition with erf, not from GSL's distribution functions. */
static void anderson_darling(void)
{
    double x[] = { -1.9, -1.1, -0.7, -0.4, -0.1, 0.1, 0.2, 0.6, 0.9, 1.0, 1.4, 2.3 };
    enum { N = sizeof x / sizeof *x };
    double mean = gsl_stats_mean(x, 1, N), sd = gsl_stats_sd(x, 1, N), a = -N;
    for (int i = 0; i < N; i++) {
        double low = 0.5 * erfc(-(x[i] - mean) / sd / sqrt(2));
        double high = 0.5 * erfc(-(x[N - 1 - i] - mean) / sd / sqrt(2));
        a -= (2 * i + 1.) / N * (log(low) + log1p(-high));
    }
    is_near(a * (1 + 0.75 / N + 2.25 / (N * N)), stats_anderson_darling(x, N), 1e-10,
            "A*^2 is its definition");
    ok(isnan(stats_anderson_darling(x, 7)), "seven values are too few for normality");
}

static double draw(struct rng *rng, int kind)
{
    return kind == 0 ? 5 + rng_normal(rng) : -log(1 - rng_unit(rng));
}

/* Share of `trials` samples of 60 that are called independent, and normal. */
static void rates(int kind, double *independent, double *normal)
{
    enum { TRIALS = 4000, N = 60 };
    struct rng rng;
    rng_init(&rng, 20210408);
    *independent = *normal = 0;
    for (int t = 0; t < TRIALS; t++) {
        double x[N];
        for (int i = 0; i < N; i++)
            x[i] = draw(&rng, kind);
        struct sample_set set = { .value = x, .n = N };
        struct summary s;
        stats_summarize(&set, STATISTIC_MEAN, 0.95, 0, &s);
        *independent += s.independent / (double)TRIALS;
        *normal += s.normal / (double)TRIALS;
    }
}

static void promises(void)
{
    double independent, normal;
    rates(0, &independent, &normal);
    ok(fabs(normal - 0.95) < 0.012, "normal samples pass as normal 95 times in 100: %.3f", normal);
    ok(independent > 0.94 && independent < 0.98, "white noise passes as independent: %.3f",
       independent);
    rates(1, &independent, &normal);
    ok(normal < 0.01, "exponential samples do not pass as normal: %.3f", normal);
    ok(independent > 0.94, "independence does not need normality: %.3f", independent);
}

static void dependence(void)
{
    struct rng rng;
    rng_init(&rng, 7);
    double x[200], last = 0;
    for (int i = 0; i < 200; i++)
        x[i] = 10 + (last = 0.5 * last + rng_normal(&rng));
    struct sample_set set = { .value = x, .n = 200 };
    struct summary s;
    stats_summarize(&set, STATISTIC_MEAN, 0.95, 0, &s);
    is_int(0, s.independent, "an autoregression of 0.5 is called dependent");
}

/* Launches whose levels differ: time and interval are theirs, not those of 300 samples. */
static void launches(void)
{
    struct rng rng;
    rng_init(&rng, 11);
    double x[300], level[] = { 1.00, 1.10, 0.90 };
    for (int i = 0; i < 300; i++)
        x[i] = level[i / 100] * (1 + 0.01 * rng_normal(&rng));
    size_t end[] = { 100, 200, 300 };
    struct sample_set three = { x, 300, end, 3 }, one = { .value = x, .n = 100 };
    struct summary s;
    stats_summarize(&three, STATISTIC_MEDIAN, 0.95, 0, &s);
    is_near(4.30265 * 0.1 / sqrt(3), (s.ci_high - s.ci_low) / 2, 0.03,
            "three launches: Student t of three times");
    is_near(1, s.value, 5e-3, "the time is the median over launches");
    is_near(0.1, s.between_rel, 0.03, "the spread between launches is told");
    is_near(0.01, s.within_rel, 0.25, "and that within them");
    ok(s.independent != STAT_NA && stats_lag1(x, 300) > 0.9, "whose levels alone correlate");
    x[100] = x[101] = 50; /* two calls of the second launch */
    stats_summarize(&three, STATISTIC_MEAN, 0.95, 0, &s);
    ok(s.value > 1.2 && s.value == s.mean, "two calls that took long move a mean: %.3f", s.value);
    stats_summarize(&three, STATISTIC_MEDIAN, 0.95, 0, &s);
    is_near(1, s.value, 5e-3, "and no median");
    stats_summarize(&three, STATISTIC_TRIMMED, 0.95, 0, &s);
    is_near(1, s.value, 5e-3, "nor a trimmed mean");
    stats_summarize(&one, STATISTIC_MEDIAN, 0.95, 0, &s);
    ok(isnan(s.ci_low) && isnan(s.rel_ci) && isnan(s.between_rel) && s.method == OVER_ONE,
       "one launch has no interval, however many its samples");
    is_near(1, s.value, 5e-3, "though a time");
}

/* Share of 400 points of three launches, each with its level, that pass as independent. */
static void levels(void)
{
    struct rng rng;
    rng_init(&rng, 13);
    int passed = 0;
    for (int t = 0; t < 400; t++) {
        double x[90];
        for (int i = 0; i < 90; i++)
            x[i] = 1 + 0.1 * (i / 30) + 0.01 * rng_normal(&rng);
        size_t end[] = { 30, 60, 90 };
        struct sample_set set = { x, 90, end, 3 };
        struct summary s;
        stats_summarize(&set, STATISTIC_MEAN, 0.95, 0, &s);
        passed += s.independent == 1;
    }
    ok(passed > 360, "a launch's own level is not dependence: %d of 400 pass", passed);
}

static void degenerate(void)
{
    double same[20], one[] = { 4.5 };
    for (int i = 0; i < 20; i++)
        same[i] = 3;
    struct summary s;
    struct sample_set set = { .value = same, .n = 0 };
    stats_summarize(&set, STATISTIC_MEAN, 0.95, 0, &s);
    ok(isnan(s.mean) && isnan(s.ci_low) && s.independent == STAT_NA, "and have no statistics");
    set.n = 20;
    stats_summarize(&set, STATISTIC_MEAN, 0.95, 0, &s);
    is_near(3, s.mean, 0, "the mean of a constant");
    is_near(0, s.within_rel, 0, "has no spread");
    is_int(STAT_NA, s.normal, "and no normality");
    set = (struct sample_set){ .value = one, .n = 1 };
    stats_summarize(&set, STATISTIC_MEAN, 0.95, 0, &s);
    ok(s.mean == 4.5 && isnan(s.stddev) && isnan(s.rel_ci), "one value has no spread");
    stats_summarize(&set, STATISTIC_MEAN, 0.95, 1, &s);
    ok(s.mean == 4.5 && s.median == 4.5 && isnan(s.rel_ci) && s.normal == STAT_NA &&
           s.independent == STAT_NA,
       "a simulated value is itself; interval and verdicts do not apply");
}

/* Share of 500 sweeps flagged: n sentinels, noise of the given relative size, a factor from the
 * middle on, one value in ten 50 % late (an interrupt). */
static double flagged(size_t n, double noise, double factor, int spikes)
{
    struct rng rng;
    rng_init(&rng, 99);
    int flags = 0;
    for (int t = 0; t < 500; t++) {
        double x[200];
        for (size_t i = 0; i < n; i++) {
            x[i] = (1 + noise * rng_normal(&rng)) * (2 * i < n ? 1 : factor);
            if (spikes && rng_below(&rng, 10) == 0)
                x[i] *= 1.5;
        }
        flags += stats_drift(x, n, NULL) == 1;
    }
    return flags / 500.;
}

static void drift(void)
{
    ok(flagged(20, 0.02, 1.2, 0) > 0.99, "20 %% slower from the middle on is flagged");
    ok(flagged(20, 0.03, 1.2, 1) > 0.95, "also among spikes: %.3f", flagged(20, 0.03, 1.2, 1));
    ok(flagged(10, 0.02, 1.2, 0) > 0.9, "also by ten sentinels: %.3f", flagged(10, 0.02, 1.2, 0));
    ok(flagged(200, 0.04, 1.2, 1) > 0.99, "also among two hundred");
    is_near(0, flagged(20, 0.03, 1, 0), 0, "noise of 3 %% alone is not flagged");
    ok(flagged(20, 0.03, 1, 1) < 0.02, "nor with spikes: %.3f", flagged(20, 0.03, 1, 1));
    ok(flagged(10, 0.05, 1, 0) < 0.01, "nor noise of 5 %% in ten: %.3f", flagged(10, 0.05, 1, 0));
    ok(flagged(200, 0.05, 1, 1) < 0.01, "nor in two hundred");
    is_near(0, flagged(20, 0.01, 1.05, 0), 0, "5 %% is below what is called drift");
    double x[] = { 1, 1.01, 0.99, 1, 1.2, 1.21, 1.19, 1.2 }, ratio;
    is_int(1, stats_drift(x, 8, &ratio), "eight sentinels suffice when they are quiet");
    is_near(1.2, ratio, 0.01, "the ratio is told");
    is_int(STAT_NA, stats_drift(x, 5, &ratio), "five do not");
}

/* The middle that is found without sorting is that of the sorted numbers, many of them equal. */
static void middle(void)
{
    struct rng rng;
    int wrong = 0;
    double x[67], y[67];
    rng_init(&rng, 11);
    for (int k = 0; k < 2000; k++) {
        const size_t n = (size_t)k % 67 + 1;
        for (size_t i = 0; i < n; i++)
            x[i] = y[i] = (double)rng_below(&rng, k % 2 ? 7 : 1000000) - 3;
        wrong += stats_middle(x, n) != stats_median(y, n);
    }
    is_int(0, wrong, "the middle of 1 to 67 numbers is their median");
    ok(isnan(stats_middle(x, 0)), "of none it is NaN");
}

int main(void)
{
    nist();
    runs();
    anderson_darling();
    promises();
    dependence();
    launches();
    levels();
    degenerate();
    drift();
    middle();
    return tap_done();
}
