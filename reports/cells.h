/* SPDX-License-Identifier: BSD-3-Clause */
/* cells.h - what the page's script (page.js) tells of a cell at the pointer: the fastest, the
 * runner-up and the default, with times, intervals, what they rest on, and the setting that forces
 * each.
 *
 * Written as lines of plain text in an element that is not shown; page.js says how to read them. */
#ifndef REPORTS_CELLS_H
#define REPORTS_CELLS_H

#include <stdio.h>

#include "reports/page.h"

/* Writes the element, with the page's settings (copied_setting.h), to which those of the candidates
 * told are added. */
void cells_put(FILE *out, struct page *page);

#endif
