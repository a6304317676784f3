/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics against NIST's certified values, published tables, GSL and their own promises on
 * seeded random numbers. */
#include "analysis/measure/stats.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

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
    stats_summarize(&set, 0.95, 0, &s);
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
    stats_summarize(&set, 0.95, 0, &s);
    is_near(10000002, s.mean, certified, "NumAcc1: mean is NIST's");
    is_near(1, s.stddev, certified, "NumAcc1: standard deviation is NIST's");
    is_near(-0.5, stats_lag1(three, 3), certified, "NumAcc1: lag-1 autocorrelation is NIST's");
    numacc("NumAcc2", 1.2, 1.1, 1.3, 1001, 1.2, 0.1, -0.999);
    numacc("NumAcc3", 1000000.2, 1000000.1, 1000000.3, 1001, 1000000.2, 0.1, -0.999);
    numacc("NumAcc4", 10000000.2, 10000000.1, 10000000.3, 1001, 10000000.2, 0.1, -0.999);
}

/* Student t at 97.5 %, from any table: 1 degree 12.706, 9 degrees 2.262, 119 degrees 1.980. */
static void t_table(void)
{
    is_near(12.7062, stats_t_half_width(2, sqrt(2), 0.95), 1e-5, "t for one degree of freedom");
    is_near(2.26216, stats_t_half_width(10, sqrt(10), 0.95), 1e-5, "t for nine");
    is_near(1.98010, stats_t_half_width(120, sqrt(120), 0.95), 1e-5, "t for 119");
    ok(isnan(stats_t_half_width(1, 1, 0.95)), "one value has no interval");
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

/* Share of `trials` samples of 60 that are called independent, normal, and cover the mean. */
static void rates(int kind, double *independent, double *normal, double *cover)
{
    enum { TRIALS = 4000, N = 60 };
    struct rng rng;
    rng_init(&rng, 20210408);
    *independent = *normal = *cover = 0;
    for (int t = 0; t < TRIALS; t++) {
        double x[N];
        for (int i = 0; i < N; i++)
            x[i] = draw(&rng, kind);
        struct sample_set set = { .value = x, .n = N };
        struct summary s;
        stats_summarize(&set, 0.95, 0, &s);
        double truth = kind == 0 ? 5 : 1;
        *independent += s.independent / (double)TRIALS;
        *normal += s.normal / (double)TRIALS;
        *cover += (s.ci_low <= truth && truth <= s.ci_high) / (double)TRIALS;
    }
}

static void promises(void)
{
    double independent, normal, cover;
    rates(0, &independent, &normal, &cover);
    ok(fabs(cover - 0.95) < 0.012, "95 %% intervals hold the mean: %.3f", cover);
    ok(fabs(normal - 0.95) < 0.012, "normal samples pass as normal 95 times in 100: %.3f", normal);
    ok(independent > 0.94 && independent < 0.98, "white noise passes as independent: %.3f",
       independent);
    rates(1, &independent, &normal, &cover);
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
    stats_summarize(&set, 0.95, 0, &s);
    is_int(0, s.independent, "an autoregression of 0.5 is called dependent");
}

/* Three launches whose levels differ: the interval is theirs, not that of 300 samples. */
static void launches(void)
{
    struct rng rng;
    rng_init(&rng, 11);
    double x[300], level[] = { 1.00, 1.10, 0.90 };
    for (int i = 0; i < 300; i++)
        x[i] = level[i / 100] + 0.01 * rng_normal(&rng);
    size_t end[] = { 100, 200, 300 };
    struct sample_set three = { x, 300, end, 3 }, two = { x, 200, end, 2 };
    struct summary s;
    stats_summarize(&three, 0.95, 0, &s);
    is_near(4.30265 * 0.1 / sqrt(3), (s.ci_high - s.ci_low) / 2, 0.03,
            "three launches: Student t of three means");
    ok(s.independent != STAT_NA && stats_lag1(x, 300) > 0.9, "whose levels alone correlate");
    stats_summarize(&two, 0.95, 0, &s);
    ok((s.ci_high - s.ci_low) / 2 < 0.02, "two launches: samples decide");
    double means[2000];
    stats_bootstrap(&three, &rng, means, 2000);
    ok(gsl_stats_sd(means, 1, 2000) > 0.03, "the bootstrap draws launches too: sd %.3f",
       gsl_stats_sd(means, 1, 2000));
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
        stats_summarize(&set, 0.95, 0, &s);
        passed += s.independent == 1;
    }
    ok(passed > 360, "a launch's own level is not dependence: %d of 400 pass", passed);
}

static void bootstrap(void)
{
    struct rng rng;
    rng_init(&rng, 3);
    double x[400], means[4000];
    for (int i = 0; i < 400; i++)
        x[i] = 2 + 0.1 * rng_normal(&rng);
    struct sample_set set = { .value = x, .n = 400 };
    stats_bootstrap(&set, &rng, means, 4000);
    is_near(gsl_stats_mean(x, 1, 400), gsl_stats_mean(means, 1, 4000), 5e-4,
            "replicates centre on the mean");
    is_near(gsl_stats_sd(x, 1, 400) / sqrt(400), gsl_stats_sd(means, 1, 4000), 0.05,
            "their spread is the standard error");
    set.n = 1;
    stats_bootstrap(&set, &rng, means, 3);
    is_near(x[0], means[2], 0, "one value has one mean");
}

/* Share of seeded series of n whose 95 % percentile interval holds the true mean. */
static double held(size_t n, int widened)
{
    enum { TRIALS = 1000, REPLICATES = 400 };
    struct rng rng;
    double x[8], means[REPLICATES];
    int inside = 0;
    rng_init(&rng, 11 + n);
    for (int t = 0; t < TRIALS; t++) {
        for (size_t i = 0; i < n; i++)
            x[i] = 2 + 0.1 * rng_normal(&rng);
        struct sample_set set = { .value = x, .n = n };
        stats_bootstrap(&set, &rng, means, REPLICATES);
        if (widened)
            stats_widen(&set, 0.95, means, REPLICATES);
        gsl_sort(means, 1, REPLICATES);
        inside += stats_quantile(means, REPLICATES, 0.025) <= 2 &&
                  stats_quantile(means, REPLICATES, 0.975) >= 2;
    }
    return inside / (double)TRIALS;
}

static void few_values(void)
{
    for (size_t n = 3; n <= 8; n += n == 3 ? 2 : 3) {
        const double plain = held(n, 0), wide = held(n, 1);
        ok(plain < 0.92, "percentiles of %zu values hold the mean too seldom: %.3f", n, plain);
        ok(wide > 0.92 && wide < 0.98, "widened as often as they say: %.3f", wide);
    }
    double same[] = { 3, 3, 3 }, means[] = { 3, 3 };
    struct sample_set set = { .value = same, .n = 3 };
    stats_widen(&set, 0.95, means, 2);
    is_near(3, means[0], 0, "what does not vary stays");
    set.n = 1;
    means[0] = 4;
    stats_widen(&set, 0.95, means, 2);
    is_near(4, means[0], 0, "so does one value, which has no interval");
}

static void degenerate(void)
{
    double same[20], one[] = { 4.5 };
    for (int i = 0; i < 20; i++)
        same[i] = 3;
    struct summary s;
    struct sample_set set = { .value = same, .n = 0 };
    is_int(0, stats_summarize(&set, 0.95, 0, &s), "no values are no error");
    ok(isnan(s.mean) && isnan(s.ci_low) && s.independent == STAT_NA, "and have no statistics");
    set.n = 20;
    stats_summarize(&set, 0.95, 0, &s);
    is_near(3, s.mean, 0, "the mean of a constant");
    is_near(0, s.rel_ci, 0, "has an interval of no width");
    is_int(STAT_NA, s.normal, "and no normality");
    set = (struct sample_set){ .value = one, .n = 1 };
    stats_summarize(&set, 0.95, 0, &s);
    ok(s.mean == 4.5 && isnan(s.stddev) && isnan(s.rel_ci), "one value has no spread");
    stats_summarize(&set, 0.95, 1, &s);
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

int main(void)
{
    nist();
    t_table();
    runs();
    anderson_darling();
    promises();
    dependence();
    launches();
    levels();
    bootstrap();
    few_values();
    degenerate();
    drift();
    return tap_done();
}
