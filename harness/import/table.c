/* SPDX-License-Identifier: BSD-3-Clause */
/* table.c - separated columns under a header row, for the formats that are such tables. A header
 * may come again, and may then have other columns: files are made by joining others. */
#include <string.h>

#include "harness/import/import.h"

/* The header that holds: what each column is. */
struct header {
    const struct column *column[MAX_FIELDS]; /* NULL: no matter */
    size_t n;                                /* 0: no header yet */
};

static const struct column *find(const struct table_form *form, const char *name)
{
    for (size_t i = 0; i < form->n; i++)
        if (same_word(form->columns[i].name, name))
            return &form->columns[i];
    return NULL;
}

/* 1 when the fields are names of columns, with all that is needed among them. */
static int read_header(const struct table_form *form, char *const *field, size_t n,
                       struct header *header)
{
    struct header h = { .n = n };
    for (size_t i = 0; i < n; i++)
        h.column[i] = find(form, field[i]);
    for (const enum role *role = form->needed; *role != ROLE_NONE; role++) {
        size_t i = 0;
        while (i < n && !(h.column[i] && h.column[i]->role == *role))
            i++;
        if (i == n)
            return 0;
    }
    *header = h;
    return 1;
}

/* The first of several columns of one role counts. */
static void tell(const struct header *header, char *const *field, struct told *told)
{
    *told = (struct told){ .text = { NULL } };
    for (size_t i = 0; i < header->n; i++) {
        const struct column *c = header->column[i];
        if (!c || c->role == ROLE_NONE || told->text[c->role])
            continue;
        told->text[c->role] = field[i];
        told->scale[c->role] = c->scale;
    }
}

static int take_fields(struct import *job, const struct table_form *form, struct header *header,
                       char *const *field, size_t n)
{
    struct told told;
    const int again = header->n > 0;
    if (n <= MAX_FIELDS && read_header(form, field, n, header))
        return again ? import_set_aside(job, ASIDE_HEADER, "a header within the file") : 0;
    if (!again)
        return import_set_aside(job, ASIDE_HEADER, "no header of this format before it");
    if (n != header->n)
        return import_set_aside(job, ASIDE_FIELDS, "%zu columns, the header has %zu", n, header->n);
    tell(header, field, &told);
    const int done = form->finish ? form->finish(job, &told) : 0;
    return done ? (job->err.status ? -1 : 0) : import_take(job, &told);
}

int import_table(struct import *job, const struct table_form *form)
{
    char *field[MAX_FIELDS];
    struct header header = { .n = 0 };
    char separator = ',';
    while (import_next(job)) {
        if (*job->line.text == '#')
            continue;
        if (!header.n)
            separator = find_separator(job->line.text);
        const size_t n = split_separated(job->line.text, separator, field, MAX_FIELDS);
        const int status = n == (size_t)-1
                               ? import_set_aside(job, ASIDE_FIELDS, "a quote does not end")
                               : take_fields(job, form, &header, field, n);
        if (status < 0)
            return -1;
    }
    return job->err.status ? -1 : 0;
}
