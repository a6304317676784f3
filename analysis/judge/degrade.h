/* SPDX-License-Identifier: BSD-3-Clause */
/* degrade.h - degradation.csv: what each selector loses over all cells, and what it cost to know.
 */
#ifndef ANALYSIS_JUDGE_DEGRADE_H
#define ANALYSIS_JUDGE_DEGRADE_H

#include "analysis/judge/select.h"

enum { LOSS_MUCH_PCT = 10 };

/* What a selector loses in some cells: the one way in which losses are summed up. Zeros at first.
 */
struct losses {
    double *pct;       /* of the cells, as each counts (loss_counted); owned */
    size_t cells;      /* in which it is known what is lost */
    size_t one_launch; /* further ones, of which a single launch says it */
    size_t untold;     /* of the cells: the loss counts as none, as launches do not tell it */
    size_t much;       /* of the cells: those that lose more than LOSS_MUCH_PCT */
    size_t much_tied;  /* of these: tied nevertheless, by others' runs or the study's ties */
    size_t tied;
    double sum, logs, worst_pct;
    const struct selection *worst; /* which loses that; NULL: there is none */
};

/* Takes a row in; only one that is ok says anything. It must outlive the sums' `worst`. */
void losses_add(struct losses *l, const struct selection *s);

/* NaN of no cells. The quantile sorts pct. */
double losses_mean(const struct losses *l);
double losses_geomean(const struct losses *l);
double losses_quantile(const struct losses *l, double q);

/* Frees what it holds. */
void losses_clear(struct losses *l);

/* One selector on the cells of one purpose, collective, library and mapping; cells with status ok
 * only. */
struct degradation {
    const struct selector *selector; /* NULL in a row that was read from a file */
    char name[NAME_SIZE];            /* the selector's */
    enum purpose purpose;
    enum standing standing; /* of a row that was made, not of one that was read */
    char collective[NAME_SIZE], mpi[NAME_SIZE], mapping[NAME_SIZE];
    size_t cells;              /* in which it is known what it loses */
    size_t one_launch, untold; /* as struct losses has them */
    size_t undecided;          /* cells whose status is neither ok nor alone */
    size_t alone; /* cells in which it knows of one candidate only: neither of the two */
    double mean_pct;
    double geomean_pct; /* of the geometric mean of T_chosen / T_best: 100 (that - 1) */
    double median_pct, p95_pct, worst_pct;
    int worst_procs;
    uint64_t worst_bytes;
    size_t poor_fits;               /* of the cells compared: chosen by a poor fit (regress.h) */
    size_t substituted;             /* of the cells compared */
    double worst_unsubstituted_pct; /* over the other cells */
    size_t optimal_or_tied;
    double core_s; /* of measuring that it rests on (spent_for) */
};

extern const struct schema degradation_schema;

struct degradations {
    struct degradation *row;
    size_t n;
};

/* Sums up; rows in the order of selectors, purposes, libraries. */
void degradations_make(const struct selection_table *table, const struct points *points,
                       struct degradations *out);

/* Writes DIR/degradation.csv. */
int degradations_write(const char *dir, const struct degradations *d, struct err *err);

/* Frees what it holds. */
void degradations_clear(struct degradations *d);

#endif
