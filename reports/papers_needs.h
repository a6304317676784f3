/* SPDX-License-Identifier: BSD-3-Clause */
/* papers_needs.h - the data that a claim of a paper needs, so that it is not judged by incomplete
 * data: the least number of rows of its file, of cells per row, and the cells of points.csv. */
#pragma once

#include "harness/base/csv.h"

enum { NEEDS_TERMS = 8, NEEDS_VALUES = 64, NEEDS_TEXT = 512, NEEDS_WORD = 64 };

struct papers_needs {
    double rows, against; /* least number of counting rows; the same for the other number */
    int measured;         /* 1: the times are no simulation's */
    struct {
        char column[NEEDS_WORD];
        double least; /* in each row that counts */
    } each[NEEDS_TERMS];
    struct {
        char column[NEEDS_WORD];
        const char *value[NEEDS_VALUES]; /* in text */
        size_t n;
    } of[NEEDS_TERMS]; /* every combination of their values has a time in points.csv */
    size_t n_each, n_of;
    char text[NEEDS_TEXT];
};

/* Reads "TERM;...", a term being `rows>=N`, `against>=N`, `COLUMN>=N`, `measured` or
 * `COLUMN=VALUE,...`. 0, or -1 with *err. */
int papers_needs_read(const char *text, struct papers_needs *needs, struct err *err);

/* Writes to lacks which value of the current row of an open file is too small, if
 * lacks is still empty. 0, or -1 with *err: a column is missing or no number. */
int papers_needs_row(const struct papers_needs *needs, const struct csv *csv, char *lacks,
                     size_t size, struct err *err);

/* Writes to lacks the cells without a time in DIR/points.csv, if lacks
 * is still empty. 0, or -1 with *err: the file cannot be read. */
int papers_needs_points(const struct papers_needs *needs, const char *dir, char *lacks, size_t size,
                        struct err *err);
