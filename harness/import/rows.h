/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.h - imported.csv: every row of the sources, with what became of it (docs/formats.md).
 *
 * Owns its rows and their reasons; borrows the names of the sources. */
#ifndef HARNESS_IMPORT_ROWS_H
#define HARNESS_IMPORT_ROWS_H

#include <stddef.h>

#include "harness/study/point.h"

enum row_status { ROW_OK, ROW_REPEATED, ROW_SET_ASIDE, N_ROW_STATUS };

/* Why a row was not taken, for counting; the row's reason says which number or word it was. */
enum aside {
    ASIDE_NOT,
    ASIDE_HEADER,     /* a header, or a fragment of one, where data should be */
    ASIDE_FIELDS,     /* too few or too many columns, or quotes that do not end */
    ASIDE_CUT,        /* the file ends within the line */
    ASIDE_UNREADABLE, /* bytes that are no text */
    ASIDE_MISSING,    /* no size, no time, no number of processes ... */
    ASIDE_NUMBER,     /* what should be a number is none */
    ASIDE_UNIT,       /* another unit than the column's, or one that is not known */
    ASIDE_IMPOSSIBLE, /* NaN, infinite, negative, zero, huge */
    ASIDE_ORDER,      /* min above mean, mean above max ... */
    ASIDE_PLACE,      /* more processes than the cluster has, or nodes that it has not */
    ASIDE_NAME,       /* no such algorithm, mapping, collective ... */
    ASIDE_DATA,       /* the benchmark itself found that wrong data had arrived */
    ASIDE_OTHER,      /* not a time of a collective or a ping-pong */
    N_ASIDE
};

/* "header fragment", "wrong number of columns" ... */
const char *aside_words(enum aside why);

/* Seconds; NaN where not told. max, mean and min are over ranks, each the mean over iterations;
 * median, p95 and p99 over iterations, of mean_s where that is told, else of max_s. */
struct imported_row {
    const char *source; /* borrowed */
    size_t line;
    struct point point;
    uint64_t series; /* digest of what tells measurements of one point apart (a receiver); 0 none */
    int run;         /* from 0: which repetition of the point */
    double max_s, mean_s, min_s, median_s, p95_s, p99_s;
    uint64_t iterations; /* 0: not told */
    char version[24];    /* of the library, as the row tells; "" it does not */
    enum row_status status;
    enum aside why;
    char *reason; /* NULL: none */
};

struct imported_rows {
    struct imported_row *row; /* in the order of the sources */
    size_t n;
};

/* Appends a row without numbers; NULL when out of memory. */
struct imported_row *rows_add(struct imported_rows *rows);

/* Numbers the runs of every point, and marks as repeated the rows whose numbers came before at the
 * same point and series: these count once and bear the run of the first. -1: out of memory. */
int rows_number(struct imported_rows *rows);

/* Writes DIR/imported.csv whole. */
int rows_write(const char *dir, const struct imported_rows *rows, struct err *err);

/* "ok", "repeated", "set_aside". */
const char *row_status_name(enum row_status status);

/* Frees what it holds. */
void rows_clear(struct imported_rows *rows);

#endif
