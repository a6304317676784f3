/* SPDX-License-Identifier: BSD-3-Clause */
/* degrade.h - degradation.csv: each selector's loss over all cells, and its measuring cost. */
#pragma once

#include "analysis/judge/select.h"

enum { LOSS_MUCH_PCT = 10 };

/* Accumulates the losses of a selector over cells. Start from zeros. */
struct losses {
    double *pct;       /* of the cells, as each counts (loss_counted); owned */
    size_t cells;      /* cells with a known loss */
    size_t one_launch; /* further cells, with a loss from a single launch */
    size_t untold;     /* of the cells: loss not significant over launches, counts as 0 */
    size_t much;       /* of the cells: those that lose more than LOSS_MUCH_PCT */
    size_t much_tied;  /* of these: tied all the same, by imported runs or tie_pct */
    size_t tied;
    double sum, logs, worst_pct;
    const struct selection *worst; /* row with the worst loss; NULL: none */
};

/* Adds a row; rows with a status other than ok are ignored. The row must outlive `worst`. */
void losses_add(struct losses *l, const struct selection *s);

/* NaN of no cells. The quantile sorts pct. */
double losses_mean(const struct losses *l);
double losses_geomean(const struct losses *l);
double losses_quantile(const struct losses *l, double q);

void losses_clear(struct losses *l);

/* One selector on the cells of one purpose, collective, library and mapping; cells with status ok
 * only. */
struct degradation {
    const struct selector *selector; /* NULL in a row that was read from a file */
    char name[NAME_SIZE];            /* the selector's */
    enum purpose purpose;
    enum standing standing; /* not set in a row read from a file */
    char collective[NAME_SIZE], mpi[NAME_SIZE], mapping[NAME_SIZE];
    size_t cells;              /* cells with a known loss */
    size_t one_launch, untold; /* as struct losses has them */
    size_t undecided;          /* cells whose status is neither ok nor alone */
    const char *why;           /* no column: why the first of these is; the table's */
    size_t alone; /* cells with one known candidate only: in none of the other counts */
    double mean_pct;
    double geomean_pct; /* of the geometric mean of T_chosen / T_best: 100 (that - 1) */
    double median_pct, p95_pct, worst_pct;
    int worst_procs;
    uint64_t worst_bytes;
    size_t poor_fits;               /* of the cells compared: chosen by a poor fit (regress.h) */
    size_t substituted;             /* of the cells compared */
    double worst_unsubstituted_pct; /* over the other cells */
    size_t optimal_or_tied;
    double core_s; /* cost of the measurements that it uses (measured_for) */
};

extern const struct schema degradation_schema;

struct degradations {
    struct degradation *row;
    size_t n;
};

/* Sums up; rows in the order of selectors, purposes, libraries. */
void degradations_make(const struct selection_table *table, const struct points *points,
                       struct degradations *out);

void degradations_clear(struct degradations *d);
