/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/csv_own.h"

/* What is read, and for whom. */
struct reader {
    struct csv_own *csv;
    void (*on_field)(void *data, size_t len, void *arg);
    void (*on_row)(int c, void *arg);
    void *arg;
};

static int is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static int is_end(char c)
{
    return c == '\n' || c == '\r';
}

static void keep(struct csv_own *csv, char c)
{
    array_room(&csv->text, &csv->room, csv->n + 1);
    csv->text[csv->n++] = c;
}

/* A comma or the end of a line, which ends a field. */
static void end_field(const struct reader *r, char c)
{
    struct csv_own *csv = r->csv;
    r->on_field(csv->text, csv->n - csv->blanks, r->arg);
    csv->n = csv->blanks = 0;
    csv->state = CSV_OWN_FIELD;
    if (!is_end(c))
        return;
    csv->state = CSV_OWN_ROW;
    r->on_row(c, r->arg);
}

static int begin(const struct reader *r, char c)
{
    struct csv_own *csv = r->csv;
    if (is_blank(c) || (is_end(c) && csv->state == CSV_OWN_ROW))
        return 1;
    if (is_end(c) || c == ',') {
        end_field(r, c);
        return 1;
    }
    csv->state = c == '"' ? CSV_OWN_QUOTED : CSV_OWN_PLAIN;
    if (c != '"')
        keep(csv, c);
    return 1;
}

static int in_plain(const struct reader *r, char c)
{
    struct csv_own *csv = r->csv;
    if (c == '"')
        return 0;
    if (is_end(c) || c == ',') {
        end_field(r, c);
        return 1;
    }
    keep(csv, c);
    csv->blanks = is_blank(c) ? csv->blanks + 1 : 0;
    return 1;
}

/* Behind a quote that may have been the closing one; blanks are looked at and not kept. */
static int behind_quote(const struct reader *r, char c)
{
    struct csv_own *csv = r->csv;
    if (is_end(c) || c == ',') {
        end_field(r, c);
        return 1;
    }
    if (is_blank(c)) {
        csv->behind = 1;
        return 1;
    }
    if (c != '"' || csv->behind)
        return 0;
    keep(csv, c); /* two quotes are one */
    csv->state = CSV_OWN_QUOTED;
    return 1;
}

static int take(const struct reader *r, char c)
{
    switch (r->csv->state) {
    case CSV_OWN_ROW:
    case CSV_OWN_FIELD:
        return begin(r, c);
    case CSV_OWN_PLAIN:
        return in_plain(r, c);
    case CSV_OWN_CLOSED:
        return behind_quote(r, c);
    default:
        r->csv->behind = 0;
        if (c == '"')
            r->csv->state = CSV_OWN_CLOSED;
        else
            keep(r->csv, c);
        return 1;
    }
}

size_t csv_own_parse(struct csv_own *csv, const char *text, size_t len,
                     void (*on_field)(void *data, size_t len, void *arg),
                     void (*on_row)(int c, void *arg), void *arg)
{
    const struct reader r = { csv, on_field, on_row, arg };
    return first_below(i, len, !take(&r, text[i]));
}

void csv_own_write(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', out);
        putc(*text, out);
    }
    putc('"', out);
}

CLEARS(csv_own_free, csv_own, it->text)
