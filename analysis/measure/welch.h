/* SPDX-License-Identifier: BSD-3-Clause */
/* welch.h - tests whether one time is longer than another: Welch's t-test of times over
 * launches, or of sums of such times, with Welch-Satterthwaite degrees of freedom. A launch is
 * one observation (harness/base/launch_stats.h): with one launch there is no test. Pure. */
#pragma once

#include "analysis/measure/points.h"

/* A time, or a sum of times. Begins as WELCH_NOTHING. */
struct welch {
    double seconds, variance;
    double weight; /* the sum of variance^2 / (n - 1) */
    int known;     /* the variance is */
};

#define WELCH_NOTHING                                                                              \
    {                                                                                              \
        .known = 1                                                                                 \
    }

/* Adds a point's time; statistic: of its study. */
void welch_add(struct welch *sum, const struct measured *m, enum statistic statistic);

/* One-sided p-value of the hypothesis that left is not longer than right. NaN: not known. */
double welch_longer(const struct welch *left, const struct welch *right);
