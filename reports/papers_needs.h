/* SPDX-License-Identifier: BSD-3-Clause */
/* papers_needs.h - what a claim of a paper is about, so that it is not judged by a part of that:
 * how many rows of its file, of how many cells each, and which cells of points.csv. */
#ifndef REPORTS_PAPERS_NEEDS_H
#define REPORTS_PAPERS_NEEDS_H

#include "harness/base/csv.h"

enum { NEEDS_TERMS = 8, NEEDS_VALUES = 64, NEEDS_TEXT = 512, NEEDS_WORD = 64 };

struct papers_needs {
    double rows, against; /* so many rows count at least, and of the other number */
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

/* Says in lacks what the current row of a file that is open has too little of, where nothing was
 * said there yet. 0, or -1 with *err: a column is not there or no number. */
int papers_needs_row(const struct papers_needs *needs, const struct csv *csv, char *lacks,
                     size_t size, struct err *err);

/* Says in lacks which cells have no time in DIR/points.csv, where nothing was said there yet. 0, or
 * -1 with *err: the file cannot be read. */
int papers_needs_points(const struct papers_needs *needs, const char *dir, char *lacks, size_t size,
                        struct err *err);

#endif
