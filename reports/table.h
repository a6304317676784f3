/* SPDX-License-Identifier: BSD-3-Clause */
/* table.h - one table, written as Markdown, LaTeX (booktabs), CSV and HTML.
 *
 * A table is columns, then cells row by row. A cell has a text for people and, for CSV, the exact
 * value behind it. Plain UTF-8 goes in everywhere; each writer escapes for its format. Says in its
 * caption and in a CSV column which backend the numbers come from.
 *
 * Columns of ALIGN_DATA come last and are seen in CSV only.
 *
 * Owns copies of all strings. When memory runs out the table is marked broken and the writers
 * fail. */
#pragma once

#include "harness/base/base.h"

enum align { ALIGN_LEFT, ALIGN_RIGHT, ALIGN_DATA /* in CSV only */ };

/* What a cell stands out as, in HTML and (as bold) in LaTeX and Markdown. */
enum mark { MARK_NONE, MARK_BEST, MARK_FAIR, MARK_BAD, MARK_REFERENCE };

struct table;

/* name: file name without its ending. backend_label: "simulated by SimGrid SMPI" is added to the
 * caption, backend ("sim") to each CSV row. */
struct table *table_new(const char *name, const char *caption, const char *backend,
                        const char *backend_label);
void table_free(struct table *t);

/* Adds columns, before any cell, each "<key|title|group": < left, > right, . in CSV only; "|group"
 * may be left out. " ; " parts them. The key is the CSV's name; neighbours of equal group share a
 * header over theirs; the title may hold the unit. What is printed holds no "|" and no " ; ". */
void table_columns(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The next cell. Its CSV value is the text. */
void table_text(struct table *t, const char *text);

/* The next cell: what is shown is formatted, its CSV value is raw. */
void table_cell(struct table *t, const char *raw, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The next cell: the CSV has the number (9 significant digits; empty where it is none), and what is
 * shown is formatted. */
void table_value(struct table *t, double value, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The next cell: a number shown with so many decimals (CSV: 9 significant digits); NaN is shown as
 * a dash and empty in CSV. */
void table_number(struct table *t, double value, int decimals);

/* The next cell as people write it: "7.3 %", "64 KiB", "12.3 µs". CSV holds the number. */
void table_pct(struct table *t, double pct);
void table_bytes(struct table *t, uint64_t bytes);
void table_time(struct table *t, double seconds);

/* The next cells, as a row of them reads: "%s | %.2f | %g %%". Of each, what its text is:
 *   %s         table_text
 *   %s=%s      what CSV holds (NULL: the same), and what is shown
 *   %d %zu     a whole number, as table_number
 *   %.2f       table_number, so many decimals; %.2f*1e6: table_scaled
 *   %.3e       table_scientific, so many digits
 *   %g %%      table_pct; "%g s": table_time; "%ju B": table_bytes
 *   –          a dash, empty in CSV
 * Behind any of them " [%d]": its mark. */
void table_cells(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A number as table_number, shown in another unit: value x factor. CSV holds the value itself. */
void table_scaled(struct table *t, double value, double factor, int decimals);

/* The same in significant digits, and as times ten to a power where it is far from one. */
void table_scientific(struct table *t, double value, int digits);

/* Marks the last cell. */
void table_mark(struct table *t, enum mark mark);

/* In HTML the last cell is marked with the number of its setting (reports/copied_setting.h); 0:
 * none. */
void table_setting(struct table *t, size_t number);

/* In HTML the table is marked as one of the context of this number (reports/render.c). */
void table_of_context(struct table *t, int context);

/* In HTML the table is collapsed below its caption, as one of more than 20 rows always is. */
void table_fold(struct table *t);

/* The same where its context's number is above this one. */
void table_fold_behind(struct table *t, int context);

/* In HTML a heading that is a word of this text (docs/glossary.md) has its meaning as title. The
 * text is borrowed. */
void table_explain(struct table *t, const char *glossary);

/* The last row, which is full, is in the files alone, not in HTML. */
void table_row_aside(struct table *t);

/* A remark below the table (not in CSV). */
void table_note(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* How many notes there are, and the text of one. */
size_t table_notes(const struct table *t);
const char *table_note_text(const struct table *t, size_t i);

/* In HTML the note of this place is a link to another table, which has it. */
void table_note_at(struct table *t, size_t i, const char *table);

/* 1 when the caption, a title or a cell holds this text. */
int table_has(const struct table *t, const char *text);

/* Complete rows so far. */
size_t table_rows(const struct table *t);
const char *table_name(const struct table *t);

/* Writers. 0, or -1 with *err: memory ran out while it was filled, or the last row is not full. */
int table_write_markdown(const struct table *t, FILE *out, struct err *err);
int table_write_latex(const struct table *t, FILE *out, struct err *err);
int table_write_csv(const struct table *t, FILE *out, struct err *err);

/* A table of more than 300 rows shows its first 100 and a note: large pages open slowly. */
int table_write_html(const struct table *t, FILE *out, struct err *err);

/* Escapes one text as the writers of HTML and Markdown do. */
void escape_html(FILE *out, const char *text);
void escape_markdown(FILE *out, const char *text);

/* Writes one text as a code span of Markdown, whatever it holds. */
void escape_code(FILE *out, const char *text);
