/* SPDX-License-Identifier: BSD-3-Clause */
/* section.h - a part of the report: one file below sections/, one row in the table. */
#ifndef REPORTS_SECTION_H
#define REPORTS_SECTION_H

#include "reports/page.h"

struct section {
    const char *name; /* of the file, and the anchor in the page */
    const char *title;

    /* 1 when the section has something to say about this study; else `absent` is said, and where
     * that is NULL, or where others measured (what they did not is not to come), nothing. NULL:
     * always. */
    int (*applies)(const struct report_data *data);
    const char *absent;

    /* Writes prose to page->md and hands tables and figures over. Errors stick in the page. */
    void (*write)(struct page *page);
};

/* In the order of the page, ended by NULL. */
extern const struct section *const sections[];

#endif
