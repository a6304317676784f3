/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/walk/curve.h"

void curve_add(struct curve *curve, double bytes, double seconds)
{
    const size_t at = first_below(i, curve->n, !(curve->bytes[i] < bytes));
    if (at < curve->n && curve->bytes[at] == bytes) {
        curve->seconds[at] = seconds;
        return;
    }
    size_t n_bytes = curve->n;
    array_add(&curve->bytes, &n_bytes);
    array_add(&curve->seconds, &curve->n);
    for (size_t i = curve->n - 1; i > at; i--) {
        curve->bytes[i] = curve->bytes[i - 1];
        curve->seconds[i] = curve->seconds[i - 1];
    }
    curve->bytes[at] = bytes;
    curve->seconds[at] = seconds;
}

double curve_value(const struct curve *curve, double bytes)
{
    if (curve->n < 2)
        return curve->n ? curve->seconds[0] : 0;
    size_t above = 1;
    while (above < curve->n - 1 && curve->bytes[above] < bytes)
        above++;
    const double *x = curve->bytes + above, *y = curve->seconds + above;
    double value = y[-1] + (y[0] - y[-1]) * (bytes - x[-1]) / (x[0] - x[-1]);
    return value > 0 ? value : 0;
}

CLEARS(curve_clear, curve, it->bytes, it->seconds)
