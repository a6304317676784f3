/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_print.h - what changed between two releases, studies or dates, for a terminal. */
#pragma once

#include "analysis/verify/compare.h"

/* A line for each collective: cells, how many are slower, faster and so on, and the worst. */
void compare_print_table(const struct compare *c, FILE *out);

/* The cells of a verdict, the gravest first, with what ran before and after; most 0: all. */
void compare_print_cells(const struct compare *c, enum compare_verdict verdict, size_t most,
                         FILE *out);

/* Compares each release in a study with the next one of its family: a
 * headline and a table. Prints nothing without two releases of a family. */
void compare_print_releases(const struct points *points, const struct facts *facts, FILE *out);

/* The same of the results of a directory; where they cannot be read, why. */
void compare_print_of(const char *dir, int doubted, FILE *out);
