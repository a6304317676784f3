/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.h - the rows of a CSV file as an array of structs, by a table that says which column goes
 * into which member. */
#ifndef REPORTS_ROWS_H
#define REPORTS_ROWS_H

#include <stddef.h>

#include "harness/base/err.h"

enum field_kind {
    FIELD_TEXT, /* a name: letters, digits and _-.:+, as it goes into scripts; a reason: any text */
    FIELD_REAL, /* double; empty: NaN */
    FIELD_INT,
    FIELD_INT_OR_NONE,  /* int; empty: -1 */
    FIELD_LONG_OR_NONE, /* int64_t; empty: -1 */
    FIELD_SIZE          /* uint64_t */
};

/* A column that the file must have; a table of them ends with column NULL and has at most 47. */
struct field {
    const char *column;
    enum field_kind kind;
    size_t offset, size; /* of the member */
};

/* Reads DIR/NAME: *n rows of size bytes each, to be freed; NULL and 0 when there is no such file.
 * 0, or -1 with *err = "file:line: ...", and the rows until then to be freed all the same. */
int rows_read(const char *dir, const char *name, const struct field *fields, size_t size,
              void **rows, size_t *n, struct err *err);

#endif
