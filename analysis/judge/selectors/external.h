/* SPDX-License-Identifier: BSD-3-Clause */
/* external.h - choices and predictions of programs that are not ours, from a CSV file, as a
 * selector. A choices file has a row for each cell, a predictions file one for each candidate of a
 * cell, of which the least seconds are chosen. The columns of cell and candidate are those of
 * points.csv. The column `trained` is 1 where the program was shown times of that cell: there it
 * has no choice, so that only cells that it has not seen judge it. */
#pragma once

#include "analysis/judge/selectors/selector.h"

/* A row of the file. */
struct external_row {
    struct cell cell;
    struct candidate candidate;
    double seconds; /* predicted; NaN in a choices file */
    int trained;    /* 1: the program was shown times of this cell */
    size_t line;    /* of the file, from 0 without its header */
};

extern const struct schema external_choices_schema, external_predictions_schema;

struct external {
    char name[NAME_SIZE]; /* of the selector: that of the file without .csv */
    char path[PATH_SIZE];
    int predicts;             /* 1: a predictions file */
    struct external_row *row; /* sorted by cell */
    size_t n;
};

/* Reads a file. 0, or -1 with *err (file, line, what was found) and nothing to clear: it cannot be
 * read, its name is that of another selector, a cell has two choices, a candidate two predictions,
 * or rows of a cell differ in `trained`. */
int external_read(const char *path, int predicts, struct external *e, struct err *err);

/* 0, or -1 with *err: no row is of a cell of these points. */
int external_check(const struct external *e, const struct points *points, struct err *err);

/* Its selector, which borrows it. */
struct selector selector_of_external(const struct external *e);

void external_clear(struct external *e);
