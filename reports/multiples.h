/* SPDX-License-Identifier: BSD-3-Clause */
/* multiples.h - small multiples over the number of processes: a panel per mapping (down) and
 * algorithm (across), for one collective, library and message size. Shared by the figures of the
 * regressions over P. */
#pragma once

#include "reports/section_common.h"

enum { MOST_KINDS = 8, MOST_SIZES = 3, MOST_ROWS = 3, MOST_COLUMNS = 12 };

/* A collective of a library. */
struct kind {
    char collective[NAME_SIZE], mpi[NAME_SIZE];
};

/* Buffered data of one panel, so that its rows are contiguous in the
 * file: gnuplot skips the rows of other panels without parsing them. */
struct panel_rows {
    FILE *file; /* in memory; NULL: no row so far */
    char *text;
    size_t size, rows, first; /* first: its place among all rows, after multiples_data */
};

struct multiples {
    struct kind kind;
    const char *row[MOST_ROWS]; /* mappings */
    size_t rows;
    struct series column[MOST_COLUMNS];
    size_t columns;
    int procs_low, procs_high;
    double *value; /* that the panels show, for the scale; freed by multiples_cut */
    size_t n;
    double said_least, said_most; /* of predictions; 0: none */
    double least, most;           /* of the scale, after multiples_cut */
    size_t named;                 /* entries of the legend, before the figure begins */
    struct panel_rows panel[MOST_ROWS * MOST_COLUMNS];
};

struct panel_place {
    size_t row, column;
    int number; /* row x columns + column */
};

/* 1 when the study has a regression over enough process counts to be drawn. */
int multiples_apply(const struct report_data *data);

/* The collectives and libraries that have; returns how many (at most MOST_KINDS). */
size_t multiples_kinds(const struct report_data *data, struct kind *kind);

/* Up to MOST_SIZES of its message sizes, ascending: small, middle, large. */
size_t multiples_sizes(const struct report_data *data, const struct kind *kind, uint64_t *bytes);

/* The panels of a figure; bytes 0: of all sizes. */
void multiples_find(const struct report_data *data, const struct kind *kind, uint64_t bytes,
                    struct multiples *m);

/* The panel of a point; 0 when it has none (another collective, library or algorithm). */
int multiples_place(const struct multiples *m, const struct cell *cell,
                    const struct candidate *candidate, struct panel_place *at);

/* "latency-bcast-8", with the library where there are several. */
const char *multiples_name(const struct report_data *data, const struct kind *kind,
                           const char *base, uint64_t bytes);

/* extend adds a value that the scale must cover, reach one that it may cover; cut fixes
 * the scale, without outliers. Returns the number of values to cover that lie above it. */
void multiples_extend(struct multiples *m, double value);
void multiples_reach(struct multiples *m, double value);
size_t multiples_cut(struct multiples *m);

/* The next row of the figure's data belongs to this panel: to be called before its first column. */
void multiples_row(struct multiples *m, struct figure *f, int panel);

/* Writes the held back rows, panel by panel. */
void multiples_data(struct multiples *m, struct figure *f);

/* "data every ::120::179", what a plot reads for a panel. */
const char *multiples_source(const struct multiples *m, int panel);

/* The size of a mark (gnuplot's ps) that has this one among many panels. */
double multiples_mark(const struct multiples *m, double size);

/* The whole figure, in pixels of the page. */
int multiples_width(const struct multiples *m);
int multiples_height(const struct multiples *m);

/* Begins the multiplot with its title and the scale, from least to most. */
void multiples_begin(FILE *gp, const struct report_data *data, const struct multiples *m,
                     const struct kind *kind, uint64_t bytes);

/* Margins, title, labels and tics of a panel, before its "plot". */
void multiples_panel(FILE *gp, const struct report_data *data, const struct multiples *m,
                     const struct panel_place *at);

/* legend_begin (page.h) on the strip below the panels. */
void multiples_legend(FILE *gp, const struct multiples *m);
