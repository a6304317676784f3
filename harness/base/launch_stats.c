/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/launch_stats.h"

const char *const over_method_words[N_OVER_METHODS + 1] = {
    [OVER_NOTHING] = "none",
    [OVER_ONE] = "one_launch",
    [OVER_STUDENT] = "student",
    [OVER_ORDER] = "order",
};

/* Standard deviation over mean. */
static double spread(const double *x, size_t n)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    const double mean = sum / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (x[i] - mean) * (x[i] - mean);
    return sqrt(squares / (double)(n - 1)) / mean;
}

enum { MOST_LOG = 300 }; /* of a factor that is a number still */

static void find_interval(double *x, size_t n, enum statistic statistic, double confidence,
                          struct over_launches *over)
{
    struct interval of = { NAN, NAN, NAN };
    if (statistic != STATISTIC_MEAN)
        of = robust_interval(STATISTIC_MEDIAN, x, n, (double)n, confidence);
    over->method = isnan(of.low) ? OVER_STUDENT : OVER_ORDER;
    if (isnan(of.low)) { /* t is about the mean */
        of = robust_interval(STATISTIC_MEAN, x, n, (double)n, confidence);
        of.high = of.centre * exp(fmin((of.high - of.centre) / of.centre, MOST_LOG));
        of.low = of.centre * of.centre / of.high;
    }
    over->low = fmin(of.low, over->time);
    over->high = fmax(of.high, over->time);
    over->rel_ci = over->time > 0 ? (over->high - over->low) / 2 / over->time : NAN;
}

void over_launches(const double *time, size_t n, enum statistic statistic, double confidence,
                   struct over_launches *over)
{
    *over = (struct over_launches){
        .n = n, .time = NAN, .low = NAN, .high = NAN, .rel_ci = NAN, .spread = NAN
    };
    double *x = memory_zeros(n + 1, sizeof *x);
    memcpy(x, time, n * sizeof *x);
    over->time =
        robust_centre(statistic == STATISTIC_MEAN ? STATISTIC_MEAN : STATISTIC_MEDIAN, x, n);
    over->method = n ? OVER_ONE : OVER_NOTHING;
    if (n > 1) {
        over->spread = spread(time, n);
        find_interval(x, n, statistic, confidence, over);
    }
    free(x);
}
