/* SPDX-License-Identifier: BSD-3-Clause */
/* cells.h - what the page's script (page.js) tells of a cell at the pointer: the fastest, the
 * runner-up and the default, with times, intervals and what they rest on.
 *
 * Written as lines of plain text in an element that is not shown; page.js says how to read them. */
#ifndef REPORTS_CELLS_H
#define REPORTS_CELLS_H

#include <stdio.h>

#include "reports/data.h"

/* Writes the element. */
void cells_put(FILE *out, const struct report_data *data);

#endif
