/* SPDX-License-Identifier: BSD-3-Clause */
/* dummy.h - the dummy regression (Tallone 2024): the time of one algorithm, mapping, collective and
 * message size as a straight line in P (log2 P) that may step and bend where another socket or node
 * comes into use (dummy_design.h).
 *
 * Three estimators of the same columns. huber: the paper's data has outliers; this is the model
 * "dummy". plain: least squares, "dummy_plain". mm: for data in which outliers of 10 to 2000 times
 * are many (mapping by socket), "dummy_robust"; its start is a line through each stretch of equal
 * dummies by repeated medians (Siegel 1982), which half of a stretch may spoil.
 *
 * All equations weigh alike. Weights 1/T^2 (relative errors) were tried: they let the few smallest
 * P, which lie on no line, decide (numbers: docs/analysis.md).
 *
 * A group that cannot be fitted is a row with a status, one that was fitted with fewer columns says
 * so in its reason. Files: fit/dummy.csv, fit/dummy_terms.csv, fit/dummy_residuals.csv. Owns its
 * rows. */
#ifndef ANALYSIS_DUMMY_H
#define ANALYSIS_DUMMY_H

#include "analysis/dummy_design.h"
#include "analysis/groups.h"

enum dummy_method { DUMMY_HUBER, DUMMY_PLAIN, DUMMY_MM, N_DUMMY_METHODS };

/* "huber", "plain", "mm". */
const char *dummy_method_name(enum dummy_method method);

/* One regression. */
struct dummy_fit {
    struct cell cell; /* of its group: nodes, ppn, procs 0 */
    struct candidate candidate;
    enum dummy_method method;
    char statistic[16]; /* max_rank, mean_rank */
    struct dummy_design design;
    struct regression r;
    int procs_low, procs_high; /* fitted */
    int nodes_high;            /* the most of any point fitted */
    struct cell edge;          /* of the largest P fitted */
    double median_error;       /* relative, over the points fitted; NaN: not fitted */
    double least_s;            /* least time fitted */
    double spread, power;      /* a measurement is within spread T^power of the fitted time T */
    double covered;            /* dummies_cover; NaN: not known */
    double *weight;            /* per row of the group, its last one; NaN: not fitted */
    char reason[REASON_SIZE];
};

struct dummies {
    const struct facts *facts; /* borrowed */
    enum rank_statistic statistic;
    enum split split;
    struct dummy_fit *fit; /* N_DUMMY_METHODS per group, in the groups' order */
    size_t n;
};

/* Fits every group (groups.h) by each estimator, to the points that the split leaves to fit. The
 * facts must outlive the result. Returns 0, or -1 with *err when out of memory. */
int dummies_fit(const struct point_groups *groups, const struct facts *facts,
                enum rank_statistic statistic, enum split split, struct dummies *dummies,
                struct err *err);

/* The same by one estimator alone, of the own statistic; the rows of the others are empty. */
int dummies_fit_one(const struct point_groups *groups, const struct facts *facts, enum split split,
                    enum dummy_method method, struct dummies *dummies, struct err *err);

/* Sets `covered` of every fit: the share of times that are within the interval, over every other P,
 * of a regression fitted to the rest (SPLIT_ALTERNATE). Returns 0, or -1 with *err when out of
 * memory. */
int dummies_cover(const struct point_groups *groups, struct dummies *dummies, struct err *err);

/* 1 when any of the fits can predict. */
int dummies_usable(const struct dummies *dummies);

/* The fit of a cell and candidate, whatever the cell's nodes and procs; NULL where there is none.
 */
const struct dummy_fit *dummies_find(const struct dummies *dummies, enum dummy_method method,
                                     const struct cell *cell, const struct candidate *candidate);

/* What a fit says of a cell: seconds, and the interval that is to hold one new measurement with the
 * facts' confidence. Its half-width is the root of the sum of squares of that of the line (Student
 * t) and of spread T^power: the spread grows with the fitted time T (not below least_s) as the
 * points say: power is the slope, by repeated medians, of log |residual| over log T, within 0 and
 * 1; spread the confidence (n + 1)-th least |residual| / T^power, as a new measurement has any rank
 * among n + 1 alike (conformal prediction), times sqrt(n / (n - columns)) for the columns fitted.
 * Nothing is supposed of the residuals' distribution but that they are alike at one T.
 * extrapolated: outside the process counts that were fitted, or on a socket or node that none of
 * them used. Returns 0, or -1 where there is no fit. */
struct dummy_prediction {
    double seconds, low, high;
    int extrapolated;
};
int dummy_predict(const struct dummies *dummies, const struct dummy_fit *fit,
                  const struct cell *cell, struct dummy_prediction *prediction);

/* 1 when the cell uses a socket or node that no point of the fit did. */
int dummy_crosses(const struct dummies *dummies, const struct dummy_fit *fit,
                  const struct cell *cell);

/* Writes the three files below DIR. */
int dummies_write(const char *dir, const struct dummies *dummies, const struct point_groups *groups,
                  struct err *err);

/* Frees what it holds. */
void dummies_clear(struct dummies *dummies);

#endif
