/* SPDX-License-Identifier: BSD-3-Clause */
/* page.h - the pages of a report under construction: Markdown prose with slots for tables and
 * figures, in sections, each on the page of its subject.
 *
 * A section writes prose to page->md, hands over tables (written at once in all formats below
 * tables/), and writes figures as a data file and a gnuplot script below figures/. page_finish
 * draws the figures, turns the prose into HTML (pandoc), fills the slots, and writes a file for
 * each subject that has sections, and index.html, which leads to them. Everything goes below
 * page->dir, which the caller makes and moves into place.
 *
 * The first error stays in page->err; later calls do nothing, so sections need no checks. */
#pragma once

#include "reports/data.h"
#include "reports/table.h"

struct slot;
struct page_note;

/* What a page is about: a file of its own (render.c). */
enum page_subject {
    PAGE_CHOICES,
    PAGE_SELECTORS,
    PAGE_MODELS,
    PAGE_QUALITY,
    PAGE_MACHINE,
    PAGE_PAPERS,
    PAGE_INDEX, /* the first page; last, as it sums up the others */
    PAGE_SUBJECTS
};

/* A section that was begun. Borrows its texts. */
struct page_part {
    enum page_subject subject;
    const char *name, *title;
};

struct page {
    const struct report_data *data;
    const char *dir;    /* where everything goes */
    const char *assets; /* page.css, page.js, page.template, reference/ */
    FILE *md;           /* prose */
    char *text;
    size_t text_size;
    struct page_part *part; /* by subject */
    size_t parts;
    struct slot *slot;
    size_t slots;
    char *glossary;          /* docs/glossary.md; NULL: it is not here */
    struct page_note *noted; /* notes of tables so far */
    size_t notes;
    char **setting; /* settings to copy (copied_setting.h) */
    size_t settings;
    int lacks_gnuplot, lacks_pandoc; /* 1: not installed; the page is made without it */
    struct err err;
    int failed;
};

struct figure {
    struct page *page;
    char name[2 * NAME_SIZE];
    char caption[512];
    FILE *gp;
    struct csvw data; /* rows of the data file; the last column of each is the backend */
    FILE *data_file;
    size_t rows; /* of the data so far */
    char *marks; /* attributes of its element, for the page's script, as HTML; NULL: none */
    int aside;   /* 1: collapsed, and loaded from its own file when opened:
                    for one of many figures (set it before figure_end) */
};

/* Begins the page of a study in DIR, the directory of its report, and makes figures/ and tables/
 * there. data, dir and assets (the directory of page.css and reference/) are borrowed to the end.
 * 0, or -1 with *err and nothing to abandon. */
int page_begin(struct page *page, const struct report_data *data, const char *dir,
               const char *assets, struct err *err);

/* Keeps the error, unless there was one before: page_finish gives it. */
void page_fail(struct page *page, const struct err *err);

/* Begins a section: its heading, and its row in the contents. Sections of a subject come one after
 * the other, subjects in their order. name and title are borrowed to the end. */
void page_part(struct page *page, enum page_subject subject, const char *name, const char *title);

/* A new table whose caption says where its numbers come from. */
struct table *page_table_new(const struct page *page, const char *name, const char *caption, ...)
    __attribute__((format(printf, 3, 4)));

/* Writes tables/NAME.{md,tex,csv}, puts the table here, and frees it. Without rows: only a
 * sentence. */
void page_table(struct page *page, struct table *table);

/* Writes the files of a table, and the table as HTML to out, and frees it. */
void page_table_into(struct page *page, struct table *table, FILE *out);

/* Puts HTML of this name here, which is taken. */
void page_html(struct page *page, const char *name, char *html);

/* As page_table; without rows nothing at all. */
void page_table_some(struct page *page, struct table *table);

/* Opens figures/NAME.csv with a header of the given columns and "backend", and figures/NAME.gp with
 * all that comes before plotting; what follows is written by the section, inside the loop over
 * the two output formats. Size in pixels of the page. */
void figure_begin(struct figure *f, struct page *page, const char *name, int width, int height,
                  const char *const *columns, const char *title);

/* Writes a row of the data file, a column for each of the conversions, which spaces part: %s a
 * text, %d %zu %ju a whole number, %g any number. A figure that ends without any row is a sentence
 * instead. */
void figure_row(struct figure *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* In a multiplot: commands before the "plot NaN ... title ..., ..." of a legend on a strip at the
 * bottom, of this height (share of the figure), clear of all data; and the commands after it. */
void legend_begin(FILE *gp, double height);
void legend_end(FILE *gp);

/* Closes the files and puts the figure here, with its caption. */
void figure_end(struct figure *f, const char *caption, ...) __attribute__((format(printf, 2, 3)));

/* Draws, converts, fills, writes all pages. Frees everything. 0, or -1 with *err. */
int page_finish(struct page *page, struct err *err);

/* Frees an unfinished page. */
void page_abandon(struct page *page);

/* Internal to page.c and render.c: replacement of a mark in the page. Owned by the
 * page. */

enum { SLOT_KEY = 160 };

struct slot {
    char key[SLOT_KEY]; /* slot-table-NAME, slot-figure-NAME */
    char *html;         /* of a table; NULL: the figure of this name */
    char *caption;      /* of a figure */
    char *origin;       /* of a figure: where its numbers come from, "simulated by SimGrid SMPI" */
    int aside;          /* 1: a figure loaded from its file when opened */
    char *marks;        /* of a figure: attributes for the page's script; NULL: none */
};

/* The NAME part. */
static inline const char *slot_name(const struct slot *s)
{
    return strchr(s->key + strlen("slot-"), '-') + 1;
}
