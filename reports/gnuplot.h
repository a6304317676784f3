/* SPDX-License-Identifier: BSD-3-Clause */
/* gnuplot.h - writes scripts for gnuplot safely: gnuplot executes
 * text between backquotes, and a quote or a newline ends a text. */
#pragma once

#include "harness/base/base.h"

/* Writes like fprintf, but a text (%s) that stands between double quotes of fmt, or behind the '#'
 * of a comment, cannot end there nor be more than text. Texts elsewhere in fmt are
 * parts of the script, and of ours. Of the conversions it knows %s, %c, %d, %zu, %llu, %f, %g and
 * %e, with flags, width and precision (as '*' for %s alone). */
void gnuplot_print(FILE *gp, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
