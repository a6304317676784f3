/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/robust.h"

enum {
    MOST_LAGS = 100,      /* of the autocorrelation: bounds the work on long series */
    EXACT_BINOMIAL = 1000 /* up to so many values; 2^-n is a number there */
};

static const double trim_share = 0.1; /* cut off at either end */

const char *const statistic_words[] = {
    [STATISTIC_MEDIAN] = "median", [STATISTIC_TRIMMED] = "trimmed", [STATISTIC_MEAN] = "mean", NULL
};

int statistic_find(const char *name)
{
    for (int i = 0; statistic_words[i]; i++)
        if (strcmp(statistic_words[i], name) == 0)
            return i;
    return -1;
}

double interval_relative(const struct interval *interval)
{
    const double width = interval->high - interval->low;
    if (isnan(width))
        return INFINITY;
    if (width <= 0)
        return 0;
    return interval->centre > 0 ? width / 2 / interval->centre : INFINITY;
}

static double middle_of_three(double a, double b, double c)
{
    return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

double robust_select(double *x, size_t n, size_t k)
{
    size_t low = 0, high = n - 1;
    while (low < high) {
        const double pivot = middle_of_three(x[low], x[low + (high - low) / 2], x[high]);
        size_t i = low, j = high;
        for (;;) {
            while (x[i] < pivot)
                i++;
            while (pivot < x[j])
                j--;
            if (i >= j)
                break;
            const double swap = x[i];
            x[i++] = x[j];
            x[j--] = swap;
        }
        /* now all up to j are at most the pivot, and all behind at least */
        if (i == j && i > k)
            high = i - 1;
        else if (i == j && i < k)
            low = i + 1;
        else if (i == j)
            return x[k];
        else if (k <= j)
            high = j;
        else
            low = i;
    }
    return x[k];
}

double robust_median(double *x, size_t n)
{
    if (!n)
        return NAN;
    const double upper = robust_select(x, n, n / 2);
    if (n % 2)
        return upper;
    double lower = x[0];
    for (size_t i = 1; i < n / 2; i++)
        lower = fmax(lower, x[i]);
    return (lower + upper) / 2;
}

static size_t trim_of(size_t n)
{
    return (size_t)(trim_share * (double)n);
}

/* Winsorises: values beyond the cuts become the cuts. sorted: the same values, whose order is lost;
 * may be x. Returns what both cuts are together. */
static double cut_ends(double *x, size_t n, double *sorted)
{
    const double low = robust_select(sorted, n, trim_of(n));
    const double high = robust_select(sorted, n, n - 1 - trim_of(n));
    for (size_t i = 0; i < n; i++)
        x[i] = fmin(fmax(x[i], low), high);
    return low + high;
}

static double mean_of(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum / (double)n;
}

/* Turns values into what their statistic's variance is made of, about 0. */
static void score(enum statistic statistic, double *x, size_t n, double *scratch)
{
    memcpy(scratch, x, n * sizeof *x);
    if (statistic == STATISTIC_MEDIAN) {
        const double median = robust_median(scratch, n);
        for (size_t i = 0; i < n; i++)
            x[i] = ascending(x[i], median);
        return;
    }
    cut_ends(x, n, scratch);
    const double mean = mean_of(x, n);
    for (size_t i = 0; i < n; i++)
        x[i] -= mean;
}

static double product_sum(const double *x, size_t n, size_t lag)
{
    double sum = 0;
    for (size_t i = 0; i + lag < n; i++)
        sum += x[i] * x[i + lag];
    return sum;
}

double robust_effective(enum statistic statistic, const double *x, size_t n, double *scratch)
{
    const size_t most = n / 4 < MOST_LAGS ? n / 4 : MOST_LAGS;
    if (n < 4 || statistic == STATISTIC_MEAN)
        return (double)n;
    memcpy(scratch, x, n * sizeof *x);
    score(statistic, scratch, n, scratch + n);
    const double square = product_sum(scratch, n, 0);
    double sum = -1;
    if (square <= 0)
        return (double)n;
    for (size_t lag = 0; lag <= most; lag += 2) {
        const double pair =
            (product_sum(scratch, n, lag) + product_sum(scratch, n, lag + 1)) / square;
        if (pair <= 0)
            break;
        sum += 2 * pair;
    }
    return fmax(1, (double)n / fmax(1, sum));
}

/* A(t|df) = P(|T| <= t) with t = sqrt(df) tan(theta). */
static double student_within(double theta, int df)
{
    const double c2 = cos(theta) * cos(theta);
    double term = 1, sum = 0;
    if (df % 2 == 0) {
        for (int j = 0; j <= df - 2; j += 2) {
            sum += term;
            term *= c2 * (j + 1) / (j + 2);
        }
        return sin(theta) * sum;
    }
    for (int j = 1; j <= df - 2; j += 2) {
        sum += term;
        term *= c2 * (j + 1) / (j + 2);
    }
    return 2 / M_PI * (theta + sin(theta) * cos(theta) * sum);
}

/* The argument in [low, high] at which a rising function of it and of `with` has this value. */
static double invert(double (*rising)(double at, int with), int with, double value, double low,
                     double high)
{
    for (int i = 0; i < 60; i++) {
        const double mid = (low + high) / 2;
        if (rising(mid, with) < value)
            low = mid;
        else
            high = mid;
    }
    return (low + high) / 2;
}

double student_quantile(double confidence, int df)
{
    return sqrt(df) * tan(invert(student_within, df, confidence, 0, M_PI / 2));
}

static double normal_within(double z, int unused)
{
    (void)unused;
    return erf(z * M_SQRT1_2);
}

/* The largest k for which the k-th smallest and the k-th largest of n independent values enclose
 * the median with this confidence; 0: not even the extremes do. */
static size_t median_rank(size_t n, double confidence)
{
    const double tail = (1 - confidence) / 2;
    if (n > EXACT_BINOMIAL) {
        const double z = invert(normal_within, 0, confidence, 0, 10);
        return (size_t)(((double)n - z * sqrt((double)n)) / 2);
    }
    double term = ldexp(1, -(int)n), sum = term;
    size_t k = 0;
    while (sum <= tail && k < n / 2) {
        k++;
        term *= (double)(n - k + 1) / (double)k;
        sum += term;
    }
    return k;
}

static struct interval median_interval(double *x, size_t n, double effective, double confidence)
{
    struct interval out = { .centre = robust_median(x, n), .low = NAN, .high = NAN };
    const size_t worth = (size_t)effective, k = median_rank(worth, confidence);
    if (!k)
        return out;
    const size_t at = (size_t)(((double)k - 0.5) / (double)worth * (double)n);
    out.low = robust_select(x, n, at);
    out.high = robust_select(x, n, n - 1 - at);
    return out;
}

static double variance_of(const double *x, size_t n)
{
    const double mean = mean_of(x, n);
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return sum / (double)(n - 1);
}

static struct interval around(double centre, double half)
{
    return (struct interval){ centre, centre - half, centre + half };
}

/* The mean of what is left when the ends are cut off; they are cut back. */
static double trimmed_mean(double *x, size_t n)
{
    const size_t cut = trim_of(n);
    const double cuts = cut_ends(x, n, x);
    return (mean_of(x, n) * (double)n - (double)cut * cuts) / (double)(n - 2 * cut);
}

double robust_centre(enum statistic statistic, double *x, size_t n)
{
    if (!n)
        return NAN;
    return statistic == STATISTIC_MEDIAN    ? robust_median(x, n)
           : statistic == STATISTIC_TRIMMED ? trimmed_mean(x, n)
                                            : mean_of(x, n);
}

static struct interval trimmed_interval(double *x, size_t n, double effective, double confidence)
{
    const size_t left = n - 2 * trim_of(n);
    const double centre = trimmed_mean(x, n);
    if (left < 2 || effective < 2)
        return (struct interval){ centre, NAN, NAN };
    return around(centre, student_quantile(confidence, (int)left - 1) * sqrt(variance_of(x, n)) /
                              ((double)left / (double)n * sqrt(effective)));
}

static struct interval mean_interval(const double *x, size_t n, double confidence)
{
    if (n < 2)
        return (struct interval){ mean_of(x, n), NAN, NAN };
    return around(mean_of(x, n),
                  student_quantile(confidence, (int)n - 1) * sqrt(variance_of(x, n) / (double)n));
}

struct interval robust_interval(enum statistic statistic, double *x, size_t n, double effective,
                                double confidence)
{
    if (!n)
        return (struct interval){ NAN, NAN, NAN };
    switch (statistic) {
    case STATISTIC_TRIMMED:
        return trimmed_interval(x, n, effective, confidence);
    case STATISTIC_MEAN:
        return mean_interval(x, n, confidence);
    default:
        return median_interval(x, n, effective, confidence);
    }
}

enum {
    LEAST_BEGINNING = 3,
    LEAST_REST = 5,
    LEAST_CLEAN = 10, /* calls that must be left when disturbed ones go, and */
    CLEAN_SHARE = 5   /* one in so many of all */
};

static const double least_change = 0.10;
static const double least_errors = 5;
static const double noise_floor = 0.01; /* of the median: clocks and caches move that much */

/* The beginning that most of its calls, and few of the others, are above the level: where the
 * number of calls above it, less that of those below, is largest. */
static size_t longest_above(const double *x, size_t n, double level)
{
    long sum = 0, most = 0;
    size_t cut = 0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i] > level ? 1 : -1;
        if (sum > most) {
            most = sum;
            cut = i + 1;
        }
    }
    return cut;
}

static double quantile(double *x, size_t n, double q)
{
    return robust_select(x, n, (size_t)(q * (double)(n - 1)));
}

static double median_distance(const double *x, size_t n, double centre, double *scratch)
{
    for (size_t i = 0; i < n; i++)
        scratch[i] = fabs(x[i] - centre);
    return robust_median(scratch, n);
}

/* Are the first `cut` calls slower than the others, as robust.h says? Returns the level
 * midway between the two, or 0. */
static double level_between(const double *x, size_t n, size_t cut, double *scratch)
{
    const size_t rest = n - cut;
    if (cut < LEAST_BEGINNING || n < cut + LEAST_REST)
        return 0;
    memcpy(scratch, x, n * sizeof *x);
    const double before = robust_median(scratch, cut), after = robust_median(scratch + cut, rest);
    if (!(before > (1 + least_change) * after))
        return 0;
    if (quantile(scratch, cut, 0.25) <= after || quantile(scratch + cut, rest, 0.75) >= before)
        return 0;
    /* 1.4826: deviation of a normal population over its median distance; 1.2533: the median's
     * standard error over the mean's */
    const double near = 1.4826 * median_distance(x, cut, before, scratch);
    const double far = 1.4826 * median_distance(x + cut, rest, after, scratch);
    const double a = fmax(near, noise_floor * after), b = fmax(far, noise_floor * after);
    const double error = 1.2533 * sqrt(a * a / (double)cut + b * b / (double)rest);
    return before - after > least_errors * error ? (before + after) / 2 : 0;
}

/* The steady level is looked for at the end of the series, in halves, quarters, eighths. */
size_t steady_state_cut(const double *x, size_t n, double *scratch)
{
    if (n < LEAST_BEGINNING + LEAST_REST)
        return 0;
    for (size_t tail = n / 2; tail >= LEAST_REST; tail /= 2) {
        memcpy(scratch, x + n - tail, tail * sizeof *x);
        const size_t rough =
            longest_above(x, n, (1 + least_change / 2) * robust_median(scratch, tail));
        const double level = level_between(x, n, rough, scratch);
        if (level <= 0)
            continue;
        const size_t cut = longest_above(x, n, level);
        return level_between(x, n, cut, scratch) > 0 ? cut : rough;
    }
    return 0;
}

/* Are there enough calls that nothing disturbed? */
static int enough_clean(const char *disturbed, size_t n)
{
    size_t clean = 0;
    for (size_t i = 0; i < n; i++)
        clean += !disturbed[i];
    return clean >= LEAST_CLEAN && clean * CLEAN_SHARE >= n;
}

size_t steady_state_keep(const double *x, const char *disturbed, size_t n, double *scratch,
                         char *keep)
{
    const int choose = disturbed && enough_clean(disturbed, n);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        keep[i] = !choose || !disturbed[i];
        if (keep[i])
            scratch[kept++] = x[i];
    }
    size_t slow = steady_state_cut(scratch, kept, scratch + n);
    kept -= slow;
    for (size_t i = 0; slow > 0; i++) {
        slow -= keep[i] != 0;
        keep[i] = 0;
    }
    return kept;
}
