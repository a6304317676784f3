/* SPDX-License-Identifier: BSD-3-Clause */
/* launch_stats.h - what repeated launches of a measurement say together: a time, how sure it is,
 * and how much launches differ.
 *
 * Calls of one launch share its memory, its ranks' places and the machine's mood, so their spread
 * says nothing about the next launch. The launch is what is repeated: it gives one number, and the
 * interval is over these numbers. Pure functions; nothing is kept. */
#ifndef HARNESS_BASE_LAUNCH_STATS_H
#define HARNESS_BASE_LAUNCH_STATS_H

#include <stddef.h>

#include "harness/base/robust.h"

/* What an interval rests on. */
enum over_method {
    OVER_NOTHING, /* no launch: no time */
    OVER_ONE,     /* one launch: a time, no interval */
    OVER_STUDENT, /* Student's t over the launches' times, as a factor */
    OVER_ORDER,   /* order statistics of the launches' times */
    N_OVER_METHODS
};

extern const char *const over_method_words[]; /* "none", "one_launch", "student", "order"; NULL */

struct over_launches {
    size_t n;
    double time;      /* median over launches (statistic = mean: their mean); NaN */
    double low, high; /* of its interval; NaN below two launches */
    double rel_ci;    /* half its width over the time; NaN where there is none */
    double spread;    /* standard deviation of the launches' times over their mean; NaN below two */
    enum over_method method;
};

/* Sums up the times of n launches. The interval of a median is that of order statistics, which asks
 * for no distribution (robust.h, the launches being independent). Six launches are the
 * fewest for 95 % (smallest to largest: 96.9 %). Below that, and for a mean, Student's t: mean / f
 * to mean * f, where f = exp(half the width of t's interval over the mean), so that no end is at or
 * below 0, as no time is. Why not t or signed ranks throughout: docs/notebook.md, "Intervals over
 * launches". Times, or ratios of times: all above 0. */
void over_launches(const double *time, size_t n, enum statistic statistic, double confidence,
                   struct over_launches *over);

#endif
