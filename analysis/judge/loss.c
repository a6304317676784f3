/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/judge/loss.h"

#include <math.h>

double degradation_pct(double chosen_s, double best_s)
{
    return 100 * (chosen_s - best_s) / best_s;
}

struct loss_interval loss_unknown(void)
{
    return (
        struct loss_interval){ .pct = NAN, .ci_low_pct = NAN, .ci_high_pct = NAN, .tied = STAT_NA };
}

size_t loss_over_launches(const double a[MOST_REPEATS + 1], const double b[MOST_REPEATS + 1],
                          const struct facts *facts, struct loss_interval *loss)
{
    double pct[MOST_REPEATS + 1];
    struct over_launches over;
    size_t n = 0;
    for (int k = 1; k <= MOST_REPEATS; k++)
        if (a[k] > 0 && b[k] > 0)
            pct[n++] = degradation_pct(a[k], b[k]);
    over_launches(pct, n, facts->statistic, facts->confidence, &over);
    loss->tied = STAT_NA;
    if (n < 2)
        return n;
    loss->ci_low_pct = fmin(over.low, loss->pct);
    loss->ci_high_pct = fmax(over.high, loss->pct);
    loss->tied = loss->ci_low_pct <= 0;
    return n;
}
