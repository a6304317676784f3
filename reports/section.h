/* SPDX-License-Identifier: BSD-3-Clause */
/* section.h - a part of a page of the report: one file below sections/, one row in the table. */
#pragma once

#include "reports/page.h"

struct section {
    const char *name; /* the anchor in its page */
    const char *title;
    enum page_subject subject; /* the page that it is on */

    /* 1 when the section has content for this study; else its text
     * `absent` is printed. Nothing is printed if that is NULL or the
     * data are imported (missing parts will not come). NULL: always. */
    int (*applies)(const struct report_data *data);
    size_t rows; /* SECTION_ROWS: applies where there are any; 0: no matter */
    const char *absent;

    /* The file that `absent` calls missing. If it exists, the page states instead
     * that it has nothing for this section. NULL: `absent` names no file. */
    const char *file;

    /* 1: uses the parameter experiments of models; omitted
     * if the study has none (experiments = no). */
    int of_experiments;

    /* What stands first, as Markdown; NULL: nothing. */
    const char *intro;

    /* Then: writes prose to page->md and hands tables and figures over. Errors stick in the page.
     * NULL: nothing. */
    void (*write)(struct page *page);

    /* Then of each context, below its heading, which begins with `heading`; NULL: nothing. */
    void (*each)(struct page *page, const struct context *context);
    const char *heading;
};

/* The member of struct report_data that counts a file's rows, for `rows`. */
#define SECTION_ROWS(member) offsetof(struct report_data, member)

/* 1 when there is something to show in the section (report.c). */
int section_applies(const struct report_data *data, const struct section *section);

/* In the order of their pages, ended by NULL. */
extern const struct section *const sections[];
