/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/schema.h"

static int64_t get_int(const struct schema_column *c, const char *at)
{
    int narrow;
    int64_t wide;
    if (c->size == sizeof wide) {
        memcpy(&wide, at, sizeof wide);
        return wide;
    }
    memcpy(&narrow, at, sizeof narrow);
    return narrow;
}

static void set_int(const struct schema_column *c, char *at, int64_t value)
{
    const int narrow = (int)value;
    if (c->size == sizeof value)
        memcpy(at, &value, sizeof value);
    else
        memcpy(at, &narrow, sizeof narrow);
}

static double get_real(const char *at)
{
    double value;
    memcpy(&value, at, sizeof value);
    return value;
}

static uint64_t get_count(const char *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static int is_empty(const struct schema *schema, const struct schema_column *c, const void *row)
{
    const char *at = (const char *)row + c->offset;
    return (c->given && !c->given(row)) || (schema->given && !schema->given(row, c)) ||
           (c->has_none && c->kind == COLUMN_INT && get_int(c, at) == c->none);
}

struct schema_value schema_value(const struct schema *schema, const struct schema_column *c,
                                 const void *row)
{
    const char *at = (const char *)row + c->offset;
    struct schema_value v = { .kind = VALUE_NONE };
    if (is_empty(schema, c, row))
        return v;
    switch (c->kind) {
    case COLUMN_NAME:
    case COLUMN_TEXT:
        v.kind = VALUE_TEXT;
        v.text = at;
        break;
    case COLUMN_INT:
        v.kind = VALUE_INT;
        v.number = get_int(c, at);
        break;
    case COLUMN_COUNT:
        v.kind = VALUE_COUNT;
        v.count = get_count(at);
        break;
    case COLUMN_REAL:
        v.kind = VALUE_REAL;
        v.real = get_real(at);
        break;
    case COLUMN_WORD:
        v.kind = VALUE_TEXT;
        v.text = c->words[get_int(c, at)];
        break;
    case COLUMN_CODED:
        v.kind = VALUE_TEXT;
        v.text = c->code->text(at);
        break;
    }
    return v;
}

static void write_field(struct csvw *w, const struct schema_value *v)
{
    switch (v->kind) {
    case VALUE_NONE:
        csvw_text(w, "");
        break;
    case VALUE_TEXT:
        csvw_text(w, v->text);
        break;
    case VALUE_INT:
        csvw_i64(w, v->number);
        break;
    case VALUE_COUNT:
        csvw_u64(w, v->count);
        break;
    case VALUE_REAL:
        csvw_f64(w, v->real);
        break;
    }
}

void schema_header(struct csvw *w, const struct schema *schema)
{
    static const char *const no_more[] = { NULL };
    for (size_t i = 0; i < schema->n_columns; i++)
        csvw_text(w, schema->columns[i].name);
    csvw_header(w, no_more);
}

void schema_fields(struct csvw *w, const struct schema *schema, const void *row)
{
    for (size_t i = 0; i < schema->n_columns; i++) {
        const struct schema_value v = schema_value(schema, &schema->columns[i], row);
        write_field(w, &v);
    }
}

void schema_row(struct csvw *w, const struct schema *schema, const void *row)
{
    schema_fields(w, schema, row);
    csvw_end(w);
}

int schema_begin(const struct schema *schema, const char *path, const char *backend,
                 struct whole_file *f, struct csvw *w, struct err *err)
{
    if (fs_begin(f, path, err) < 0)
        return -1;
    *w = (struct csvw){ .file = f->file };
    if (backend) {
        snprintf(w->last_name, sizeof w->last_name, "backend");
        snprintf(w->last_value, sizeof w->last_value, "%s", backend);
    }
    schema_header(w, schema);
    return 0;
}

int schema_write(const struct schema *schema, const char *path, const void *rows, size_t n,
                 struct err *err)
{
    struct whole_file f;
    struct csvw w;
    if (schema_begin(schema, path, NULL, &f, &w, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        schema_row(&w, schema, (const char *)rows + i * schema->row_size);
    return fs_commit(&f, err);
}

int schema_open(struct schema_reader *r, const struct schema *schema, const char *path,
                struct err *err)
{
    *r = (struct schema_reader){ .schema = schema };
    if (schema->n_columns > SCHEMA_MOST_COLUMNS)
        return err_set(err, "%s: has %zu columns (want at most %d)", schema->path,
                       schema->n_columns, SCHEMA_MOST_COLUMNS);
    r->csv = csv_open(path, NULL, err);
    if (!r->csv)
        return -1;
    for (size_t i = 0; i < schema->n_columns; i++) {
        const struct schema_column *c = &schema->columns[i];
        const char *const required[] = { c->name, NULL };
        if (!c->optional && csv_require(r->csv, required, err) < 0) {
            schema_close(r);
            return -1;
        }
        r->column[i] = csv_column(r->csv, c->name);
    }
    return 0;
}

static int read_int(const struct csv *csv, const struct schema_column *c, int field, char *at,
                    struct err *err)
{
    uint64_t wide;
    int narrow;
    if (c->size == sizeof wide) {
        if (csv_u64(csv, field, &wide, err) < 0)
            return -1;
        if (wide > INT64_MAX)
            return csv_fail(csv, err, "%s: '%s' is out of range", c->name, csv_text(csv, field));
        set_int(c, at, (int64_t)wide);
        return 0;
    }
    if (csv_int(csv, field, &narrow, err) < 0)
        return -1;
    if (c->least < c->most && narrow < c->least)
        return csv_fail(csv, err, "%s: %d is too small (want at least %lld)", c->name, narrow,
                        (long long)c->least);
    if (c->least < c->most && narrow > c->most)
        return csv_fail(csv, err, "%s: %d is too large (want at most %lld)", c->name, narrow,
                        (long long)c->most);
    set_int(c, at, narrow);
    return 0;
}

static int read_real(const struct csv *csv, const struct schema_column *c, int field, double *at,
                     struct err *err)
{
    if (csv_f64(csv, field, at, err) < 0)
        return -1;
    if (c->least < c->most && *at < (double)c->least)
        return csv_fail(csv, err, "%s: %g is too small (want at least %lld)", c->name, *at,
                        (long long)c->least);
    if (c->least<c->most && * at>(double) c->most)
        return csv_fail(csv, err, "%s: %g is too large (want at most %lld)", c->name, *at,
                        (long long)c->most);
    return 0;
}

/* "a, b or c"; cut where there is no room. */
static void list_words(const char *const *words, char *buf, size_t size)
{
    size_t used = 0;
    buf[0] = '\0';
    for (size_t i = 0; words[i] && used < size; i++)
        used += (size_t)snprintf(buf + used, size - used, "%s%s",
                                 i == 0         ? ""
                                 : words[i + 1] ? ", "
                                                : " or ",
                                 *words[i] ? words[i] : "nothing");
}

static int read_word(const struct csv *csv, const struct schema_column *c, int field, char *at,
                     struct err *err)
{
    const char *text = csv_text(csv, field);
    char list[256];
    for (int i = 0; c->words[i]; i++)
        if (strcmp(c->words[i], text) == 0) {
            set_int(c, at, i);
            return 0;
        }
    list_words(c->words, list, sizeof list);
    return csv_fail(csv, err, "%s: '%.40s' is not known (want %s)", c->name, text, list);
}

static int read_code(const struct csv *csv, const struct schema_column *c, int field, char *at,
                     struct err *err)
{
    if (c->code->parse(csv_text(csv, field), at) < 0)
        return csv_fail(csv, err,
                        "%s: '%.40s' is not known (a file of another release? make it again: "
                        "collsel fit)",
                        c->name, csv_text(csv, field));
    return 0;
}

/* What an empty field, or a column that is not there, leaves in a row of zeros. */
static void set_empty(const struct schema_column *c, char *at)
{
    const double nan = NAN;
    if (c->kind == COLUMN_REAL)
        memcpy(at, &nan, sizeof nan);
    else if (c->has_none)
        set_int(c, at, c->none);
}

/* may_lack: an empty field is none, whatever the column says. */
static int read_field(const struct csv *csv, const struct schema_column *c, int field, int may_lack,
                      char *at, struct err *err)
{
    if (field < 0 || (!*csv_text(csv, field) && (c->has_none || c->given || may_lack))) {
        set_empty(c, at);
        return 0;
    }
    switch (c->kind) {
    case COLUMN_NAME:
        return csv_name(csv, field, at, c->size, err);
    case COLUMN_TEXT:
        return csv_copy(csv, field, at, c->size, err);
    case COLUMN_INT:
        return read_int(csv, c, field, at, err);
    case COLUMN_COUNT:
        return csv_u64(csv, field, (uint64_t *)(void *)at, err);
    case COLUMN_REAL:
        return read_real(csv, c, field, (double *)(void *)at, err);
    case COLUMN_WORD:
        return read_word(csv, c, field, at, err);
    case COLUMN_CODED:
        return read_code(csv, c, field, at, err);
    }
    return 0;
}

/* Where the schema says what a row may lack, empty fields are judged when all others are known. */
static int read_fields(const struct schema_reader *r, int lacking, void *row, struct err *err)
{
    const struct schema *s = r->schema;
    for (size_t i = 0; i < s->n_columns; i++) {
        const struct schema_column *c = &s->columns[i];
        const int field = r->column[i], empty = field >= 0 && !*csv_text(r->csv, field);
        if (lacking && (!empty || !s->given(row, c)))
            continue;
        if (read_field(r->csv, c, field, !lacking && s->given, (char *)row + c->offset, err) < 0)
            return -1;
    }
    return 0;
}

int schema_next(struct schema_reader *r, void *row, struct err *err)
{
    const struct schema *s = r->schema;
    int got = csv_next(r->csv, err);
    if (!s->appended)
        got = csv_end(r->csv, got, err);
    if (got <= 0)
        return got;
    memset(row, 0, s->row_size);
    if (read_fields(r, 0, row, err) < 0 || (s->given && read_fields(r, 1, row, err) < 0))
        return -1;
    if (s->check && s->check(row, err) < 0)
        return schema_fail(r, err);
    return 1;
}

int schema_fail(const struct schema_reader *r, struct err *err)
{
    return err_prefix(err, "%s:%zu", csv_path(r->csv), csv_line(r->csv));
}

int schema_fail_at(const struct schema *schema, const char *dir, size_t row, struct err *err)
{
    char path[PATH_SIZE];
    struct schema_reader r;
    size_t line = 1;
    snprintf(path, sizeof path, "%s/%s", dir, schema->path);
    if (schema_open(&r, schema, path, NULL) == 0) {
        void *any = memory_zeros(1, schema->row_size);
        for (size_t i = 0; i <= row && schema_next(&r, any, NULL) == 1; i++)
            line = csv_line(r.csv);
        free(any);
        schema_close(&r);
    }
    return err_prefix(err, "%s:%zu", path, line);
}

void schema_close(struct schema_reader *r)
{
    csv_close(r->csv);
    r->csv = NULL;
}

/* Reads all rows; NULL with *err. */
static char *read_rows(struct schema_reader *r, size_t *n, struct err *err)
{
    const size_t size = r->schema->row_size;
    char *rows = NULL;
    int got = 1;
    *n = 0;
    while (got == 1) {
        void *row = array_append(&rows, n, 1, size);
        if ((got = schema_next(r, row, err)) != 1)
            --*n;
    }
    if (got == 0)
        return rows;
    free(rows);
    *n = 0;
    return NULL;
}

void *schema_read(const struct schema *schema, const char *dir, size_t *n, struct err *err)
{
    char path[PATH_SIZE];
    struct schema_reader r;
    *n = 0;
    if (fs_path(path, sizeof path, err, "%s/%s", dir, schema->path) < 0 ||
        schema_open(&r, schema, path, err) < 0)
        return NULL;
    char *rows = read_rows(&r, n, err);
    schema_close(&r);
    return rows;
}

void *schema_read_any(const struct schema *schema, const char *dir, size_t *n, struct err *err)
{
    char path[PATH_SIZE];
    *n = 0;
    if (fs_path(path, sizeof path, err, "%s/%s", dir, schema->path) < 0)
        return NULL;
    if (fs_exists(path))
        return schema_read(schema, dir, n, err);
    return memory_zeros(2, schema->row_size); /* the room that array_add takes it to have */
}

static void describe_type(const struct schema_column *c, FILE *out)
{
    static const char *const types[] = {
        [COLUMN_NAME] = "name",     [COLUMN_TEXT] = "text",   [COLUMN_INT] = "integer",
        [COLUMN_COUNT] = "integer", [COLUMN_REAL] = "number", [COLUMN_CODED] = "name",
    };
    if (c->kind == COLUMN_WORD)
        for (size_t i = 0; c->words[i]; i++)
            fprintf(out, "%s`%s`", i ? " " : "", *c->words[i] ? c->words[i] : "(empty)");
    else if (c->kind == COLUMN_INT && c->least == 0 && c->most == 1)
        fputs("0 or 1", out);
    else
        fputs(*c->unit ? c->unit : types[c->kind], out);
    if (c->has_none || c->given)
        fputs(", or empty", out);
}

void schema_describe(const struct schema *schema, FILE *out)
{
    fprintf(out, "%s\n\n| column | type or unit | meaning |\n|---|---|---|\n", schema->meaning);
    for (size_t i = 0; i < schema->n_columns; i++) {
        const struct schema_column *c = &schema->columns[i];
        fprintf(out, "| `%s` | ", c->name);
        describe_type(c, out);
        fprintf(out, " | %s%s |\n", c->meaning,
                c->optional ? " (older files have no such column)" : "");
    }
    if (schema->backend)
        fputs("| `backend` | name | by which backend the study was measured |\n", out);
}
