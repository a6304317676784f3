/* SPDX-License-Identifier: BSD-3-Clause */
/* heldout.h - heldout.csv: the loss of each selector on held-out cells.
 *
 * A row sums up one selector over the cells of one purpose, collective, library and mapping, and,
 * where there are several of these, also over all of a purpose ("all").
 * Intervals are percentile bootstrap intervals over the cells: 1,000 draws with
 * the study's seed. The draws assume that cells are independent. Neighbouring
 * cells are correlated, so the intervals are too narrow. Owns its rows. */
#pragma once

#include "analysis/judge/select.h"

/* A number with the interval of it; percent, NaN where no cell was compared. */
struct heldout_number {
    double value, low, high;
};

struct heldout_row {
    char selector[NAME_SIZE];
    enum purpose purpose;
    char collective[NAME_SIZE], mpi[NAME_SIZE], mapping[NAME_SIZE]; /* or "all" */
    size_t cells, one_launch, undecided, alone;                     /* as in degrade.h */
    struct heldout_number geomean_pct, mean_pct, median_pct, p95_pct;
    double worst_pct;
    int worst_procs;
    uint64_t worst_bytes;
    struct heldout_number
        tied_pct;            /* share of the cells whose choice is the best or tied with it */
    char holdout[NAME_SIZE]; /* what was held out (holdout_spec.h) */
    size_t trained;          /* timed points in the training set */
};

/* Schemas of the same rows: heldout.csv, and learning.csv for budgets that were replayed. */
extern const struct schema heldout_schema, learning_schema;

struct heldout_table {
    struct heldout_row *row; /* in the order of the selectors, "all" after each one's others */
    size_t n;
};

/* Sums up. trained: timed training points. facts: the seed of the draws and the
 * confidence of the intervals. */
void heldout_make(const struct selection_table *selections, const struct holdout *holdout,
                  size_t trained, const struct facts *facts, struct heldout_table *out);

void heldout_clear(struct heldout_table *table);
