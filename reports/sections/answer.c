/* SPDX-License-Identifier: BSD-3-Clause */
/* The first page: verdict, speed-ups, three pictures, what to type, what it rests on. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "reports/brief.h"
#include "reports/pictures.h"
#include "reports/section_common.h"
#include "reports/section.h"
#include "reports/trust.h"

enum { MOST_ROWS = 6 };

/* ---- the table ---- */

/* The row of a collective and library with a mapping; NULL: there is none. */
static const struct brief_row *row_of(const struct brief *b, const struct context *c,
                                      const char *mapping)
{
    for (size_t i = 0; i < b->rows; i++)
        if (strcmp(b->row[i].context->collective, c->collective) == 0 &&
            strcmp(b->row[i].context->mpi, c->mpi) == 0 &&
            strcmp(b->row[i].context->mapping, mapping) == 0)
            return &b->row[i];
    return NULL;
}

static void put_factor(struct table *t, double factor, int is_mean)
{
    table_value(t, factor, "%s%s", brief_factor(factor), isfinite(factor) ? "×" : "");
    if (is_mean && factor > 1.03)
        table_mark(t, factor > 1.1 ? MARK_BAD : MARK_FAIR);
}

/* Mappings in the order in which they occur: each is a column, so that none is hidden. */
static size_t find_mappings(const struct brief *b, const char **mapping, size_t most)
{
    size_t n = 0;
    for (size_t i = 0; i < b->rows; i++) {
        size_t k = 0;
        while (k < n && strcmp(mapping[k], b->row[i].context->mapping) != 0)
            k++;
        if (k == n && n < most)
            mapping[n++] = b->row[i].context->mapping;
    }
    return n;
}

static void add_columns(struct table *t, const char *const *mapping, size_t n, int libraries)
{
    table_columns(t, "<collective|collective%s", libraries ? " ; <mpi|library" : "");
    for (size_t k = 0; k < n; k++)
        table_columns(t, ">%s_mean|mean|ranks by %s ; >%s_most|up to|ranks by %s", mapping[k],
                      mapping[k], mapping[k], mapping[k]);
}

static void put_table(struct page *page, const struct brief *b, FILE *out)
{
    const char *mapping[16];
    const size_t n = find_mappings(b, mapping, sizeof mapping / sizeof *mapping);
    size_t by;
    const struct brief_row **row = brief_by_mean(b, b->rows, &by);
    int libraries = 0;
    for (size_t i = 0; i < b->rows; i++)
        libraries |= has_library(page->data, b->row[i].context) &&
                     strcmp(b->row[i].context->mpi, b->row->context->mpi) != 0;
    struct table *t = page_table_new(page, "speedup", "Speed-up over the library’s default");
    add_columns(t, mapping, n, libraries);
    for (size_t i = 0; i < by; i++) {
        const struct context *c = row[i]->context;
        size_t k = 0;
        while (strcmp(row[k]->context->collective, c->collective) != 0 ||
               strcmp(row[k]->context->mpi, c->mpi) != 0)
            k++;
        if (k < i)
            continue;
        table_text(t, c->collective);
        if (libraries)
            table_text(t, mpi_label(c->mpi));
        for (size_t m = 0; m < n; m++) {
            const struct brief_row *at = row_of(b, c, mapping[m]);
            put_factor(t, at ? at->mean : NAN, 1);
            put_factor(t, at ? at->most : NAN, 0);
        }
        if (table_rows(t) > MOST_ROWS)
            table_row_aside(t);
    }
    if (table_rows(t) > MOST_ROWS)
        table_note(t, "The %d of %zu where most is to be gained; Choices has all.", MOST_ROWS,
                   table_rows(t));
    free(row);
    page_table_into(page, t, out);
}

/* ---- the page ---- */

static void put_command(FILE *out, const char *what, const char *command)
{
    if (!command)
        return;
    fprintf(out, "<p>%s<br><code>", what);
    escape_html(out, command);
    fputs("</code></p>\n", out);
}

/* Behind `before`, where there is anything. */
static void put_escaped(FILE *out, const struct report_data *d, const char *before,
                        void (*write)(FILE *, const struct report_data *))
{
    char *text = NULL;
    size_t size = 0;
    FILE *plain = memory_stream(&text, &size);
    write(plain, d);
    fclose(plain);
    if (*text)
        fputs(before, out);
    escape_html(out, text);
    free(text);
}

static void put_type(FILE *out, const struct report_data *d, const struct brief *b)
{
    fputs("<div class=\"type\">\n", out);
    put_command(out, "<strong>To write the file</strong> that the library loads:", b->export);
    if (b->export && b->rows > 1)
        fputs("<p class=\"note\">Other placements and libraries: <a href=\"#set\">What to set</a>."
              "</p>\n",
              out);
    put_escaped(out, d, "<p><strong>The file to load:</strong> ", brief_files);
    put_command(out, "<strong>To ask</strong> about one case:", b->ask);
    if (!b->export)
        fputs("<p>There is nothing to set.</p>\n", out);
    put_escaped(out, d, "<p><strong>It rests on</strong> ", brief_basis);
    put_escaped(out, d, ". Made by ", brief_maker);
    fputs(".</p></div>\n", out);
}

static void write_section(struct page *page)
{
    const struct report_data *d = page->data;
    struct brief b;
    char *html = NULL;
    size_t size = 0;
    FILE *out = memory_stream(&html, &size);
    brief_find(d, &b);
    fputs("<p class=\"verdict\">", out);
    escape_html(out, b.verdict);
    fputs("</p>\n<div class=\"facts\"><div>\n", out);
    put_table(page, &b, out);
    fputs("</div>\n", out);
    put_type(out, d, &b);
    fputs("</div>\n<div class=\"pictures\">\n", out);
    picture_winners(out, d, &b);
    picture_losses(out, d, &b);
    picture_sure(out, d, &b);
    fputs("</div>\n", out);
    fclose(out);
    brief_clear(&b);
    page_html(page, "answer", html);
}

const struct section section_answer = {
    .name = "answer",
    .title = "In short",
    .subject = PAGE_INDEX,
    .rows = SECTION_ROWS(choices),
    .absent = "No selection yet: `selection.csv` is not there (`collsel select` writes it).",
    .file = "selection.csv",
    .write = write_section,
};
