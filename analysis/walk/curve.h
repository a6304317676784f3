/* SPDX-License-Identifier: BSD-3-Clause */
/* curve.h - seconds as a function of bytes: what a message or a copy costs. */
#pragma once

#include "harness/base/base.h"

/* Linear between points of ascending bytes and, with the slope of the first and last two, beyond
 * them; never below 0. One point: a constant. */
struct curve {
    size_t n;
    double *bytes, *seconds; /* owned */
};

/* Seconds at so many bytes. */
double curve_value(const struct curve *curve, double bytes);

/* Adds a point; one of the same bytes is replaced. */
void curve_add(struct curve *curve, double bytes, double seconds);

void curve_clear(struct curve *curve);
