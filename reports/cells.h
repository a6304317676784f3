/* SPDX-License-Identifier: BSD-3-Clause */
/* cells.h - data of each cell that the page's script (page.js) shows
 * at the pointer: the fastest, the runner-up and the default, with
 * times, intervals, their method, and the setting that forces each.
 *
 * Written as lines of plain text in a hidden element; page.js documents the format. */
#pragma once

#include <stdio.h>

#include "reports/page.h"

/* Writes the element, with the page's settings (copied_setting.h).
 * Adds the settings of its candidates to these. */
void cells_put(FILE *out, struct page *page);
