/* SPDX-License-Identifier: BSD-3-Clause */
/* csv.h - reading and writing the files between the stages (docs/formats.md), over libcsv.
 *
 * A file is: lines starting with '#' (provenance, "# key: value"), one header row, then rows with
 * as many fields as the header. An empty field means "missing". A text that a spreadsheet would run
 * as a formula (it begins with = + - or @, and is no number) has an apostrophe before it, which
 * reading takes off again. Reading is streaming; errors name file and line. The reader borrows
 * nothing after csv_open and owns its rows until csv_close. */
#pragma once

#include "harness/base/base.h"

struct csv; /* an open file being read */

/* Opens path and reads its header. columns is a NULL-terminated list of names that must be present;
 * extra columns are allowed. Returns NULL with *err set: no such file, no header, a column missing
 * or doubled. */
struct csv *csv_open(const char *path, const char *const *columns, struct err *err);

/* Closes and frees; NULL is fine. */
void csv_close(struct csv *csv);

/* Steps to the next row: 1 when there is one, 0 at the end, -1 with *err set (wrong number of
 * fields, malformed quoting). A last line without its newline was cut short by a crash: it is not
 * returned, and csv_truncated() tells. */
int csv_next(struct csv *csv, struct err *err);

/* 1 when the end was reached and the last line was cut short. */
int csv_truncated(const struct csv *csv);

/* For a file that is not appended to, after the last csv_next: returns `got`, csv_next's result,
 * or -1 with *err = "file:line: ..." when the last line was cut short or a quote does not end. */
int csv_end(const struct csv *csv, int got, struct err *err);

/* 0 when the header has all of a NULL-terminated list of columns, else -1 with *err naming the
 * first missing one. Call it before csv_next. */
int csv_require(const struct csv *csv, const char *const *columns, struct err *err);

/* Where a row begins: bytes from the file's beginning, and its line number, from 1. */
struct csv_place {
    uint64_t byte;
    size_t line;
};

/* Where the current row begins. */
struct csv_place csv_place(const struct csv *csv);

/* Moves to a row at a place from csv_place, in this or another reader of the same file:
 * the next csv_next returns it. Not after the end was reached. 0, or -1 with *err. */
int csv_go(struct csv *csv, struct csv_place place, struct err *err);

/* Line number (from 1) of the current row's first line. */
size_t csv_line(const struct csv *csv);

/* The path as it was opened. */
const char *csv_path(const struct csv *csv);

/* Index of a column by name for the csv_* getters, or -1. */
int csv_column(const struct csv *csv, const char *name);

/* The current row's field as text ("" when missing); valid until the next csv_next. */
const char *csv_text(const struct csv *csv, int column);

/* The current row's field by type; a missing (empty) field is an error for the integers and NaN for
 * csv_f64 ("nan" and "inf" are refused). -1 with *err = "file:line: column: what". */
int csv_u64(const struct csv *csv, int column, uint64_t *value, struct err *err);
int csv_int(const struct csv *csv, int column, int *value, struct err *err);
int csv_f64(const struct csv *csv, int column, double *value, struct err *err);

/* Copies the field into a buffer; a text that does not fit is an error. */
int csv_copy(const struct csv *csv, int column, char *buf, size_t size, struct err *err);

/* The same for a name, which goes into scripts and paths: letters, digits and _ - . : + only. */
int csv_name(const struct csv *csv, int column, char *buf, size_t size, struct err *err);

/* Error "path:line: <formatted>" for the current row; returns -1. */
int csv_fail(const struct csv *csv, struct err *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

struct csvw {
    FILE *file;
    int fields; /* written so far in the current row */

    /* A last column whose value is the same in all rows, name and value; "": none. */
    char last_name[32], last_value[32];
};

/* Fields of the current row: text is quoted where needed; NaN and infinities become an empty field;
 * doubles are written with 9 significant digits. csvw_end ends the row. Write errors stay in the
 * FILE's flag. */
void csvw_text(struct csvw *w, const char *text);
void csvw_u64(struct csvw *w, uint64_t value);
void csvw_i64(struct csvw *w, int64_t value);
void csvw_f64(struct csvw *w, double value);
void csvw_end(struct csvw *w);

/* Writes a NULL-terminated list of names as the header row. */
void csvw_header(struct csvw *w, const char *const *columns);
