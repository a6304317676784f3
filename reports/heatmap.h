/* SPDX-License-Identifier: BSD-3-Clause */
/* heatmap.h - heat maps over processes (down) and message size (across): a coloured cell with a
 * text for each, or for some where there are too many. */
#pragma once

#include "reports/section_common.h"

/* Whether white text reads better on this colour ("#rrggbb"): relative luminance below 0.3. */
int heatmap_white(const char *colour);

/* Begins the figure of a grid. */
void heatmap_begin(struct figure *f, struct page *page, const char *name, const struct grid *grid,
                   const char *title);

/* A cell in column x and row y: of a series, with a text in white or black. */
void heatmap_cell(struct figure *f, size_t x, size_t y, const struct cell *cell,
                  const struct candidate *candidate, const char *series, const char *text,
                  double value, int white);

/* Title and axes: every process count and size is a category. */
void heatmap_axes(struct figure *f, const struct report_data *d, const struct context *context,
                  const struct grid *g);

/* The plot of n series with their colours and labels. */
void heatmap_plots(struct figure *f, const struct grid *g, const char *const *series,
                   const char *const *colour, const char *const *label, size_t n);

/* Explains the star at a process count, for a caption; "": no star. */
const char *heatmap_note(const struct report_data *d, const struct context *context,
                         const struct grid *g);

/* Draws all cells of a figure, by the losses of a selector's choices; with axes. */
void heatmap_losses(struct figure *f, const struct report_data *d, const struct context *context,
                    const struct grid *g, const char *selector);
