/* SPDX-License-Identifier: BSD-3-Clause */
/* launch_stats.h - statistics over repeated launches of a measurement: a time, its interval,
 * and the spread of the launches.
 *
 * Calls of one launch share memory, placement of ranks and the machine's state, so their
 * spread does not predict the next launch. The launch is the unit of repetition: it gives
 * one number, and the interval is over these numbers. Pure functions; nothing is kept. */
#pragma once

#include "harness/base/robust.h"

/* Method of an interval. */
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

/* Summarises the times of n launches. The interval of a median is by order statistics, without
 * an assumption about the distribution (robust.h, with independent launches). 95 % needs at
 * least six launches (smallest to largest: 96.9 %). Below that, and for a mean, Student's t is
 * used: mean / f to mean * f, where f = exp(half the width of t's interval over the mean), so
 * both ends are positive, as times are. Why not t or signed ranks throughout:
 * docs/notebook/2026-11-22-intervals.md. Input: times or ratios of times, all above 0. */
void over_launches(const double *time, size_t n, enum statistic statistic, double confidence,
                   struct over_launches *over);
