/* SPDX-License-Identifier: BSD-3-Clause */
/* gamma.h - gamma(k): the time of a non-blocking linear broadcast among k processes over that among
 * two (Nuriyev & Lastovetsky, eq. 3; gamma(2) = 1), a function that models evaluate. Our addition:
 * the same for a linear fan-in, for several receives of one stage. */
#pragma once

#include "harness/base/base.h"

/* Discrete values in ascending order of procs, and the linear fit through them. Between two
 * measured values gamma is interpolated linearly; above the largest the linear fit is used, shifted
 * to meet the last value; at 2 and below it is 1. With n = 0 the linear fit alone is used (never
 * below 1). */
struct gamma {
    size_t n;
    int *procs;
    double *value;
    double intercept, slope; /* gamma(k) ~ intercept + slope k */

    /* of fan-ins among k processes, k - 1 of which send (borrowed); NULL: not known */
    const struct gamma *receives;
};

/* gamma(k), k >= 1. */
double gamma_value(const struct gamma *gamma, int k);

/* How many transfers `count` receives of one rank in one stage count as: the fan-in's gamma(count +
 * 1), never less than one receive (noise), or, where it is not known (gamma NULL included),
 * `count`, one after the other (eq. 8). */
double gamma_receives(const struct gamma *gamma, int count);

void gamma_clear(struct gamma *gamma);
