/* SPDX-License-Identifier: BSD-3-Clause */
/* overview.h - the introduction and the first table of a page: the measurements, the
 * loss of the library's default, and the algorithm to use where, one row per context. */
#ifndef REPORTS_OVERVIEW_H
#define REPORTS_OVERVIEW_H

#include "reports/page.h"

/* Writes them where there are several contexts, or where others measured. */
void overview_put(struct page *page);

#endif
