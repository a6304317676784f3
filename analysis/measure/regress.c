/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/measure/regress.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit.h>

#include "analysis/measure/stats.h"

/* Tuning constants, 95 % efficient for normal errors (Huber 1964; Beaton & Tukey 1974). */
static const double huber_k = 1.345, bisquare_c = 4.685;
static const double rank_tolerance = 1e-12; /* smallest / largest singular value of unit columns */
static const double step_tolerance = 1e-10; /* of the scaled coefficients */
static const double scale_floor = 1e-13;    /* residuals of exact data are rounding, not noise */
static const double least_weight = 1e-6;    /* keeps the rank where whole groups are outliers */
enum { MAX_ITERATIONS = 200 };

const char *const fit_status_words[N_FIT_STATUS + 1] = {
    [FIT_OK] = "ok",
    [FIT_TOO_FEW] = "too_few_points",
    [FIT_RANK_DEFICIENT] = "rank_deficient",
    [FIT_NOT_CONVERGED] = "not_converged",
    [FIT_ALPHA_UNIDENTIFIED] = "alpha_unidentified",
    [FIT_BETA_UNIDENTIFIED] = "beta_unidentified",
    [FIT_BETA_NEGATIVE] = "beta_negative",
    [FIT_POOR] = "poor_fit",
};

const double fit_least_r2 = 0.75;

enum fit_status fit_sign(double alpha_low, double alpha_high, double beta_low, double beta_high,
                         double r2, char *reason, size_t size)
{
    const char *alpha = alpha_high < 0   ? "alpha is negative"
                        : alpha_low <= 0 ? "the interval of alpha spans 0"
                                         : "";
    if (beta_high < 0) {
        snprintf(reason, size, "beta is negative: more bytes would take less time; not used");
        return FIT_BETA_NEGATIVE;
    }
    if (beta_low <= 0)
        snprintf(reason, size, "the interval of beta spans 0%s%s", *alpha ? "; " : "", alpha);
    else if (*alpha || !(r2 < fit_least_r2))
        snprintf(reason, size, "%s", alpha);
    else
        snprintf(reason, size, "r2 is below %g: more than half of the spread is not explained",
                 fit_least_r2);
    return beta_low <= 0       ? FIT_BETA_UNIDENTIFIED
           : *alpha            ? FIT_ALPHA_UNIDENTIFIED
           : r2 < fit_least_r2 ? FIT_POOR
                               : FIT_OK;
}

/* The system in scaled columns and weighted rows, with the work space of its solution. */
struct equations {
    size_t n, p;
    gsl_matrix *x, *cov;
    gsl_vector *y, *c, *w;
    gsl_multifit_linear_workspace *work;
    gsl_matrix *qr; /* of the reweighted rows */
    gsl_vector *tau, *rhs, *rest;
    double *scale;    /* of each column */
    double *residual; /* weighted rows */
    double *leverage, *scratch;
    double total; /* sum of squares of y about its weighted mean */
};

static void equations_clear(struct equations *s)
{
    gsl_matrix_free(s->x);
    gsl_matrix_free(s->cov);
    gsl_vector_free(s->y);
    gsl_vector_free(s->c);
    gsl_vector_free(s->w);
    gsl_multifit_linear_free(s->work);
    gsl_matrix_free(s->qr);
    gsl_vector_free(s->tau);
    gsl_vector_free(s->rhs);
    gsl_vector_free(s->rest);
    free(s->scale);
}

static int equations_alloc(struct equations *s, size_t n, size_t p)
{
    *s = (struct equations){ .n = n, .p = p };
    s->x = gsl_matrix_alloc(n, p);
    s->cov = gsl_matrix_alloc(p, p);
    s->y = gsl_vector_alloc(n);
    s->c = gsl_vector_alloc(p);
    s->w = gsl_vector_alloc(n);
    s->work = gsl_multifit_linear_alloc(n, p);
    s->qr = gsl_matrix_alloc(n, p);
    s->tau = gsl_vector_alloc(p);
    s->rhs = gsl_vector_alloc(n);
    s->rest = gsl_vector_alloc(n);
    s->scale = memory_zeros(p + 3 * n, sizeof *s->scale);
    if (!s->x || !s->cov || !s->y || !s->c || !s->w || !s->work || !s->qr || !s->tau || !s->rhs ||
        !s->rest) {
        equations_clear(s);
        return -1;
    }
    s->residual = s->scale + p;
    s->leverage = s->residual + n;
    s->scratch = s->leverage + n;
    return 0;
}

/* Rows times the root of their prior weight, columns to unit length. -1 when a value is not finite
 * or a column vanishes. */
static int equations_fill(struct equations *s, const double *x, const double *y,
                          const double *prior)
{
    double sum = 0, sum_w = 0, total = 0;
    for (size_t i = 0; i < s->n; i++) {
        double w = prior ? prior[i] : 1;
        if (!isfinite(y[i]) || !isfinite(w) || w <= 0)
            return -1;
        gsl_vector_set(s->y, i, y[i] * sqrt(w));
        sum += w * y[i];
        sum_w += w;
        for (size_t j = 0; j < s->p; j++) {
            if (!isfinite(x[i * s->p + j]))
                return -1;
            gsl_matrix_set(s->x, i, j, x[i * s->p + j] * sqrt(w));
        }
    }
    for (size_t i = 0; i < s->n; i++)
        total += (prior ? prior[i] : 1) * pow(y[i] - sum / sum_w, 2);
    s->total = total;
    for (size_t j = 0; j < s->p; j++) {
        double norm = 0;
        for (size_t i = 0; i < s->n; i++)
            norm = hypot(norm, gsl_matrix_get(s->x, i, j));
        s->scale[j] = norm > 0 ? norm : 1;
        for (size_t i = 0; i < s->n; i++)
            gsl_matrix_set(s->x, i, j, gsl_matrix_get(s->x, i, j) / s->scale[j]);
    }
    return 0;
}

/* Condition number, or infinity where the columns are dependent. */
static double equations_condition(struct equations *s)
{
    if (gsl_multifit_linear_svd(s->x, s->work) != 0)
        return INFINITY;
    double rcond = gsl_multifit_linear_rcond(s->work);
    return rcond > rank_tolerance ? 1 / rcond : INFINITY;
}

static void equations_residuals(struct equations *s)
{
    for (size_t i = 0; i < s->n; i++) {
        double fit = 0;
        for (size_t j = 0; j < s->p; j++)
            fit += gsl_matrix_get(s->x, i, j) * gsl_vector_get(s->c, j);
        s->residual[i] = gsl_vector_get(s->y, i) - fit;
    }
}

/* Solves before any reweighting, by the singular values; cov becomes (X'X)^-1. */
static int equations_solve(struct equations *s)
{
    double chisq;
    if (gsl_multifit_wlinear(s->x, s->w, s->y, s->c, s->cov, &chisq, s->work) != 0)
        return -1;
    equations_residuals(s);
    return 0;
}

/* Solves with the present weights, by QR, which is many times faster than by singular values. */
static int equations_resolve(struct equations *s)
{
    for (size_t i = 0; i < s->n; i++) {
        const double root = sqrt(gsl_vector_get(s->w, i));
        gsl_vector_set(s->rhs, i, root * gsl_vector_get(s->y, i));
        for (size_t j = 0; j < s->p; j++)
            gsl_matrix_set(s->qr, i, j, root * gsl_matrix_get(s->x, i, j));
    }
    if (gsl_linalg_QR_decomp(s->qr, s->tau) != 0 ||
        gsl_linalg_QR_lssolve(s->qr, s->tau, s->rhs, s->c, s->rest) != 0)
        return -1;
    equations_residuals(s);
    return 0;
}

static double sum_of_squares(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sum;
}

/* Diagonal of the hat matrix of the unweighted system (cov must be its inverse normal matrix). */
static void equations_leverage(struct equations *s)
{
    for (size_t i = 0; i < s->n; i++) {
        double h = 0;
        for (size_t j = 0; j < s->p; j++)
            for (size_t k = 0; k < s->p; k++)
                h += gsl_matrix_get(s->x, i, j) * gsl_matrix_get(s->cov, j, k) *
                     gsl_matrix_get(s->x, i, k);
        s->leverage[i] = fmin(h, 0.9999);
    }
}

/* Coefficients, their covariance (factor times cov), standard errors and intervals. */
static void report(const struct equations *s, const gsl_matrix *cov, double factor,
                   double confidence, struct regression *r)
{
    const double t = gsl_cdf_tdist_Pinv(0.5 + confidence / 2, (double)(s->n - s->p));
    r->student = t;
    for (size_t j = 0; j < s->p; j++) {
        for (size_t k = 0; k < s->p; k++)
            r->cov[j][k] = factor * gsl_matrix_get(cov, j, k) / s->scale[j] / s->scale[k];
        r->coef[j] = gsl_vector_get(s->c, j) / s->scale[j];
        r->stderr_of[j] = sqrt(fmax(0, r->cov[j][j]));
        r->low[j] = r->coef[j] - t * r->stderr_of[j];
        r->high[j] = r->coef[j] + t * r->stderr_of[j];
    }
}

static void nothing(struct regression *r, size_t n, size_t columns)
{
    *r = (struct regression){ .status = FIT_TOO_FEW,
                              .n = n,
                              .columns = columns,
                              .student = NAN,
                              .sigma = NAN,
                              .r2 = NAN,
                              .condition = NAN };
    for (size_t j = 0; j < REGRESS_MAX; j++)
        r->coef[j] = r->stderr_of[j] = r->low[j] = r->high[j] = NAN;
}

/* Makes the system ready and solves it by least squares. */
static int begin(struct equations *s, const double *x, const double *y, const double *prior,
                 size_t n, size_t columns, struct regression *r)
{
    stats_gsl();
    nothing(r, n, columns);
    if (columns < 1 || columns > REGRESS_MAX || n < columns + 1 ||
        equations_alloc(s, n, columns) < 0)
        return -1;
    gsl_vector_set_all(s->w, 1);
    if (equations_fill(s, x, y, prior) < 0) {
        equations_clear(s);
        return -1;
    }
    r->condition = equations_condition(s);
    if (!isfinite(r->condition) || equations_solve(s) < 0) {
        r->status = FIT_RANK_DEFICIENT;
        equations_clear(s);
        return -1;
    }
    return 0;
}

int regress_least_squares(const double *x, const double *y, const double *prior, size_t n,
                          size_t columns, double confidence, struct regression *r)
{
    struct equations s;
    if (begin(&s, x, y, prior, n, columns, r) < 0)
        return -1;
    double squares = sum_of_squares(s.residual, n), variance = squares / (double)(n - columns);
    r->sigma = sqrt(variance);
    r->r2 = s.total > 0 ? 1 - squares / s.total : NAN;
    report(&s, s.cov, variance, confidence, r);
    r->status = FIT_OK;
    equations_clear(&s);
    return 0;
}

/* Scale of the residuals: the median of the n - p + 1 largest leverage-adjusted ones (p of them are
 * fitted away), made consistent for the normal; never below rounding. */
static double robust_scale(struct equations *s)
{
    double y = 0;
    for (size_t i = 0; i < s->n; i++) {
        s->scratch[i] = fabs(s->residual[i]) / sqrt(1 - s->leverage[i]);
        y = fmax(y, fabs(gsl_vector_get(s->y, i)));
    }
    stats_median(s->scratch, s->n); /* sorts */
    double median = stats_quantile(s->scratch + s->p - 1, s->n - s->p + 1, 0.5);
    return fmax(median / 0.6744897501960817, fmax(scale_floor * y, DBL_MIN));
}

/* What a residual of u scales weighs, and the slope of psi(u) = u weight(u). */
struct loss {
    double (*weight)(double u);
    double (*slope)(double u);
};

static double huber_weight(double u)
{
    return fabs(u) <= huber_k ? 1 : huber_k / fabs(u);
}

static double huber_slope(double u)
{
    return fabs(u) <= huber_k;
}

static double bisquare_weight(double u)
{
    double v = u / bisquare_c;
    const double least = least_weight / fmax(1, fabs(v)); /* times u: bounded */
    return fabs(v) < 1 ? fmax((1 - v * v) * (1 - v * v), least) : least;
}

static double bisquare_slope(double u)
{
    double v = u / bisquare_c;
    return fabs(v) < 1 ? (1 - v * v) * (1 - 5 * v * v) : 0;
}

static const struct loss huber = { huber_weight, huber_slope };
static const struct loss bisquare = { bisquare_weight, bisquare_slope };

/* New weights; returns the greatest change of any. */
static double reweight(struct equations *s, const struct loss *loss, double sigma)
{
    double change = 0;
    for (size_t i = 0; i < s->n; i++) {
        double w = loss->weight(s->residual[i] / (sigma * sqrt(1 - s->leverage[i])));
        change = fmax(change, fabs(w - gsl_vector_get(s->w, i)));
        gsl_vector_set(s->w, i, w);
    }
    return change;
}

/* One step: weights, coefficients. Returns the greatest relative move of the fit, or -1. */
static double step(struct equations *s, const struct loss *loss, double sigma)
{
    double before[REGRESS_MAX], moved = 0, size = 0;
    for (size_t j = 0; j < s->p; j++)
        before[j] = gsl_vector_get(s->c, j);
    double change = reweight(s, loss, sigma);
    if (equations_resolve(s) < 0)
        return -1;
    for (size_t j = 0; j < s->p; j++) {
        moved = fmax(moved, fabs(gsl_vector_get(s->c, j) - before[j]));
        size = fmax(size, fabs(gsl_vector_get(s->c, j)));
    }
    return size > 0 && change > 0 ? moved / size : 0;
}

/* Huber's asymptotic covariance over (X'X)^-1: K^2 [sum psi^2 / (n-p)] / [mean psi']^2 with
 * K = 1 + p/n var(psi') / (mean psi')^2. */
static double covariance_factor(const struct equations *s, const struct loss *loss, double sigma)
{
    double psi2 = 0, mean = 0, squares = 0, n = (double)s->n, p = (double)s->p;
    for (size_t i = 0; i < s->n; i++) {
        double u = s->residual[i] / sigma, slope = loss->slope(u), psi = u * loss->weight(u);
        mean += slope / n;
        squares += slope * slope / n;
        psi2 += psi * psi;
    }
    double m = fmax(mean, 1 / n), k = 1 + p / n * fmax(0, squares - mean * mean) / (m * m);
    return k * k * sigma * sigma * (psi2 / (n - p)) / (m * m);
}

static double weighted_r2(const struct equations *s)
{
    double squares = 0;
    for (size_t i = 0; i < s->n; i++)
        squares += gsl_vector_get(s->w, i) * s->residual[i] * s->residual[i];
    return s->total > 0 ? 1 - squares / s->total : NAN;
}

/* Leverages, and (X'X)^-1 before any reweighting, of which the covariance is a multiple. */
static void keep_inverse(struct equations *s, double *inverse)
{
    gsl_matrix_view view = gsl_matrix_view_array(inverse, s->p, s->p);
    equations_leverage(s);
    gsl_matrix_memcpy(&view.matrix, s->cov);
}

/* What an M-estimator has found after its last step. */
static void finish(struct equations *s, const struct loss *loss, double sigma, double moved,
                   double *inverse, double confidence, struct regression *r, double *weight)
{
    gsl_matrix_view view = gsl_matrix_view_array(inverse, s->p, s->p);
    r->sigma = sigma;
    r->r2 = weighted_r2(s);
    report(s, &view.matrix, covariance_factor(s, loss, sigma), confidence, r);
    for (size_t i = 0; weight && i < s->n; i++)
        weight[i] = gsl_vector_get(s->w, i);
    r->status = moved > step_tolerance || moved < 0 ? FIT_NOT_CONVERGED : FIT_OK;
    equations_clear(s);
}

int regress_huber(const double *x, const double *y, const double *prior, size_t n, size_t columns,
                  double confidence, struct regression *r, double *weight)
{
    struct equations s;
    if (begin(&s, x, y, prior, n, columns, r) < 0)
        return -1;
    double inverse[REGRESS_MAX * REGRESS_MAX], moved = 1, sigma = NAN;
    keep_inverse(&s, inverse);
    for (r->iterations = 0; r->iterations < MAX_ITERATIONS && moved > step_tolerance;
         r->iterations++) {
        sigma = robust_scale(&s);
        moved = step(&s, &huber, sigma);
    }
    finish(&s, &huber, sigma, moved, inverse, confidence, r, weight);
    return 0;
}

int regress_mm(const double *x, const double *y, const double *prior, const double *start, size_t n,
               size_t columns, double confidence, struct regression *r, double *weight)
{
    struct equations s;
    if (begin(&s, x, y, prior, n, columns, r) < 0)
        return -1;
    double inverse[REGRESS_MAX * REGRESS_MAX], moved = 1;
    keep_inverse(&s, inverse);
    for (size_t i = 0; i < n; i++)
        s.residual[i] = (y[i] - start[i]) * sqrt(prior ? prior[i] : 1);
    const double sigma = robust_scale(&s);
    for (r->iterations = 0; r->iterations < MAX_ITERATIONS && moved > step_tolerance;
         r->iterations++)
        moved = step(&s, &bisquare, sigma);
    finish(&s, &bisquare, sigma, moved, inverse, confidence, r, weight);
    return 0;
}

double regress_value(const struct regression *r, const double *row)
{
    double value = 0;
    for (size_t j = 0; j < r->columns; j++)
        value += r->coef[j] * row[j];
    return value;
}

double regress_half_width(const struct regression *r, const double *row)
{
    double variance = 0;
    for (size_t j = 0; j < r->columns; j++)
        for (size_t k = 0; k < r->columns; k++)
            variance += row[j] * r->cov[j][k] * row[k];
    return r->student * sqrt(fmax(0, variance));
}
