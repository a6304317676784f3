/* SPDX-License-Identifier: BSD-3-Clause */
/* single_candidate.h - the best single candidate: the one algorithm with its segment and fan-out
 * (the library's default is one, too) that, used in every cell of the study of a collective,
 * library and mapping, has the least mean loss. It is found from the times of these
 * cells, so it is judged in sample on them; held-out cells are not used. When cells
 * are held out (holdout_cells.h) it is found from the others. Owns its rows. */
#pragma once

#include "harness/study/point.h"

/* A candidate in the cells of a collective, library and mapping. */
struct single {
    struct candidate candidate;
    size_t measured; /* number of cells in which it has a time */
    double sum_pct;  /* of what it loses in them */
};

/* A collective, library and mapping. */
struct single_context {
    struct cell cell; /* its first; the other fields do not count */
    size_t cells;
    struct single *row;
    size_t n;
};

struct singles {
    struct single_context *context;
    size_t n;
    enum single_source {
        SINGLE_IN_SAMPLE, /* from the times by which it is judged */
        SINGLE_TRAINED,   /* from cells other than the judged ones */
        SINGLE_ELSEWHERE, /* from these cells, judged by times of another study */
    } source;
};

/* Counts a cell. Returns its context, for single_add until the next cell. */
struct single_context *singles_cell(struct singles *singles, const struct cell *cell);

/* Counts what a candidate loses in the cell counted last. */
void single_add(struct single_context *context, const struct candidate *candidate, double loss_pct);

/* The context of a cell; NULL where no cell of the study was counted. */
const struct single_context *singles_find(const struct singles *singles, const struct cell *cell);

/* The best of a context, which has a row: of those measured in the most cells (mostly all) the one
 * with the least mean loss. */
const struct single *single_best(const struct single_context *context);

/* Frees what it holds. */
void singles_clear(struct singles *singles);
