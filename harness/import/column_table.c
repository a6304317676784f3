/* SPDX-License-Identifier: BSD-3-Clause */
/* column_table.c - separated columns under a header row: by --map (format csv), and for the formats
 * that are such tables. A header may come again, and may then have other columns: files are made by
 * joining others. A header may begin with #, other lines that do are comments. */
#include <fnmatch.h>

#include "harness/import/import.h"
#include "workloads/schedules/collectives.h"

enum role column_role(const struct column *columns, size_t n, const char *name, size_t len)
{
    for (size_t i = 0; i < n; i++)
        if (strlen(columns[i].name) == len && strncmp(columns[i].name, name, len) == 0)
            return columns[i].role;
    return ROLE_NONE;
}

int collective_is_divided(const char *collective)
{
    const struct collective *c = collective_find(collective);
    return c && (c->data.amount == AMOUNT_EACH || c->send.amount == AMOUNT_EACH ||
                 c->recv.amount == AMOUNT_EACH);
}

/* The header that holds: what each column is. */
struct header {
    const struct column *column[MAX_FIELDS]; /* NULL: no matter */
    size_t n;                                /* 0: no header yet */
    size_t where[MAX_WHERE];                 /* the column of each --where; n: not there */
    size_t condition[MAX_CONDITIONS];        /* of each condition of the form; n: not there */
};

static const char *bare(const char *name)
{
    return *name == '#' ? name + strspn(name, "# \t") : name;
}

/* The column of a name, n: none. */
static size_t place_of(const char *name, char *const *field, size_t n)
{
    const size_t i = first_below(k, n, same_word(bare(name), field[k]));
    return i;
}

/* Where nothing in particular is needed: a column of times, and no number, which no name is. */
static int has_time(const struct header *h, char *const *field)
{
    double number;
    int some = 0;
    for (size_t i = 0; i < h->n; i++) {
        if (parse_f64(field[i], &number, NULL) == 0)
            return 0;
        some |= h->column[i] && role_is_time(h->column[i]->role);
    }
    return some;
}

/* The name of a column that counts and is there twice: which of the two is meant? NULL: none is. */
static const char *find_twice(const struct header *h)
{
    for (size_t i = 0; i < h->n; i++)
        for (size_t k = 0; h->column[i] && h->column[i]->role != ROLE_NONE && k < i; k++)
            if (h->column[k] == h->column[i])
                return bare(h->column[i]->name);
    return NULL;
}

/* A table without the column of a --where: which of its rows are meant? */
static void refuse_where(struct import *job, const char *column, char *const *field, size_t n)
{
    char names[300] = "";
    for (size_t i = 0, used = 0; i < n && used < sizeof names; i++)
        used +=
            (size_t)snprintf(names + used, sizeof names - used, "%s%.40s", i ? ", " : "", field[i]);
    err_usage(&job->err, "%s:%zu: the table has no column '%s' for --where (want one of: %s)",
              job->now->path, job->line.number, column, names);
}

/* 1 when the fields are names of columns, with all that is needed among them. */
static int read_header(struct import *job, const struct table_form *form, char *const *field,
                       size_t n, struct header *header)
{
    const struct import_options *o = job->options;
    struct header h = { .n = n };
    for (size_t i = 0; i < n; i++)
        h.column[i] =
            find_below(form->columns, k, form->n, same_word(bare(form->columns[k].name), field[i]));
    if (!form->needed && !has_time(&h, field))
        return 0;
    for (const enum role *role = form->needed; role && *role != ROLE_NONE; role++)
        if (!any_below(i, h.n, h.column[i] && h.column[i]->role == *role))
            return 0;
    for (size_t i = 0; i < o->n_where; i++) {
        h.where[i] = place_of(o->where[i].column, field, n);
        job->where_known[i] = 1;
        if (h.where[i] == n)
            refuse_where(job, o->where[i].column, field, n);
    }
    for (size_t i = 0; form->conditions && form->conditions[i]; i++)
        h.condition[i] = place_of(form->conditions[i], field, n);
    if (header->n)
        import_batch(job);
    *header = h;
    return 1;
}

/* The first of several columns of one role counts. */
static void tell(const struct header *header, char *const *field, struct source_row *told)
{
    *told = (struct source_row){ .text = { NULL } };
    for (size_t i = 0; i < header->n; i++) {
        const struct column *c = header->column[i];
        if (!c || c->role == ROLE_NONE || told->text[c->role])
            continue;
        told->text[c->role] = field[i];
        told->scale[c->role] = c->scale;
    }
}

/* Does --where take the row? Of each column that it names and the table has, one value matches. */
static int is_wanted(const struct import_options *o, const struct header *h, char *const *field)
{
    for (size_t i = 0; i < o->n_where; i++) {
        int matches = h->where[i] == h->n;
        for (size_t k = 0; k < o->n_where && !matches; k++)
            matches = h->where[k] == h->where[i] &&
                      fnmatch(o->where[k].value, field[h->where[i]], 0) == 0;
        if (!matches)
            return 0;
    }
    return 1;
}

/* Under which conditions the row that was added was measured; "null" is how some tables say
 * nothing. */
static void note_conditions(struct import *job, const struct table_form *form,
                            const struct header *h, char *const *field)
{
    struct imported_row *r = &job->rows.row[job->rows.n - 1];
    r->conditions = form->conditions;
    for (size_t i = 0; form->conditions && form->conditions[i]; i++)
        if (h->condition[i] < h->n)
            r->condition[i] =
                same_word(field[h->condition[i]], "null") ? "" : field[h->condition[i]];
}

static int take_fields(struct import *job, const struct table_form *form,
                       const struct header *header, char *const *field, size_t n)
{
    struct source_row told;
    if (!header->n)
        return import_set_aside(job, ASIDE_HEADER, "no header of this format before it");
    if (n != header->n)
        return import_set_aside(job, ASIDE_FIELDS, "%zu columns, the header has %zu", n, header->n);
    if (!is_wanted(job->options, header, field)) {
        job->left_out++;
        return 0;
    }
    tell(header, field, &told);
    const int done = form->finish ? form->finish(job, &told) : 0;
    if (done)
        return job->err.status ? -1 : 0;
    if (import_take(job, &told) < 0)
        return -1;
    note_conditions(job, form, header, field);
    return 0;
}

/* One line, which may be a header, a comment, or a row. */
static int take_line(struct import *job, const struct table_form *form, struct header *header,
                     char *separator)
{
    char *field[MAX_FIELDS];
    const int comment = *job->line.text == '#', again = header->n > 0;
    char *text = job->line.text + (comment ? strspn(job->line.text, "# \t") : 0);
    const char by = again ? *separator : find_separator(text);
    const size_t n = split_separated(text, by, field, MAX_FIELDS);
    if (n == (size_t)-1)
        return comment ? 0 : import_set_aside(job, ASIDE_FIELDS, "a quote does not end");
    if (n <= MAX_FIELDS && read_header(job, form, field, n, header)) {
        *separator = by;
        const char *twice = find_twice(header);
        if (twice) {
            header->n = 0; /* the rows below are not understood */
            return import_set_aside(job, ASIDE_HEADER, "the header has the column '%s' twice",
                                    twice);
        }
        return again && !comment ? import_set_aside(job, ASIDE_HEADER, "a header within the file")
                                 : 0;
    }
    return comment ? 0 : take_fields(job, form, header, field, n);
}

int import_table(struct import *job, const struct table_form *form)
{
    struct header header = { .n = 0 };
    char separator = ',';
    while (import_next(job))
        if (take_line(job, form, &header, &separator) < 0)
            return -1;
    return job->err.status ? -1 : 0;
}

/* A table of a channel, without algorithms and processes, is of ping-pongs. */
static int finish_csv(struct import *job, struct source_row *told)
{
    if (told->text[ROLE_CHANNEL] && !told->text[ROLE_ALGORITHM] && !told->text[ROLE_PROCS] &&
        !told->text[ROLE_EXPERIMENT] && !job->now->told.text[ROLE_EXPERIMENT])
        told->text[ROLE_EXPERIMENT] = "pingpong";
    return 0;
}

static int read_csv(struct import *job)
{
    const struct import_options *o = job->options;
    const struct table_form form = { .columns = o->map, .n = o->n_map, .finish = finish_csv };
    if (!o->n_map)
        return err_usage(&job->err, "format csv wants --map, e.g. bytes=size,procs=P,max_s=max:us");
    return import_table(job, &form);
}

const struct import_format format_csv = {
    .name = "csv",
    .help = "any table of separated columns under a header, with --map",
    .suffix = ".csv",
    .read = read_csv,
};
