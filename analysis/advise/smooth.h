/* SPDX-License-Identifier: BSD-3-Clause */
/* smooth.h - choices along a row of cells with as few changes as can be: in each cell one of those
 * that are as good as the best there, so that noise makes no stripes. Pure functions. */
#ifndef ANALYSIS_ADVISE_SMOOTH_H
#define ANALYSIS_ADVISE_SMOOTH_H

#include "analysis/advise/advice.h"

/* A cell of the row. Borrowed. */
struct smooth_cell {
    const struct advice_near *near; /* what may be chosen there; one at least */
    size_t n;
    const struct candidate *above; /* what the row before has there; NULL: there is none */
    size_t chosen;                 /* out: which of near */
};

/* Chooses in all cells of a row. Fewest changes from a cell to its neighbour come first, then
 * fewest cells unlike those above, then the least sum of what is lost. */
void smooth_row(struct smooth_cell *cell, size_t n);

#endif
