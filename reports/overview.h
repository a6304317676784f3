/* SPDX-License-Identifier: BSD-3-Clause */
/* overview.h - the first words and the first table of a page: what was measured, what the library's
 * default loses, and which algorithm to take where, one row per context. */
#ifndef REPORTS_OVERVIEW_H
#define REPORTS_OVERVIEW_H

#include "reports/page.h"

/* Writes them where there are several contexts, or where others measured. */
void overview_put(struct page *page);

#endif
