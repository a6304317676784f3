/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/walk/gamma.h"

#include "harness/base/memory.h"

/* On the line through (x0, y0) and (x1, y1). */
static double interpolate(double x0, double y0, double x1, double y1, double x)
{
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0);
}

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
            return interpolate(below, value, gamma->procs[i], gamma->value[i], k);
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

void gamma_clear(struct gamma *gamma)
{
    memory_free(gamma->procs, gamma->value);
    *gamma = (struct gamma){ 0 };
}
