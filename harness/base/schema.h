/* SPDX-License-Identifier: BSD-3-Clause */
/* schema.h - describes a CSV file: its columns, their types, units and meaning, and where each
 * is in the struct of a row. The same table writes the file, reads it, and is printed by
 * `collsel cluster check --keys=FILE`, of which ci/man5 makes man pages.
 *
 * A schema is constant data next to the struct that it fills. Reading behaves as in csv.h:
 * errors name file and line, extra columns are ignored, a missing column is named, a file whose
 * last line was cut short is refused. Arrays grow by doubling. */
#pragma once

#include "harness/base/csv.h"

enum column_kind {
    COLUMN_NAME,  /* char[]: letters, digits and _ - . : + only, as names go into scripts and paths
                   */
    COLUMN_TEXT,  /* char[]: anything */
    COLUMN_INT,   /* int or int64_t */
    COLUMN_COUNT, /* uint64_t or size_t */
    COLUMN_REAL,  /* double; NaN and infinities are empty fields */
    COLUMN_WORD,  /* an enum, as one of the words */
    COLUMN_CODED  /* any named value, such as a pointer into a table */
};

/* How a COLUMN_CODED member becomes text and back. parse: 0, or -1 where the text is not known. */
struct schema_code {
    const char *(*text)(const void *member);
    int (*parse)(const char *text, void *member);
    const char *example; /* a text that parse knows */
};

struct schema_column {
    const char *name;
    enum column_kind kind;
    size_t offset, size;            /* of the member in the row */
    const char *unit, *meaning;     /* for the documentation; unit "" where there is none */
    const char *const *words;       /* COLUMN_WORD: the text of each value, ended by NULL */
    const struct schema_code *code; /* COLUMN_CODED */
    int64_t least, most;            /* COLUMN_INT and _REAL, when least < most: the range */
    int has_none;                   /* 1: `none` stands for an empty field */
    int64_t none;
    int (*given)(const void *row); /* not NULL: the field is empty where this returns 0 */
    int optional; /* 1: older files may lack the column; its fields are then read as empty */
};

struct schema {
    const char *path;    /* relative to the study's directory, "fit/hockney.csv"; for several
                            files with capitals for the variable part, "samples/LAUNCH.csv" */
    const char *meaning; /* what a row is, for the documentation */
    const struct schema_column *columns;
    size_t n_columns, row_size;
    int (*check)(void *row, struct err *err); /* NULL, or judges a row that was read: 0 or -1 */
    int backend;                              /* 1: ends in the column `backend` */
    int appended; /* 1: rows are appended one by one, and a last line that a crash cut short is none
                   */

    /* Not NULL: a field may be empty, and is, where this gives 0. A member that is 0 when its field
     * is empty tells whether the field is given. */
    int (*given)(const void *row, const struct schema_column *column);
};

/* A column of struct ROW. Further members follow: `.optional = 1`. */
#define COLUMN(row, kind_, name_, member, unit_, meaning_, ...)                                    \
    {                                                                                              \
        .name = name_, .kind = COLUMN_##kind_, .offset = offsetof(struct row, member),             \
        .size = sizeof(((struct row *)0)->member), .unit = unit_, .meaning = meaning_, __VA_ARGS__ \
    }

/* More members of a column: an empty field is this value; 0 or 1, and an empty field -1. */
#define COLUMN_NONE(value) .has_none = 1, .none = (value)
#define COLUMN_VERDICT     .most = 1, COLUMN_NONE(-1)

/* A time: from 0 to about thirty years, in seconds. */
#define COLUMN_SECONDS .most = 1000000000

/* The members `columns`, `n_columns` and `row_size` of a schema of struct ROW. */
#define SCHEMA_COLUMNS(row, list)                                                                  \
    .columns = (list), .n_columns = sizeof(list) / sizeof *(list), .row_size = sizeof(struct row)

/* A schema of struct ROW whose columns are LIST. Further members follow: `.backend = 1`. */
#define SCHEMA(name, row, list, path_, meaning_, ...)                                              \
    const struct schema name = {                                                                   \
        .path = path_, .meaning = meaning_, SCHEMA_COLUMNS(row, list), __VA_ARGS__                 \
    }

enum value_kind { VALUE_NONE, VALUE_TEXT, VALUE_INT, VALUE_COUNT, VALUE_REAL };

/* The value of a field; VALUE_NONE: empty. text belongs to the row. */
struct schema_value {
    enum value_kind kind;
    const char *text;
    int64_t number;
    uint64_t count;
    double real;
};

struct schema_value schema_value(const struct schema *schema, const struct schema_column *column,
                                 const void *row);

/* Writes the header, a row's fields without its end, or a row to a file that is being written. */
void schema_header(struct csvw *w, const struct schema *schema);
void schema_fields(struct csvw *w, const struct schema *schema, const void *row);
void schema_row(struct csvw *w, const struct schema *schema, const void *row);

/* Starts the whole file PATH (fs_begin) with its header. backend: what the last column says, NULL
 * where there is no such column. The caller writes rows and commits or abandons f. 0, or -1. */
int schema_begin(const struct schema *schema, const char *path, const char *backend,
                 struct whole_file *f, struct csvw *w, struct err *err);

/* Writes n rows to the file PATH, whole. 0, or -1 with *err. */
int schema_write(const struct schema *schema, const char *path, const void *rows, size_t n,
                 struct err *err);

enum { SCHEMA_MOST_COLUMNS = 64 };

struct schema_reader {
    const struct schema *schema;
    struct csv *csv;
    int column[SCHEMA_MOST_COLUMNS]; /* of the file; -1: the file has no such column */
};

/* Opens the file PATH. 0, or -1 with *err and nothing to close. */
int schema_open(struct schema_reader *r, const struct schema *schema, const char *path,
                struct err *err);

/* Steps to the next row and fills it: 1, 0 at the end, -1 with *err. A truncated last line
 * is an error, except in a file that is appended to. Members without a column are zero. */
int schema_next(struct schema_reader *r, void *row, struct err *err);

/* Puts "file:line: ", of the current row, before an error. Returns -1. */
int schema_fail(const struct schema_reader *r, struct err *err);

/* Puts "file:line: " of a row of DIR/<schema's path>, from 0, before an error that was found after
 * all had been read. Returns -1. */
int schema_fail_at(const struct schema *schema, const char *dir, size_t row, struct err *err);

/* Closes. */
void schema_close(struct schema_reader *r);

/* All rows of DIR/<schema's path>, to be freed, *n of them; NULL with *err. schema_read_any: a file
 * that is not there has no rows. */
void *schema_read(const struct schema *schema, const char *dir, size_t *n, struct err *err);
void *schema_read_any(const struct schema *schema, const char *dir, size_t *n, struct err *err);

/* Writes the table of columns in Markdown. */
void schema_describe(const struct schema *schema, FILE *out);
