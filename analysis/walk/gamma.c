/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/walk/gamma.h"

double gamma_value(const struct gamma *gamma, int k)
{
    if (k <= 2)
        return 1;
    if (gamma->n == 0) {
        double linear = gamma->intercept + gamma->slope * k;
        return linear > 1 ? linear : 1;
    }
    int below = 2;
    double value = 1;
    for (size_t i = 0; i < gamma->n; i++) {
        if (gamma->procs[i] == k)
            return gamma->value[i];
        if (gamma->procs[i] > k)
            /* On the line through (x0, y0) and (x1, y1). */
            return value + (gamma->value[i] - value) * (k - below) / (gamma->procs[i] - below);
        if (gamma->procs[i] > 2) {
            below = gamma->procs[i];
            value = gamma->value[i];
        }
    }
    return value + gamma->slope * (k - below);
}

double gamma_receives(const struct gamma *gamma, int count)
{
    const struct gamma *in = gamma ? gamma->receives : NULL;
    if (!in || count == 0)
        return count;
    const double value = gamma_value(in, count + 1);
    return value > 1 ? value : 1;
}

CLEARS(gamma_clear, gamma, it->procs, it->value)
