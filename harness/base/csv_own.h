/* SPDX-License-Identifier: BSD-3-Clause */
/* csv_own.h - our own version of the part of libcsv that csv.c uses, in strict mode,
 * for programs built without that library (WITHOUT_LIBCSV): fields separated by commas,
 * optionally quoted; blanks around unquoted fields dropped, empty lines skipped.
 *
 * A quote inside a field without quotes, and anything but a blank behind a closing quote, is
 * malformed. Owns its buffer: csv_own_free. */
#pragma once

#include "harness/base/base.h"

enum csv_own_state { CSV_OWN_ROW, CSV_OWN_FIELD, CSV_OWN_PLAIN, CSV_OWN_QUOTED, CSV_OWN_CLOSED };

struct csv_own {
    enum csv_own_state state;
    char *text; /* the field so far */
    size_t n, room;
    size_t blanks; /* at its end */
    int behind;    /* 1: a blank has come behind the closing quote */
};

/* Parses len bytes; a field or row may continue in the next call. Calls
 * on_field for each field, on_row at the end of each row. Returns the
 * number of bytes parsed: less than len before a malformed byte. */
size_t csv_own_parse(struct csv_own *csv, const char *text, size_t len,
                     void (*on_field)(void *data, size_t len, void *arg),
                     void (*on_row)(int c, void *arg), void *arg);

/* Writes a field between quotes, its own doubled. */
void csv_own_write(FILE *out, const char *text);

void csv_own_free(struct csv_own *csv);
