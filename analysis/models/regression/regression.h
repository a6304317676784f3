/* SPDX-License-Identifier: BSD-3-Clause */
/* regression.h - the regression with dummies (Tallone 2024): the time of one algorithm, mapping,
 * collective and message size as a straight line in P (log2 P) that may step and bend where another
 * socket or node comes into use (regression.h).
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

#include "analysis/measure/groups.h"
#include "analysis/measure/regress.h"

/* The columns of the regression (Tallone 2024, "Linear Fit Model"):
 *
 *   T = b0 + b1 x + sum_i (b2i z_i + b3i x z_i)
 *
 * x is the number of processes P, or log2 P for trees whose depth that is. z_i is 1 where the i-th
 * socket (mapping by core) or node (mapping by socket) beyond the first holds a rank.
 * Mapping by node has none, since every node is in use from the start. With more sockets
 * than columns, z_i stands for nodes instead; with too many nodes there is no z_i.
 *
 * A dummy needs enough fitted points of its own: with REGRESSION_LEVEL_POINTS process
 * counts it gets a level, with REGRESSION_SLOPE_POINTS or more also a slope. Pure. */

enum {
    REGRESSION_MOST = (REGRESS_MAX - 2) / 2,
    REGRESSION_LEVEL_POINTS = 2,
    REGRESSION_SLOPE_POINTS = 3
};

enum regression_unit { REGRESSION_NONE, REGRESSION_SOCKETS, REGRESSION_NODES };

struct regression_design {
    int log2_x;
    enum regression_unit unit;
    int n_z; /* number of possible dummies */
    unsigned char level[REGRESSION_MOST],
        slope[REGRESSION_MOST]; /* of z_1 ...: 1 where it is a column */
    unsigned seen; /* bit i: z_(i+1) is 1 at a fitted point; no prediction for others */
    size_t columns;
};

/* "procs", "log2_procs". */
const char *regression_x_name(const struct regression_design *d);

/* "none", "sockets", "nodes". */
const char *regression_unit_name(enum regression_unit unit);

/* 1 when the regression of this algorithm ("LIBRARY:NAME") is in log2 P. */
int regression_uses_log2(const char *algorithm);

/* x of a cell: its processes, or their logarithm to base 2. */
double regression_x(const struct regression_design *d, const struct cell *cell);

/* Bit i is set where z_(i+1) is 1 in this cell. */
unsigned regression_pattern(const struct regression_design *d, const struct facts *facts,
                            const struct cell *cell);

/* Chooses the columns for these cells (n of them, of one algorithm and mapping, by ascending P);
 * pattern (room for n) gets their regression_pattern; reason (of this size) says what was left out
 * and why, "" where nothing was. */
void regression_design_make(struct regression_design *d, const struct facts *facts,
                            const char *algorithm, const struct cell *const *cell, size_t n,
                            unsigned *pattern, char *reason, size_t size);

/* Takes the last dummy's last column away; 0 when there is none left. */
int regression_design_reduce(struct regression_design *d);

/* Fills a row of d->columns values. */
void regression_row(const struct regression_design *d, const struct facts *facts,
                    const struct cell *cell, double *row);

/* The name of column k: "intercept", "x", "z1", "x:z1". Returns buf. */
const char *regression_column_name(const struct regression_design *d, size_t k, char *buf,
                                   size_t size);

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
    struct regression_fit fit;
    char method[16], x[16], dummies[16];
    double confidence;
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

void regressions_clear(struct regressions *fits);

/* As a set (parameters.h): a struct regressions. */
extern const struct parameter_set regression_set;
