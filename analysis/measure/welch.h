/* SPDX-License-Identifier: BSD-3-Clause */
/* welch.h - is one time longer than another? Welch's t of times over launches, of sums of them,
 * too, with the degrees of freedom of Welch and Satterthwaite. Launches are what is repeated
 * (harness/base/launch_stats.h): with one there is no test. Pure. */
#ifndef ANALYSIS_MEASURE_WELCH_H
#define ANALYSIS_MEASURE_WELCH_H

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

/* One-sided: how likely the left one would seem so much longer, if it were not. NaN: not known. */
double welch_longer(const struct welch *left, const struct welch *right);

#endif
