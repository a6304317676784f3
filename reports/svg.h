/* SPDX-License-Identifier: BSD-3-Clause */
/* svg.h - gnuplot's drawings within a page. The files beside the page stay as gnuplot wrote them.
 */
#pragma once

#include "harness/base/base.h"

/* Writes the text of an SVG file by gnuplot into a page: without its prologue and its title (which
 * a browser would show at the pointer), with ids that begin with "f<number>-", and with a label for
 * those who cannot see it. Text that is none is left out. */
void svg_inline(FILE *out, const char *svg, size_t number, const char *label);

/* Writes an image of the file beside the page, which is read when it comes into sight. */
void svg_image(FILE *out, const char *svg, const char *file, const char *label);
