/* SPDX-License-Identifier: BSD-3-Clause */
/* csv_own.h - what csv.c takes of libcsv, in its strict mode, for programs that are built where
 * that library is not (WITHOUT_LIBCSV): commas between fields, quotes about them, blanks about
 * fields without quotes dropped, empty lines passed over.
 *
 * A quote inside a field without quotes, and anything but a blank behind a closing quote, is
 * malformed. Owns its buffer: csv_own_free. */
#ifndef HARNESS_BASE_CSV_OWN_H
#define HARNESS_BASE_CSV_OWN_H

#include <stddef.h>
#include <stdio.h>

enum csv_own_state { CSV_OWN_ROW, CSV_OWN_FIELD, CSV_OWN_PLAIN, CSV_OWN_QUOTED, CSV_OWN_CLOSED };

struct csv_own {
    enum csv_own_state state;
    char *text; /* the field so far */
    size_t n, room;
    size_t blanks; /* at its end */
    int behind;    /* 1: a blank has come behind the closing quote */
};

/* Reads so many bytes; a field or row that goes on does so with the next call. Calls on_field with
 * each field, on_row at each row's end. Returns how many it took: less than len where the next is
 * malformed. */
size_t csv_own_parse(struct csv_own *csv, const char *text, size_t len,
                     void (*on_field)(void *data, size_t len, void *arg),
                     void (*on_row)(int c, void *arg), void *arg);

/* Writes a field between quotes, its own doubled. */
void csv_own_write(FILE *out, const char *text);

/* Frees what it holds. */
void csv_own_free(struct csv_own *csv);

#endif
