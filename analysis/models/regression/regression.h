/* SPDX-License-Identifier: BSD-3-Clause */
/* regression.h - the regression with dummies (Tallone 2024): the time of one algorithm, mapping,
 * collective and message size as a straight line in P (log2 P) that may step and bend where another
 * socket or node comes into use (regression_design.h).
 *
 * Three estimators of the same columns. huber: the paper's data has outliers; this is the model
 * "regression". plain: least squares, "regression_ls". mm: for data in which outliers of 10 to 2000
 * times are many (mapping by socket), "regression_mm"; its start is a line through each stretch of
 * equal dummies by repeated medians (Siegel 1982), which half of a stretch may spoil.
 *
 * All equations have equal weights. With weights 1/T^2 (relative errors) the few smallest P, which
 * lie on no line, decide (docs/notebook/2026-11-22-regression.md).
 *
 * A group that cannot be fitted is a row with a status; a fit with fewer columns states that
 * in its reason. Files: fit/regression.csv, fit/regression_terms.csv,
 * fit/regression_residuals.csv. Owns its rows. */
#pragma once

#include "analysis/models/regression/regression_design.h"
#include "analysis/measure/groups.h"

struct parameter_set;

enum regression_method { REGRESSION_HUBER, REGRESSION_LS, REGRESSION_MM, N_REGRESSION_METHODS };

/* "huber", "plain", "mm". */
const char *regression_method_name(enum regression_method method);

/* One regression. */
struct regression_fit {
    struct cell cell; /* of its group: nodes, ppn, procs 0 */
    struct candidate candidate;
    enum regression_method method;
    char statistic[16]; /* max_rank, mean_rank */
    struct regression_design design;
    struct regression r;
    int procs_low, procs_high; /* fitted */
    int nodes_high;            /* the most of any point fitted */
    struct cell edge;          /* of the largest P fitted */
    double median_error;       /* relative, over the points fitted; NaN: not fitted */
    double least_s;            /* least time fitted */
    double spread, power;      /* a measurement is within spread T^power of the fitted time T */
    double covered;            /* regressions_cover; NaN: not known */
    double *weight;            /* per row of the group, its last one; NaN: not fitted */
    char reason[REASON_SIZE];
};

/* Rows of regression.csv, regression_terms.csv and regression_residuals.csv. */
struct regression_row {
    struct cell cell; /* of its group: nodes, ppn, procs 0 */
    struct candidate candidate;
    char statistic[16], method[16], x[16], dummies[16];
    size_t columns, n;
    int procs_low, procs_high;
    double sigma, r2, condition, median_error, power, confidence, covered;
    enum fit_status status;
    char reason[REASON_SIZE];
};

struct regression_term {
    struct cell cell;
    struct candidate candidate;
    char statistic[16], method[16], term[16];
    double coefficient_s, stderr_s, low_s, high_s;
};

struct regression_point {
    struct cell cell;
    struct candidate candidate;
    char statistic[16];
    double measured_s, huber_s, huber_low_s, huber_high_s, huber_weight, plain_s;
    double mm_s, mm_low_s, mm_high_s, mm_weight;
};

extern const struct schema regression_schema, regression_term_schema, regression_point_schema;

struct regressions {
    const struct facts *facts; /* borrowed */
    enum rank_statistic statistic;
    enum split split;
    struct regression_fit *fit; /* N_REGRESSION_METHODS per group, in the groups' order */
    size_t n;
};

/* Fits every group (groups.h) by each estimator, to the points that the split leaves to fit. The
 * facts must outlive the result. */
void regressions_fit(const struct point_groups *groups, const struct facts *facts,
                     enum rank_statistic statistic, enum split split, struct regressions *fits);

/* Sets `covered` of every fit: the share of times that are within the interval, over every other P,
 * of a regression fitted to the rest (SPLIT_ALTERNATE). */
void regressions_cover(const struct point_groups *groups, struct regressions *fits);

/* 1 when any of the fits can predict. */
int regressions_usable(const struct regressions *fits);

/* The fit of a cell and candidate, whatever the cell's nodes and procs; NULL where there is none.
 */
const struct regression_fit *regressions_find(const struct regressions *fits,
                                              enum regression_method method,
                                              const struct cell *cell,
                                              const struct candidate *candidate);

/* Prediction of a fit for a cell: seconds, and the interval that holds one new measurement
 * with the facts' confidence. Its half-width is the root of the sum of two squares: the
 * half-width of the line (Student t), and spread T^power. The spread grows with the fitted
 * time T (not below least_s): power is the slope, by repeated medians, of log |residual| over
 * log T, limited to 0 ... 1. spread is the (confidence (n + 1))-th least |residual| / T^power,
 * since a new measurement has any rank among n + 1 exchangeable ones (conformal prediction),
 * times sqrt(n / (n - columns)) for the fitted columns. The only assumption about residuals is
 * equal distribution at one T. extrapolated: outside the fitted process counts, or on a socket
 * or node that no fitted point used. Returns 0, or -1 without a fit. */
struct regression_prediction {
    double seconds, low, high;
    int extrapolated;
};
int regression_predict(const struct regressions *fits, const struct regression_fit *fit,
                       const struct cell *cell, struct regression_prediction *prediction);

/* Writes the three files below DIR. */
int regressions_write(const char *dir, const struct regressions *fits,
                      const struct point_groups *groups, struct err *err);

/* Frees what it holds. */
void regressions_clear(struct regressions *fits);

/* As a set (parameters.h): a struct regressions. */
extern const struct parameter_set regression_set;
