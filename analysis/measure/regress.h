/* SPDX-License-Identifier: BSD-3-Clause */
/* regress.h - linear regression y = X c, by least squares, by Huber's M-estimator and by an
 * MM-estimator, over GSL.
 *
 * Columns are scaled to unit length before anything is solved; results are in the caller's units.
 * Prior weights say how precise each equation is (1/variance, up to a factor); NULL: all alike.
 * Nothing is kept. The condition number is that of the scaled, weighted matrix: relative errors of
 * y can come back in the coefficients magnified by up to this factor. */
#pragma once

#include "harness/base/base.h"

enum { REGRESS_MAX = 16 }; /* columns */

enum fit_status {
    FIT_OK,
    FIT_TOO_FEW,        /* fewer than columns + 1 equations, or a value that is not finite */
    FIT_RANK_DEFICIENT, /* columns are dependent */
    FIT_NOT_CONVERGED,
    FIT_ALPHA_UNIDENTIFIED, /* set by callers for whom a coefficient must be positive (fit_sign) */
    FIT_BETA_UNIDENTIFIED,
    FIT_BETA_NEGATIVE,
    FIT_POOR, /* set with the signs (fit_sign): r2 below fit_least_r2 */
    N_FIT_STATUS
};

struct regression {
    enum fit_status status;
    size_t n, columns;
    double coef[REGRESS_MAX], stderr_of[REGRESS_MAX];
    double low[REGRESS_MAX], high[REGRESS_MAX]; /* Student t interval, n - columns degrees */
    double student;                             /* its t: half-width / standard error */
    double cov[REGRESS_MAX][REGRESS_MAX];       /* covariance of the coefficients */
    double sigma;                               /* scale of the weighted residuals */
    double r2;                                  /* 1 - weighted residual / total sum of squares */
    double condition;
    int iterations;
};

/* "ok", "too_few_points", "rank_deficient", "not_converged", "alpha_unidentified",
 * "beta_unidentified", "beta_negative", "poor_fit". */
extern const char *const fit_status_words[]; /* ended by NULL */

/* Below this r2 a line alpha + beta x is a poor fit: the spread of its residuals exceeds half of
 * the spread of y (sqrt(1 - 0.75) = 1/2), so the difference
 * between two sizes shows as much error as slope. */
extern const double fit_least_r2; /* 0.75 */

/* Checks an otherwise `ok` fit alpha + beta x by the intervals of its coefficients, which should be
 * above 0, and by its r2. Writes the reason (buffer of this size; "" when ok). beta_negative: the
 * whole interval of beta is below 0, so more bytes would cost less; do not predict with it.
 * beta_unidentified, alpha_unidentified: the interval reaches 0. The coefficients are good for
 * predictions within the fitted range, which is not checked, but have no meaning alone. poor_fit:
 * both are above 0 and r2 is below fit_least_r2; predictions are marked (PREDICT_POOR_FIT). */
enum fit_status fit_sign(double alpha_low, double alpha_high, double beta_low, double beta_high,
                         double r2, char *reason, size_t size);

/* Ordinary or weighted least squares. x holds n rows of `columns` values. Returns 0 when the result
 * holds coefficients (status ok), else -1 with the status set and NaN everywhere else. */
int regress_least_squares(const double *x, const double *y, const double *prior, size_t n,
                          size_t columns, double confidence, struct regression *r);

/* Huber's estimator, k = 1.345 (95 % efficient for normal errors), by iteratively reweighted least
 * squares with the scale from the median absolute leverage-adjusted residual; standard errors by
 * Huber's own formula (Robust Statistics, 1981, section 7.6, with its correction factor K).
 * weight (n values, may be NULL) gets the final weights in (0, 1]. After FIT_NOT_CONVERGED the last
 * iterate is there. Returns as regress_least_squares, and 0 also when not converged. */
int regress_huber(const double *x, const double *y, const double *prior, size_t n, size_t columns,
                  double confidence, struct regression *r, double *weight);

/* The last step of an MM-estimator (Yohai 1987): from `start`, the fitted values (n) of a fit that
 * resists outliers, Tukey's bisquare with c = 4.685 (95 % efficient), the scale held at that of the
 * start's residuals. Points far from the start have almost no weight, at
 * any distance and leverage, so the result is as resistant to outliers as
 * the start. Standard errors, weight and return value as regress_huber. */
int regress_mm(const double *x, const double *y, const double *prior, const double *start, size_t n,
               size_t columns, double confidence, struct regression *r, double *weight);

/* The fitted value at a row of columns. */
double regress_value(const struct regression *r, const double *row);

/* Half-width of the Student t interval that holds the fitted value there, at the confidence of the
 * fit. */
double regress_half_width(const struct regression *r, const double *row);
