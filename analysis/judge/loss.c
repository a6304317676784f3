/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/judge/loss.h"

double loss_counted(double pct, int tied, const struct facts *facts)
{
    if (facts->simulated || facts->imported || tied == 0)
        return pct;
    return tied == 1 ? fmin(pct, 0) : NAN;
}

struct loss_interval loss_unknown(void)
{
    return (
        struct loss_interval){ .pct = NAN, .ci_low_pct = NAN, .ci_high_pct = NAN, .tied = STAT_NA };
}

size_t loss_over_launches(const double a[MOST_REPEATS + 1], const double b[MOST_REPEATS + 1],
                          const struct facts *facts, struct loss_interval *loss)
{
    double ratio[MOST_REPEATS + 1];
    struct over_launches over;
    size_t n = 0;
    for (int k = 1; k <= MOST_REPEATS; k++)
        if (a[k] > 0 && b[k] > 0)
            ratio[n++] = a[k] / b[k];
    over_launches(ratio, n, facts->statistic, facts->confidence, &over);
    loss->tied = STAT_NA;
    if (n < 2)
        return n;
    loss->ci_low_pct = fmin(longer_pct(over.low, 1), loss->pct);
    loss->ci_high_pct = fmax(longer_pct(over.high, 1), loss->pct);
    loss->tied = loss->ci_low_pct <= 0;
    return n;
}
