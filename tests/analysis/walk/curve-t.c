/* SPDX-License-Identifier: BSD-3-Clause */
/* curve-t.c - lines between points, and beyond them. */
#include "analysis/walk/curve.h"
#include "tests/tap.h"

/* Of a few operations. */
static const double ROUNDING = 1e-12;

int main(void)
{
    struct curve c = { 0 };
    is_near(0, curve_value(&c, 5), 0, "an empty curve is 0");
    curve_add(&c, 100, 3);
    is_near(3, curve_value(&c, 1e6), 0, "one point is a constant");
    curve_add(&c, 300, 7);
    curve_add(&c, 200, 4);
    is_near(3.5, curve_value(&c, 150), ROUNDING, "linear between points, in any order of adding");
    is_near(10, curve_value(&c, 400), ROUNDING, "the last slope beyond");
    is_near(2.5, curve_value(&c, 50), ROUNDING, "the first slope before");
    curve_add(&c, 100, 0.1);
    is_near(0, curve_value(&c, 0), 0, "never negative");
    curve_clear(&c);
    return tap_done();
}
