/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/steady_state.h"

#include <math.h>
#include <string.h>

#include "harness/base/robust.h"

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

/* Are the first `cut` calls slower than the others, as steady_state.h says? Returns the level
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
