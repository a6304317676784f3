/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/csv.h"

#ifndef WITHOUT_LIBCSV
#include <csv.h>
#endif

#include "harness/base/csv_own.h"

#ifdef WITHOUT_LIBCSV
typedef struct csv_own parser; /* the same names for libcsv's and ours */
#define parser_init(p) ((void)(*(p) = (struct csv_own){ .n = 0 }), 0)
#define parser_feed    csv_own_parse
#define parser_free    csv_own_free
#define parser_write   csv_own_write
#else
typedef struct csv_parser parser;
#define parser_init(p)           csv_init((p), CSV_STRICT | CSV_STRICT_FINI)
#define parser_feed              csv_parse
#define parser_free              csv_free
#define parser_write(file, text) csv_fwrite((file), (text), strlen(text))
#endif

/* Fields of one line as offsets into text. libcsv is fed one line (or, inside quotes, several) at a
 * time, so a row never has to be remembered across calls. */
struct row {
    char *text;
    size_t used, text_room;
    size_t *field;
    size_t n, field_room;
    int ended;
};

struct csv {
    char *path;
    FILE *file;
    parser parser;
    char *line;
    size_t line_cap;
    size_t line_no; /* lines read so far */
    size_t row_line;
    uint64_t at, row_at; /* bytes read so far; where the current row begins */
    char **names;
    size_t n_names;
    struct row row;
    int truncated;
};

static void on_field(void *data, size_t len, void *arg)
{
    struct row *row = arg;
    array_room(&row->field, &row->field_room, row->n + 1);
    array_room(&row->text, &row->text_room, row->used + len + 1);
    row->field[row->n++] = row->used;
    if (len)
        memcpy(row->text + row->used, data, len);
    row->text[row->used + len] = '\0';
    row->used += len + 1;
}

static void on_row(int c, void *arg)
{
    (void)c;
    ((struct row *)arg)->ended = 1;
}

/* Reads one raw line with its newline. 1, 0 at the end (a line without newline counts as cut), -1.
 */
static int read_line(struct csv *csv, size_t *len, struct err *err)
{
    ssize_t n = getline(&csv->line, &csv->line_cap, csv->file);
    if (n < 0)
        return ferror(csv->file) ? err_errno(err, "cannot read '%s'", csv->path) : 0;
    csv->line_no++;
    csv->at += (uint64_t)n;
    if (csv->line[n - 1] != '\n') {
        csv->truncated = 1;
        return 0;
    }
    if (memchr(csv->line, '\0', (size_t)n))
        return err_set(err, "%s:%zu: holds a NUL byte", csv->path, csv->line_no);
    *len = (size_t)n;
    return 1;
}

/* Cuts a line at its commas where nothing in it is for libcsv to look at: no quotes, no blanks, no
 * carriage return. Nearly all lines are so, and this takes a fifth of the time. 1: done, 0: not. */
static int split_plain(struct row *row, const char *line, size_t len)
{
    if (len < 2 || strcspn(line, "\" \t\r") < len)
        return 0;
    array_room(&row->text, &row->text_room, len + 1);
    memcpy(row->text, line, len);
    row->text[len - 1] = '\0';
    row->used = len;
    for (char *first = row->text, *comma; first; first = comma ? comma + 1 : NULL) {
        array_room(&row->field, &row->field_room, row->n + 1);
        row->field[row->n++] = (size_t)(first - row->text);
        if ((comma = strchr(first, ',')) != NULL)
            *comma = '\0';
    }
    return 1;
}

/* Parses the next row into csv->row: 1, 0 at the end, -1. */
static int read_row(struct csv *csv, struct err *err)
{
    struct row *row = &csv->row;
    row->n = row->used = 0;
    row->ended = 0;
    csv->row_line = csv->line_no + 1;
    csv->row_at = csv->at;
    while (!row->ended) {
        size_t len = 0;
        int got = read_line(csv, &len, err);
        if (got < 0)
            return -1;
        if (got == 0) {
            if (row->n || csv->line_no >= csv->row_line)
                csv->truncated = 1;
            return 0;
        }
        if (csv->line_no == csv->row_line && split_plain(row, csv->line, len))
            return 1;
        if (parser_feed(&csv->parser, csv->line, len, on_field, on_row, row) != len)
            return err_set(err, "%s:%zu: malformed quoting", csv->path, csv->line_no);
        if (!row->ended && csv->line_no == csv->row_line &&
            strspn(csv->line, " \t\r\n") == len) { /* libcsv skips blank lines between rows */
            csv->row_line = csv->line_no + 1;
            csv->row_at = csv->at;
        }
    }
    return 1;
}

/* Skips the provenance lines before the header. */
static void skip_comments(struct csv *csv)
{
    int c;
    while ((c = getc(csv->file)) == '#') {
        csv->line_no++;
        csv->at += 2; /* with the newline */
        while ((c = getc(csv->file)) != EOF && c != '\n')
            csv->at++;
    }
    if (c != EOF)
        ungetc(c, csv->file);
}

static int keep_header(struct csv *csv, struct err *err)
{
    csv->names = memory_zeros(csv->row.n, sizeof *csv->names);
    for (size_t i = 0; i < csv->row.n; i++) {
        const char *name = csv->row.text + csv->row.field[i];
        if (csv_column(csv, name) >= 0)
            return err_set(err, "%s:%zu: column '%s' stands twice", csv->path, csv->row_line, name);
        csv->names[i] = memory_text(name);
        csv->n_names = i + 1;
    }
    return 0;
}

static int open_header(struct csv *csv, const char *const *columns, struct err *err)
{
    if (fs_open_existing(csv->path, &csv->file, err) < 0)
        return -1;
    if (parser_init(&csv->parser) != 0)
        return err_set(err, "%s: libcsv did not start", csv->path);
    skip_comments(csv);
    int got = read_row(csv, err);
    if (got < 0)
        return -1;
    if (got == 0)
        return err_set(err, "%s:%zu: has no header row (want one line of column names)", csv->path,
                       csv->row_line);
    if (keep_header(csv, err) < 0)
        return -1;
    return columns ? csv_require(csv, columns, err) : 0;
}

struct csv *csv_open(const char *path, const char *const *columns, struct err *err)
{
    struct csv *csv = memory_zeros(1, sizeof *csv);
    csv->path = memory_text(path);
    if (open_header(csv, columns, err) < 0) {
        csv_close(csv);
        return NULL;
    }
    return csv;
}

void csv_close(struct csv *csv)
{
    if (!csv)
        return;
    if (csv->file) {
        fclose(csv->file);
        parser_free(&csv->parser);
    }
    for (size_t i = 0; i < csv->n_names; i++)
        free(csv->names[i]);
    memory_free(csv->names, csv->row.text, csv->row.field, csv->line, csv->path, csv);
}

int csv_next(struct csv *csv, struct err *err)
{
    const int got = read_row(csv, err);
    if (got == 1 && csv->row.n != csv->n_names)
        return csv_fail(csv, err, "has %zu fields (want %zu as in the header)", csv->row.n,
                        csv->n_names);
    return got;
}

int csv_truncated(const struct csv *csv)
{
    return csv->truncated;
}

int csv_end(const struct csv *csv, int got, struct err *err)
{
    if (got != 0 || !csv->truncated)
        return got;
    if (csv->line_no > csv->row_line)
        return csv_fail(csv, err, "a quote that begins here does not end (want '\"')");
    return csv_fail(csv, err, "the last line was cut short (want %zu fields and a newline)",
                    csv->n_names);
}

int csv_require(const struct csv *csv, const char *const *columns, struct err *err)
{
    for (; *columns; columns++)
        if (csv_column(csv, *columns) < 0)
            return csv_fail(csv, err,
                            "has no column '%s' among its %zu ('%s' ... '%s'): make the file again "
                            "with this program, or give the column this name",
                            *columns, csv->n_names, csv->names[0], csv->names[csv->n_names - 1]);
    return 0;
}

struct csv_place csv_place(const struct csv *csv)
{
    return (struct csv_place){ csv->row_at, csv->row_line };
}

int csv_go(struct csv *csv, struct csv_place place, struct err *err)
{
    if (fseeko(csv->file, (off_t)place.byte, SEEK_SET) != 0)
        return err_errno(err, "cannot read '%s'", csv->path);
    csv->at = place.byte;
    csv->line_no = place.line - 1;
    return 0;
}

size_t csv_line(const struct csv *csv)
{
    return csv->row_line;
}

const char *csv_path(const struct csv *csv)
{
    return csv->path;
}

int csv_column(const struct csv *csv, const char *name)
{
    for (size_t i = 0; i < csv->n_names; i++)
        if (strcmp(csv->names[i], name) == 0)
            return (int)i;
    return -1;
}

/* 1 when a spreadsheet would take the text for a formula, but for apostrophes before it. A number
 * is one. */
static int is_formula(const char *text)
{
    double number;
    const char *first = text + strspn(text, "'");
    return *first && strchr("=+-@", *first) && (first > text || parse_f64(text, &number, NULL) < 0);
}

const char *csv_text(const struct csv *csv, int column)
{
    const char *text = csv->row.text + csv->row.field[column];
    return text + (*text == '\'' && is_formula(text));
}

int csv_fail(const struct csv *csv, struct err *err, const char *fmt, ...)
{
    char what[sizeof err->text]; /* what is cut here is cut there, and shows */
    va_list args;
    va_start(args, fmt);
    vsnprintf(what, sizeof what, fmt, args);
    va_end(args);
    return err_set(err, "%s:%zu: %s", csv->path, csv->row_line, what);
}

/* Adds file, line and column to the error of a getter. */
static int in_field(const struct csv *csv, int column, struct err *err)
{
    return err_prefix(err, "%s:%zu: %s", csv->path, csv->row_line, csv->names[column]);
}

int csv_u64(const struct csv *csv, int column, uint64_t *value, struct err *err)
{
    if (parse_u64(csv_text(csv, column), value, err) < 0)
        return in_field(csv, column, err);
    return 0;
}

int csv_int(const struct csv *csv, int column, int *value, struct err *err)
{
    int64_t v;
    if (parse_i64(csv_text(csv, column), &v, err) < 0)
        return in_field(csv, column, err);
    if (v < INT_MIN || v > INT_MAX)
        return csv_fail(csv, err, "%s: '%s' is out of range", csv->names[column],
                        csv_text(csv, column));
    *value = (int)v;
    return 0;
}

int csv_f64(const struct csv *csv, int column, double *value, struct err *err)
{
    const char *text = csv_text(csv, column);
    if (!*text) {
        *value = NAN;
        return 0;
    }
    if (parse_f64(text, value, err) < 0)
        return in_field(csv, column, err);
    return 0;
}

int csv_copy(const struct csv *csv, int column, char *buf, size_t size, struct err *err)
{
    const char *text = csv_text(csv, column);
    if (strlen(text) >= size)
        return csv_fail(csv, err, "%s: '%.40s...' is too long (want less than %zu characters)",
                        csv->names[column], text, size);
    memcpy(buf, text, strlen(text) + 1);
    return 0;
}

int csv_name(const struct csv *csv, int column, char *buf, size_t size, struct err *err)
{
    if (csv_copy(csv, column, buf, size, err) < 0)
        return -1;
    if (!text_is_plain(buf, TEXT_OF_WORDS))
        return csv_fail(csv, err, "%s: '%s' is not a name (want letters, digits, _ - . : +)",
                        csv->names[column], buf);
    return 0;
}

static void separate(struct csvw *w)
{
    if (w->fields++)
        putc(',', w->file);
}

/* 1 when a reader would take the bare text for something else: libcsv strips blanks at both ends.
 */
static int needs_quotes(const char *text)
{
    size_t len = strlen(text);
    return strcspn(text, ",\"\r\n") < len || text[0] == '#' ||
           (len && (strchr(" \t", text[0]) || strchr(" \t", text[len - 1])));
}

void csvw_text(struct csvw *w, const char *text)
{
    char *armed = NULL;
    separate(w);
    if (is_formula(text))
        text = armed = memory_text_of("'%s", text);
    if (!needs_quotes(text))
        fputs(text, w->file);
    else
        parser_write(w->file, text);
    free(armed);
}

/* By hand: of a row of samples printf would take more time than all else. */
static void put_digits(struct csvw *w, uint64_t value)
{
    char text[24], *at = text + sizeof text;
    do
        *--at = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    fwrite(at, 1, (size_t)(text + sizeof text - at), w->file);
}

void csvw_u64(struct csvw *w, uint64_t value)
{
    separate(w);
    put_digits(w, value);
}

void csvw_i64(struct csvw *w, int64_t value)
{
    separate(w);
    if (value < 0)
        putc('-', w->file);
    put_digits(w, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void csvw_f64(struct csvw *w, double value)
{
    separate(w);
    if (isfinite(value))
        fprintf(w->file, "%.9g", value);
}

static void end_row(struct csvw *w, const char *last)
{
    if (*w->last_name)
        csvw_text(w, last);
    putc('\n', w->file);
    w->fields = 0;
}

void csvw_end(struct csvw *w)
{
    end_row(w, w->last_value);
}

void csvw_header(struct csvw *w, const char *const *columns)
{
    for (; *columns; columns++)
        csvw_text(w, *columns);
    end_row(w, w->last_name);
}
