/* SPDX-License-Identifier: BSD-3-Clause */
/* gamma.h - gamma(k): the time of a non-blocking linear broadcast among k processes over that among
 * two (Nuriyev & Lastovetsky, eq. 3; gamma(2) = 1), as a function that models evaluate. */
#ifndef ANALYSIS_GAMMA_H
#define ANALYSIS_GAMMA_H

#include <stddef.h>

/* Discrete values in ascending order of procs, and the linear fit through them. Between two
 * measured values gamma is interpolated linearly; above the largest the linear fit is used, shifted
 * to meet the last value; at 2 and below it is 1. With n = 0 the linear fit alone is used (never
 * below 1). */
struct gamma {
    size_t n;
    int *procs;
    double *value;
    double intercept, slope; /* gamma(k) ~ intercept + slope k */
};

/* gamma(k), k >= 1. */
double gamma_value(const struct gamma *gamma, int k);

/* Frees what it holds. */
void gamma_clear(struct gamma *gamma);

#endif
