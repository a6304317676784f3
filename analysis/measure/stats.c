/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/measure/stats.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_statistics_double.h>
#include <pthread.h>

enum {
    MIN_NORMALITY = 8,    /* Stephens' factor is good from here on */
    MIN_INDEPENDENCE = 8, /* the normal approximations of both tests */
    LAUNCHES_AS_UNITS = 3,
    DRIFT_SIDE = 3,      /* fewest values on a side; a fifth of the series, up to */
    DRIFT_SIDE_MAX = 20, /* this many, where spikes are outvoted */
    DRIFT_CUTS = 64,     /* cuts tried, evenly spread: bounds the work on long series */
};

/* Two tests share a level of 5 %: 2.5 % each, two-sided. */
static const double z_half_level = 2.2414027276049473;
static const double anderson_darling_5pct = 0.752;
static const double drift_min_change = 0.10;
static const double drift_min_sigmas = 5;
static const double drift_min_superiority = 0.75; /* chance that a later value is the slower one */
static const double drift_rank_sigmas = 2.2;      /* and that beyond chance, in ranks */
static const double drift_noise_floor = 0.01; /* of the median: clocks and caches move that much */

static void handler_off(void)
{
    gsl_set_error_handler_off();
}

double longer_pct(double a, double b)
{
    return 100 * (a - b) / b;
}

double mean_longer_pct(double log_sum, size_t n)
{
    return n ? 100 * expm1(log_sum / (double)n) : NAN;
}

void stats_gsl(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, handler_off);
}

void stats_sort(double *x, size_t n)
{
    size_t i = 1;
    while (i < n && x[i - 1] <= x[i])
        i++;
    if (i < n) /* not in that order yet */
        qsort(x, n, sizeof *x, array_by_double);
}

double stats_quantile(const double *sorted, size_t n, double q)
{
    return n ? gsl_stats_quantile_from_sorted_data(sorted, 1, n, q) : NAN;
}

double stats_median(double *x, size_t n)
{
    stats_sort(x, n);
    return stats_quantile(x, n, 0.5);
}

double stats_middle(double *x, size_t n)
{
    return n ? gsl_stats_median(x, 1, n) : NAN;
}

/* Normal-consistent median absolute deviation (x 1.4826). scratch has room for n. */
static double stats_mad(const double *x, size_t n, double centre, double *scratch)
{
    for (size_t i = 0; i < n; i++)
        scratch[i] = fabs(x[i] - centre);
    return 1.4826 * stats_median(scratch, n);
}

double stats_lag1(const double *x, size_t n)
{
    if (n < 2)
        return NAN;
    double mean = gsl_stats_mean(x, 1, n), product = 0, square = 0;
    for (size_t i = 0; i < n; i++) {
        double d = x[i] - mean;
        square += d * d;
        if (i + 1 < n)
            product += d * (x[i + 1] - mean);
    }
    return square > 0 ? product / square : NAN;
}

double stats_runs_z(const double *x, size_t n, double median)
{
    double above = 0, below = 0, runs = 0;
    int last = 0;
    for (size_t i = 0; i < n; i++) {
        int side = ascending(x[i], median);
        if (!side)
            continue;
        above += side > 0;
        below += side < 0;
        runs += side != last;
        last = side;
    }
    if (above < 2 || below < 2)
        return NAN;
    double both = above + below, twice = 2 * above * below;
    double mean = twice / both + 1;
    double variance = twice * (twice - both) / (both * both * (both - 1));
    return (runs - mean) / sqrt(variance);
}

double stats_anderson_darling(const double *sorted, size_t n)
{
    if (n < MIN_NORMALITY)
        return NAN;
    double mean = gsl_stats_mean(sorted, 1, n), sd = gsl_stats_sd_m(sorted, 1, n, mean);
    if (!(sd > 0))
        return NAN;
    double sum = 0, count = (double)n;
    for (size_t i = 0; i < n; i++) {
        double low = gsl_cdf_ugaussian_P((sorted[i] - mean) / sd);
        double high = gsl_cdf_ugaussian_Q((sorted[n - 1 - i] - mean) / sd);
        sum += (2 * (double)i + 1) * (log(fmax(low, 1e-300)) + log(fmax(high, 1e-300)));
    }
    return (-count - sum / count) * (1 + 0.75 / count + 2.25 / (count * count));
}

/* End of launch l; a set without launches is one launch. */
static size_t launch_begin(const struct sample_set *set, size_t l)
{
    return l && set->launches ? set->launch_end[l - 1] : 0;
}

static size_t launch_end(const struct sample_set *set, size_t l)
{
    return set->launches ? set->launch_end[l] : set->n;
}

static size_t launch_count(const struct sample_set *set)
{
    return set->launches ? set->launches : 1;
}

/* Relative spread of the calls of one launch; NaN below two. scratch has room for n. */
static double spread_within(const double *x, size_t n, double *scratch)
{
    memcpy(scratch, x, n * sizeof *x);
    const double median = stats_median(scratch, n);
    return n > 1 && median > 0 ? stats_mad(x, n, median, scratch) / median : NAN;
}

/* Time and interval over launches, and both components of the spread. The mean is that of the
 * launch means from three launches on, else of all samples. */
static void estimate(const struct sample_set *set, enum statistic statistic, double confidence,
                     struct summary *s)
{
    const size_t units = launch_count(set);
    double *time = memory_zeros(3 * units + set->n, sizeof *time);
    double *mean = time + units, *spread = mean + units, *scratch = spread + units;
    size_t spreads = 0;
    struct over_launches over;
    for (size_t l = 0; l < units; l++) {
        const size_t begin = launch_begin(set, l), n = launch_end(set, l) - begin;
        const double within = spread_within(set->value + begin, n, scratch);
        if (!isnan(within))
            spread[spreads++] = within;
        memcpy(scratch, set->value + begin, n * sizeof *scratch);
        mean[l] = gsl_stats_mean(scratch, 1, n);
        time[l] = robust_centre(statistic, scratch, n);
    }
    if (units >= LAUNCHES_AS_UNITS)
        s->mean = gsl_stats_mean(mean, 1, units);
    over_launches(time, units, statistic, confidence, &over);
    s->within_rel = stats_median(spread, spreads);
    free(time);
    s->value = statistic == STATISTIC_MEAN ? s->mean : over.time;
    s->ci_low = over.low;
    s->ci_high = over.high;
    s->rel_ci = over.rel_ci;
    s->between_rel = over.spread;
    s->method = over.method;
}

/* Lag-1 and runs test, each at half of 5 %. A constant series is as independent as it gets. */
static int judge_independence(const double *x, size_t n, double median)
{
    if (n < MIN_INDEPENDENCE)
        return STAT_NA;
    double r1 = stats_lag1(x, n), z = stats_runs_z(x, n, median);
    int correlated = isfinite(r1) && fabs(r1) * sqrt((double)n) > z_half_level;
    int runs = isfinite(z) && fabs(z) > z_half_level;
    return !correlated && !runs;
}

static int judge_normality(const double *sorted, size_t n)
{
    double a = stats_anderson_darling(sorted, n);
    return isnan(a) ? STAT_NA : a < anderson_darling_5pct;
}

/* Deviations from each launch's own mean: what is left of a launch's level is not the question of
 * independence and normality. */
static void centre_launches(const struct sample_set *set, double *x)
{
    memcpy(x, set->value, set->n * sizeof *x);
    for (size_t l = 0; launch_count(set) > 1 && l < launch_count(set); l++) {
        size_t begin = launch_begin(set, l), end = launch_end(set, l);
        double mean = gsl_stats_mean(x + begin, 1, end - begin);
        for (size_t i = begin; i < end; i++)
            x[i] -= mean;
    }
}

static void judge(const struct sample_set *set, struct summary *s)
{
    double *x = memory_zeros(2 * set->n, sizeof *x);
    double *sorted = x + set->n;
    centre_launches(set, x);
    memcpy(sorted, x, set->n * sizeof *x);
    double median = stats_median(sorted, set->n);
    s->independent = judge_independence(x, set->n, median);
    s->normal = judge_normality(sorted, set->n);
    if (launch_count(set) > 1) {
        memcpy(sorted, set->value, set->n * sizeof *x);
        median = stats_median(sorted, set->n);
    }
    s->median = median;
    free(x);
}

void stats_summarize(const struct sample_set *set, enum statistic statistic, double confidence,
                     int deterministic, struct summary *s)
{
    stats_gsl();
    *s = (struct summary){ .n = set->n,
                           .launches = set->n ? launch_count(set) : 0,
                           .value = NAN,
                           .mean = NAN,
                           .median = NAN,
                           .min = NAN,
                           .max = NAN,
                           .stddev = NAN,
                           .ci_low = NAN,
                           .ci_high = NAN,
                           .rel_ci = NAN,
                           .between_rel = NAN,
                           .within_rel = NAN,
                           .independent = STAT_NA,
                           .normal = STAT_NA };
    if (!set->n)
        return;
    const double mean = gsl_stats_mean(set->value, 1, set->n);
    s->mean = s->value = mean;
    gsl_stats_minmax(&s->min, &s->max, set->value, 1, set->n);
    if (set->n > 1)
        s->stddev = gsl_stats_sd_m(set->value, 1, set->n, mean);
    judge(set, s);
    estimate(set, statistic, confidence, s);
    if (deterministic) {
        s->independent = s->normal = STAT_NA;
        s->ci_low = s->ci_high = s->rel_ci = s->between_rel = s->within_rel = NAN;
    }
}

/* Medians on either side of a cut, the robust standard error of their difference, and the chance
 * that a value after it is on the side that the medians say (Mann-Whitney U over its maximum). */
struct cut {
    double before, after, error, superiority;
};

static double least_superiority(double k, double m)
{
    double chance =
        sqrt((k + m + 1) / (12 * k * m)); /* standard deviation of U / (k m), same law */
    return fmax(drift_min_superiority, 0.5 + drift_rank_sigmas * chance);
}

static double superiority(const double *before, size_t k, const double *after, size_t m, int slower)
{
    double wins = 0;
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < m; j++)
            wins += slower ? after[j] > before[i] : after[j] < before[i];
    return wins / ((double)k * (double)m);
}

static struct cut cut_at(const double *x, size_t n, size_t k, double *scratch)
{
    struct cut c;
    memcpy(scratch, x, n * sizeof *x);
    c.before = stats_median(scratch, k);
    c.after = stats_median(scratch + k, n - k);
    for (size_t i = 0; i < n; i++)
        scratch[i] = x[i] - (i < k ? c.before : c.after);
    double noise = stats_mad(scratch, n, 0, scratch);
    noise = fmax(noise, drift_noise_floor * c.before);
    /* 1.2533: the median's standard error over the mean's, for a normal population */
    c.error = 1.2533 * noise * sqrt(1 / (double)k + 1 / (double)(n - k));
    c.superiority = 0;
    if (fabs(c.after - c.before) > drift_min_change * c.before)
        c.superiority = superiority(x, k, x + k, n - k, c.after > c.before);
    return c;
}

int stats_drift(const double *x, size_t n, double *ratio)
{
    stats_gsl();
    if (ratio)
        *ratio = 1;
    double *scratch = n < 2 * DRIFT_SIDE ? NULL : memory_zeros(n, sizeof *scratch);
    if (!scratch)
        return STAT_NA;
    double strongest = drift_min_sigmas;
    size_t side = n / 5 > DRIFT_SIDE_MAX ? DRIFT_SIDE_MAX : n / 5 < DRIFT_SIDE ? DRIFT_SIDE : n / 5;
    size_t cuts = n - 2 * side + 1, step = (cuts + DRIFT_CUTS - 1) / DRIFT_CUTS;
    int moved = 0;
    for (size_t k = side; k <= n - side; k += step) {
        struct cut c = cut_at(x, n, k, scratch);
        double sigmas = fabs(c.after - c.before) / c.error;
        if (c.superiority < least_superiority((double)k, (double)(n - k)) || sigmas <= strongest)
            continue;
        moved = 1;
        strongest = sigmas;
        if (ratio)
            *ratio = c.after / c.before;
    }
    free(scratch);
    return moved;
}
