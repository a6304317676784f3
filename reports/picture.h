/* SPDX-License-Identifier: BSD-3-Clause */
/* picture.h - small drawings as SVG within a page: names, and dots with lines on an axis of
 * factors. */
#pragma once

#include "harness/base/base.h"

/* Letters are 7 wide in the mean, digits 8, in the widest of the fonts that a page may find. */
enum {
    PICTURE_WIDE = 420,
    PICTURE_RIGHT = 374, /* where the axis ends */
    PICTURE_LETTER = 7,
    PICTURE_DIGIT = 8,
    PICTURE_MOST_LETTERS = 29
};

/* Factors from 1 on: dot and number; ends of the thick line; end of the thin one, from 1. */
struct picture_dot {
    double mean, low, high, worst;
};

/* Opens figure and drawing; the caller closes both. */
void picture_begin(FILE *out, const char *what, double high);

/* A text whose baseline is at y; x: where the class (reports/page.css) anchors it. */
void picture_text(FILE *out, const char *class, double x, double y, const char *text);

/* An axis from 1 to `most`, logarithmic, from `left` on. */
void picture_axis(FILE *out, double most, double left, double bottom);

/* A line of such a picture at the height y, and its number at the right. */
void picture_dot(FILE *out, const struct picture_dot *dot, double most, double left, double y);
