/* SPDX-License-Identifier: BSD-3-Clause */
/* Regressions against NIST's certified values, planted outliers, and their own stated errors. */
#include "analysis/measure/regress.h"

#include <math.h>
#include <string.h>

#include "harness/base/rng.h"
#include "tests/tap.h"

enum { X, Y };

/* NIST StRD, linear regression, Norris (1993): 36 observations, y = b0 + b1 x. */
static const double norris[36][2] = {
    { 0.2, 0.1 },     { 337.4, 338.8 }, { 118.2, 118.1 }, { 884.6, 888.0 }, { 10.1, 9.2 },
    { 226.5, 228.1 }, { 666.3, 668.5 }, { 996.3, 998.5 }, { 448.6, 449.1 }, { 777.0, 778.9 },
    { 558.2, 559.2 }, { 0.4, 0.3 },     { 0.6, 0.1 },     { 775.5, 778.1 }, { 666.9, 668.8 },
    { 338.0, 339.3 }, { 447.5, 448.9 }, { 11.6, 10.8 },   { 556.0, 557.7 }, { 228.1, 228.3 },
    { 995.8, 998.0 }, { 887.6, 888.8 }, { 120.2, 119.6 }, { 0.3, 0.3 },     { 0.3, 0.6 },
    { 556.8, 557.6 }, { 339.1, 339.3 }, { 887.2, 888.0 }, { 999.0, 998.5 }, { 779.0, 778.9 },
    { 11.1, 10.2 },   { 118.3, 117.6 }, { 229.2, 228.9 }, { 669.1, 668.4 }, { 448.9, 449.2 },
    { 0.5, 0.2 },
};

/* NIST StRD, linear regression, Longley (1967): y, then x1 … x6; the columns nearly depend. */
static const double longley[16][7] = {
    { 60323, 83.0, 234289, 2356, 1590, 107608, 1947 },
    { 61122, 88.5, 259426, 2325, 1456, 108632, 1948 },
    { 60171, 88.2, 258054, 3682, 1616, 109773, 1949 },
    { 61187, 89.5, 284599, 3351, 1650, 110929, 1950 },
    { 63221, 96.2, 328975, 2099, 3099, 112075, 1951 },
    { 63639, 98.1, 346999, 1932, 3594, 113270, 1952 },
    { 64989, 99.0, 365385, 1870, 3547, 115094, 1953 },
    { 63761, 100.0, 363112, 3578, 3350, 116219, 1954 },
    { 66019, 101.2, 397469, 2904, 3048, 117388, 1955 },
    { 67857, 104.6, 419180, 2822, 2857, 118734, 1956 },
    { 68169, 108.4, 442769, 2936, 2798, 120445, 1957 },
    { 66513, 110.8, 444546, 4681, 2637, 121950, 1958 },
    { 68655, 112.6, 482704, 3813, 2552, 123366, 1959 },
    { 69564, 114.2, 502601, 3931, 2514, 125368, 1960 },
    { 69331, 115.7, 518173, 4806, 2572, 127852, 1961 },
    { 70551, 116.9, 554894, 4007, 2827, 130081, 1962 },
};
static const double longley_coef[7] = {
    -3482258.63459582, 15.0618722713733,       -0.358191792925910E-01, -2.02022980381683,
    -1.03322686717359, -0.511041056535807E-01, 1829.15146461355,
};
static const double longley_stderr[7] = {
    890420.383607373,  84.9149257747669,      0.334910077722432E-01, 0.488399681651699,
    0.214274163161675, 0.226073200069370E+00, 455.478499142212,
};

/* Digits that survive double precision at these condition numbers. */
static const double norris_digits = 1e-12, longley_digits = 1e-8;

static void nist_norris(void)
{
    double x[72], y[36];
    for (int i = 0; i < 36; i++) {
        x[2 * i] = 1;
        x[2 * i + 1] = norris[i][X];
        y[i] = norris[i][Y];
    }
    struct regression r;
    is_int(0, regress_least_squares(x, y, NULL, 36, 2, 0.95, &r), "Norris is solved");
    is_near(-0.262323073774029, r.coef[0], norris_digits * 1e2, "Norris: b0 is NIST's");
    is_near(1.00211681802045, r.coef[1], norris_digits, "Norris: b1 is NIST's");
    is_near(0.232818234301152, r.stderr_of[0], norris_digits * 1e2, "Norris: standard error of b0");
    is_near(0.429796848199937E-03, r.stderr_of[1], norris_digits * 1e2,
            "Norris: standard error of b1");
    is_near(0.884796396144373, r.sigma, norris_digits * 1e2, "Norris: residual deviation");
    is_near(0.999993745883712, r.r2, norris_digits, "Norris: R squared");
}

static void nist_longley(void)
{
    double x[16 * 7], y[16];
    for (int i = 0; i < 16; i++) {
        y[i] = longley[i][0];
        x[7 * i] = 1;
        memcpy(x + 7 * i + 1, longley[i] + 1, 6 * sizeof *x);
    }
    struct regression r;
    regress_least_squares(x, y, NULL, 16, 7, 0.95, &r);
    for (int j = 0; j < 7; j++) {
        is_near(longley_coef[j], r.coef[j], longley_digits, "Longley: b%d is NIST's", j);
        is_near(longley_stderr[j], r.stderr_of[j], longley_digits, "Longley: error of b%d", j);
    }
    is_near(304.854073561965, r.sigma, longley_digits, "Longley: residual deviation");
    is_near(0.995479004577296, r.r2, longley_digits, "Longley: R squared");
    ok(r.condition > 1e4, "Longley is known to be ill-conditioned: %.3g", r.condition);
}

/* y = 2e-5 + 1e-9 x at ten sizes, with relative noise; outliers are `late` times as long. */
static void plant(struct rng *rng, double noise, int outlier, double late, double *x, double *y)
{
    for (int i = 0; i < 10; i++) {
        x[2 * i] = 1;
        x[2 * i + 1] = 8192 * pow(512, i / 9.);
        y[i] = (2e-5 + 1e-9 * x[2 * i + 1]) * (1 + noise * rng_normal(rng));
        if (i == outlier)
            y[i] *= late;
    }
}

static void relative(const double *y, double *prior)
{
    for (int i = 0; i < 10; i++)
        prior[i] = 1 / (y[i] * y[i]);
}

/* One in ten of 10 equations is three times as long, wherever it stands. */
static void outliers(void)
{
    struct rng rng;
    rng_init(&rng, 5);
    double worst = 0, worst_ls = 0, x[20], y[10], prior[10], weight[10];
    for (int outlier = 0; outlier < 10; outlier++) {
        struct regression huber, ls;
        plant(&rng, 0.005, outlier, 3, x, y);
        relative(y, prior);
        regress_huber(x, y, prior, 10, 2, 0.95, &huber, weight);
        regress_least_squares(x, y, prior, 10, 2, 0.95, &ls);
        ok(weight[outlier] < 0.2, "outlier %d is found: weight %.3f", outlier, weight[outlier]);
        worst = fmax(worst, fabs(huber.coef[0] / 2e-5 - 1));
        worst = fmax(worst, fabs(huber.coef[1] / 1e-9 - 1));
        worst_ls = fmax(worst_ls, fabs(ls.coef[0] / 2e-5 - 1));
        worst_ls = fmax(worst_ls, fabs(ls.coef[1] / 1e-9 - 1));
    }
    ok(worst < 0.05, "an outlier in ten leaves Huber within 5 %%: %.3g %%", 100 * worst);
    ok(worst_ls > 0.05, "and moves least squares further: %.3g %%", 100 * worst_ls);
}

/* Share of 2000 seeded systems whose stated 95 % intervals hold the truth. */
static void coverage(void)
{
    struct rng rng;
    rng_init(&rng, 17);
    double x[20], y[10], prior[10];
    int alpha = 0, beta = 0, ls = 0;
    for (int t = 0; t < 2000; t++) {
        struct regression r;
        plant(&rng, 0.02, -1, 1, x, y);
        relative(y, prior);
        regress_huber(x, y, prior, 10, 2, 0.95, &r, NULL);
        alpha += r.low[0] <= 2e-5 && 2e-5 <= r.high[0];
        beta += r.low[1] <= 1e-9 && 1e-9 <= r.high[1];
        regress_least_squares(x, y, prior, 10, 2, 0.95, &r);
        ls += r.low[1] <= 1e-9 && 1e-9 <= r.high[1];
    }
    ok(alpha > 1820 && alpha < 1980, "Huber's interval holds alpha: %.3f", alpha / 2000.);
    ok(beta > 1820 && beta < 1980, "Huber's interval holds beta: %.3f", beta / 2000.);
    ok(ls > 1860 && ls < 1960, "least squares' too: %.3f", ls / 2000.);
}

static void efficiency(void)
{
    struct rng rng;
    rng_init(&rng, 23);
    double huber = 0, ls = 0;
    for (int t = 0; t < 1000; t++) {
        double x[200], y[100];
        struct regression r;
        for (int i = 0; i < 100; i++) {
            x[2 * i] = 1;
            x[2 * i + 1] = i;
            y[i] = 3 + 0.5 * i + rng_normal(&rng);
        }
        regress_huber(x, y, NULL, 100, 2, 0.95, &r, NULL);
        huber += pow(r.coef[1] - 0.5, 2);
        regress_least_squares(x, y, NULL, 100, 2, 0.95, &r);
        ls += pow(r.coef[1] - 0.5, 2);
    }
    ok(ls / huber > 0.9 && ls / huber < 1, "Huber is 95 %% efficient for normal errors: %.3f",
       ls / huber);
}

static void weights(void)
{
    double x[] = { 1, 0, 1, 1, 1, 2, 1, 3 }, y[] = { 1, 3, 5, 107 }, prior[] = { 1, 1, 1, 1e-12 };
    struct regression r;
    regress_least_squares(x, y, prior, 4, 2, 0.95, &r);
    is_near(2, r.coef[1], 1e-6, "an equation without weight has no say");
}

static void degenerate(void)
{
    struct regression r;
    double x[] = { 1, 2, 1, 3, 1, 4, 1, 5 }, y[] = { 1, 2, 3, 4 };
    double flat[] = { 1, 7, 1, 7, 1, 7, 1, 7 }, zero[] = { 0, 0, 0, 0 };
    is_int(-1, regress_huber(x, y, NULL, 2, 2, 0.95, &r, NULL), "two points are refused");
    is_str("too_few_points", fit_status_words[r.status], "as too few");
    ok(isnan(r.coef[0]) && isnan(r.low[1]) && isnan(r.condition), "and nothing is made up");
    is_int(-1, regress_huber(x, y, NULL, 0, 2, 0.95, &r, NULL), "none are refused");
    is_int(-1, regress_huber(flat, y, NULL, 4, 2, 0.95, &r, NULL), "equal sizes are refused");
    is_str("rank_deficient", fit_status_words[r.status], "as rank deficient");
    ok(isinf(r.condition), "with an infinite condition number");
    is_int(0, regress_huber(x, y, NULL, 4, 2, 0.95, &r, NULL), "exact data are fitted");
    is_near(-1, r.coef[0], 1e-9, "exactly");
    ok(r.status == FIT_OK && r.stderr_of[0] < 1e-9, "with no error to speak of: %.3g",
       r.stderr_of[0]);
    is_int(0, regress_huber(x, zero, NULL, 4, 2, 0.95, &r, NULL), "zeroes are fitted");
    is_near(0, r.coef[1], 1e-12, "by zero");
    y[2] = NAN;
    is_int(-1, regress_huber(x, y, NULL, 4, 2, 0.95, &r, NULL), "a NaN is refused");
    y[2] = 3;
    x[3] = INFINITY;
    is_int(-1, regress_huber(x, y, NULL, 4, 2, 0.95, &r, NULL), "an infinity is refused");
}

int main(void)
{
    nist_norris();
    nist_longley();
    outliers();
    coverage();
    efficiency();
    weights();
    degenerate();
    return tap_done();
}
