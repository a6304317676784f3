/* SPDX-License-Identifier: BSD-3-Clause */
/* svg.h - gnuplot's drawings within a page, in as few bytes as the page needs of them.
 *
 * What is left out shows nothing: titles, empty groups, attributes that say what holds anyway.
 * Coordinates become tenths of a pixel, polygons paths, and equal symbols or equally filled shapes
 * that follow each other one path. The files beside the page stay as gnuplot wrote them. */
#ifndef REPORTS_SVG_H
#define REPORTS_SVG_H

#include <stddef.h>
#include <stdio.h>

/* Writes the text of an SVG file into a page: without its prologue, with ids that begin with
 * "f<number>-", and with a label for those who cannot see it. Text that is no SVG is left out. */
void svg_inline(FILE *out, const char *svg, size_t number, const char *label);

#endif
