/* SPDX-License-Identifier: BSD-3-Clause */
/* smooth.h - choices along a row of cells with the fewest changes: in each cell one of the
 * candidates tied with the best, so that noise does not alternate choices. Pure functions. */
#pragma once

#include "analysis/advise/advice.h"

/* A cell of the row. Borrowed. */
struct smooth_cell {
    const struct advice_near *near; /* what may be chosen there; one at least */
    size_t n;
    const struct candidate *above; /* choice of the previous row there; NULL: no row */
    size_t chosen;                 /* out: which of near */
};

/* Chooses in all cells of a row. Minimises first the changes between neighbours,
 * then the cells that differ from those above, then the summed loss. */
void smooth_row(struct smooth_cell *cell, size_t n);
