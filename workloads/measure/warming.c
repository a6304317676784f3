/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/measure/warming.h"

#include <math.h>
#include <string.h>

#include "harness/base/robust.h"

enum { SHORT_CALLS = 100 };

static const double long_call_s = 5e-3;
static const double short_share = 1.0 / 40, most_share = 1.0 / 3; /* of the budget */
static const double settled = 0.95; /* last third over the third before */

static double quickest(const double *seconds, int n)
{
    double least = INFINITY;
    for (int i = 0; i < n; i++)
        least = fmin(least, seconds[i]);
    return least;
}

static double median_of(const double *x, int n, double *scratch)
{
    memcpy(scratch, x, (size_t)n * sizeof *x);
    return robust_median(scratch, (size_t)n);
}

/* Do the calls still get quicker? */
static int still_settling(const double *seconds, int n, double *scratch)
{
    const int third = n / 3;
    if (third < 1)
        return 0;
    const double last = median_of(seconds + n - third, third, scratch);
    return last < settled * median_of(seconds + n - 2 * third, third, scratch);
}

static int at_most(int calls, int most)
{
    return calls < most ? calls : most;
}

int warm_next(const struct warm_rule *rule, const double *seconds, int n, double elapsed_s,
              double *scratch, int block_max)
{
    const double budget_s = rule->budget_s > 0 ? rule->budget_s : INFINITY;
    if (n < rule->least)
        return at_most(rule->least - n, block_max);
    if (!n || quickest(seconds, n) >= long_call_s)
        return 0;
    if (n >= WARM_MOST || elapsed_s >= most_share * budget_s)
        return 0;
    if (n < SHORT_CALLS && elapsed_s < short_share * budget_s)
        return at_most(SHORT_CALLS - n, block_max);
    if (!still_settling(seconds, n, scratch))
        return 0;
    return at_most(at_most(n / 5 + 1, WARM_MOST - n), block_max);
}
