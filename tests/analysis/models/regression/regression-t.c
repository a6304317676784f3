/* SPDX-License-Identifier: BSD-3-Clause */
/* The dummy regression: planted coefficients come back, its intervals hold what they claim, columns
 * follow the shape of the cluster, and outliers do not ruin the robust estimator. */
#include "analysis/models/regression/regression.h"

#include <math.h>

#include "harness/base/csv.h"
#include "harness/base/rng.h"
#include "tests/analysis/dir.h"
#include "tests/analysis/overprocs.h"
#include "tests/tap.h"

static const char linear[] = "openmpi:basic_linear", tree[] = "openmpi:binary_tree";

/* Coefficients of the planted line on 2 nodes x 2 sockets x 16 cores, us: intercept, slope, and
 * what each further socket adds to either. */
static const double planted[8] = { 3, 0.5, 4, 0.2, 30, -0.1, 5, 0.4 };

static double planted_s(int procs)
{
    double t = planted[0] + planted[1] * procs;
    for (int i = 1; i < 4; i++)
        if (procs > 16 * i)
            t += planted[2 * i] + planted[2 * i + 1] * procs;
    return 1e-6 * t;
}

static void plant(struct points *points, const struct facts *facts, struct rng *rng, double sigma_s)
{
    points->n = 0;
    for (int p = 2; p <= 64; p += 2)
        over_add(points, facts, linear, "core", p, 8,
                 planted_s(p) + sigma_s * (rng ? rng_normal(rng) : 0));
}

static struct regressions fit(const struct points *points, const struct facts *facts,
                              struct point_groups *groups, enum split split)
{
    struct regressions d;
    point_groups_make(points, groups);
    regressions_fit(groups, facts, OVER_OWN, split, &d);
    return d;
}

static void exact(void)
{
    static const char *const names[] = {
        "intercept", "x", "z1", "x:z1", "z2", "x:z2", "z3", "x:z3"
    };
    const struct facts facts = shape(2, 2, 16);
    struct points points = { .n = 0 };
    struct point_groups groups;
    char name[16];
    plant(&points, &facts, NULL, 0);
    struct regressions d = fit(&points, &facts, &groups, SPLIT_IN_SAMPLE);
    is_int(N_REGRESSION_METHODS, (long long)d.n, "a fit by each estimator");
    for (size_t m = 0; m < d.n; m++) {
        const struct regression_fit *f = &d.fit[m];
        double worst = 0;
        int named = f->design.columns == 8;
        for (size_t k = 0; k < 8; k++) {
            worst = fmax(worst, fabs(1e6 * f->r.coef[k] - planted[k]));
            named &=
                strcmp(names[k], regression_column_name(&f->design, k, name, sizeof name)) == 0;
        }
        ok(worst < 1e-8, "%s: eight planted coefficients come back, %.1g off",
           regression_method_name(f->method), worst);
        ok(named, "under their names");
        is_near(1, f->r.r2, 1e-12, "R2 is 1");
        is_int(32, (long long)f->r.n, "of all points");
    }
    regressions_clear(&d);
    point_groups_clear(&groups);
    points_clear(&points);
}

/* Share of seeded systems whose 95 % intervals hold the planted slope, and a new measurement. */
static void coverage(void)
{
    const struct facts facts = shape(2, 2, 16);
    const double sigma_s = 1e-6;
    struct points points = { .n = 0 };
    struct rng rng;
    int slope[N_REGRESSION_METHODS] = { 0 }, fresh[N_REGRESSION_METHODS] = { 0 };
    enum { TIMES = 1000 };
    rng_init(&rng, 7);
    for (int t = 0; t < TIMES; t++) {
        struct point_groups groups;
        plant(&points, &facts, &rng, sigma_s);
        struct regressions d = fit(&points, &facts, &groups, SPLIT_IN_SAMPLE);
        const struct cell cell = packed(&facts, "core", 27, 8);
        const double now = planted_s(27) + sigma_s * rng_normal(&rng);
        for (size_t m = 0; m < d.n; m++) {
            struct regression_prediction p;
            const struct regression *r = &d.fit[m].r;
            slope[m] += 1e6 * r->low[1] <= planted[1] && planted[1] <= 1e6 * r->high[1];
            regression_predict(&d, &d.fit[m], &cell, &p);
            fresh[m] += p.low <= now && now <= p.high;
        }
        regressions_clear(&d);
        point_groups_clear(&groups);
    }
    for (int m = 0; m < N_REGRESSION_METHODS; m++) {
        const char *name = regression_method_name((enum regression_method)m);
        ok(slope[m] > 0.9 * TIMES && slope[m] < 0.985 * TIMES,
           "%s: its interval holds the slope: %.3f", name, (double)slope[m] / TIMES);
        ok(fresh[m] > 0.9 * TIMES && fresh[m] < 0.985 * TIMES,
           "%s: the interval of a prediction holds a new measurement: %.3f", name,
           (double)fresh[m] / TIMES);
    }
    points_clear(&points);
}

/* Times that scatter by 5 % of themselves, from 3 to 80 us: the interval is as wide as they do at
 * either end, where one width for all would be more than the whole of the least. */
static void growing(void)
{
    enum { TIMES = 400 };
    static const int at[] = { 5, 59 };
    const struct facts facts = shape(2, 2, 16);
    struct points points = { .n = 0 };
    struct rng rng;
    int within[2] = { 0 };
    double width[2] = { 0 };
    rng_init(&rng, 5);
    for (int t = 0; t < TIMES; t++) {
        struct point_groups groups;
        plant(&points, &facts, NULL, 0);
        for (size_t i = 0; i < points.n; i++)
            points.row[i].time.value *= 1 + 0.05 * rng_normal(&rng);
        struct regressions d = fit(&points, &facts, &groups, SPLIT_IN_SAMPLE);
        for (int k = 0; k < 2; k++) {
            struct regression_prediction p;
            const struct cell cell = packed(&facts, "core", at[k], 8);
            const double now = planted_s(at[k]) * (1 + 0.05 * rng_normal(&rng));
            regression_predict(&d, &d.fit[REGRESSION_HUBER], &cell, &p);
            within[k] += p.low <= now && now <= p.high;
            width[k] += (p.high - p.low) / 2 / planted_s(at[k]) / TIMES;
        }
        regressions_clear(&d);
        point_groups_clear(&groups);
    }
    for (int k = 0; k < 2; k++) {
        ok(within[k] > 0.88 * TIMES, "a spread in proportion, P = %d: held in %.3f", at[k],
           (double)within[k] / TIMES);
        ok(width[k] > 0.09 && width[k] < 0.6, "by an interval of +- %.2g of the time", width[k]);
    }
    points_clear(&points);
}

/* Every other P is fitted (with noise), the rest judged: four of those 16 are far away. */
static void covered(void)
{
    const struct facts facts = shape(2, 2, 16);
    struct points points = { .n = 0 };
    struct point_groups groups;
    struct rng rng;
    rng_init(&rng, 19);
    plant(&points, &facts, NULL, 0);
    for (size_t i = 0; i < points.n; i++)
        if (i % 2 == 0)
            points.row[i].time.value += 1e-7 * rng_normal(&rng);
        else if (i % 8 == 1)
            points.row[i].time.value += 1e-3;
    struct regressions d = fit(&points, &facts, &groups, SPLIT_IN_SAMPLE);
    ok(isnan(d.fit[REGRESSION_LS].covered), "coverage is not known");
    regressions_cover(&groups, &d);
    for (size_t m = 0; m < d.n; m++)
        is_near(0.75, d.fit[m].covered, 1e-12, "%s: 12 of the 16 that were not fitted",
                regression_method_name((enum regression_method)m));
    regressions_clear(&d);
    point_groups_clear(&groups);
    points_clear(&points);
}

static void log2_of_trees(void)
{
    const struct facts facts = shape(1, 1, 64);
    struct points points = { .n = 0 };
    struct point_groups groups;
    for (int p = 2; p <= 64; p += 2)
        over_add(&points, &facts, tree, "core", p, 8, 1e-6 * (2 + 3 * log2(p)));
    struct regressions d = fit(&points, &facts, &groups, SPLIT_IN_SAMPLE);
    is_int(2, (long long)d.fit[0].design.columns, "one socket of one node: no dummies");
    is_near(3e-6, d.fit[0].r.coef[1], 1e-9, "a tree's time is a line in log2 P");
    is_str("log2_procs", regression_x_name(&d.fit[0].design), "and the file says so");
    ok(regression_uses_log2("openmpi:binomial") && !regression_uses_log2("openmpi:chain") &&
           !regression_uses_log2("openmpi:default"),
       "binomial likewise; a chain and a default not");
    regressions_clear(&d);
    point_groups_clear(&groups);
    points_clear(&points);
}

/* The columns for P = from, from + step, ... to on a cluster. */
static struct regression_design design_of(const struct facts *facts, const char *mapping, int from,
                                          int to, int step, char *reason)
{
    struct points points = { .n = 0 };
    struct point_groups groups;
    for (int p = from; p <= to; p += step)
        over_add(&points, facts, linear, mapping, p, 8, 1e-6 * p);
    struct regressions d = fit(&points, facts, &groups, SPLIT_IN_SAMPLE);
    const struct regression_design design = d.fit[0].design;
    snprintf(reason, REASON_SIZE, "%s", d.fit[0].reason);
    regressions_clear(&d);
    point_groups_clear(&groups);
    points_clear(&points);
    return design;
}

static void shapes(void)
{
    char why[REASON_SIZE];
    struct facts facts = shape(2, 2, 16);
    struct regression_design d = design_of(&facts, "socket", 2, 64, 2, why);
    is_str("nodes", regression_unit_name(d.unit), "by socket: the nodes are told apart");
    is_int(4, (long long)d.columns, "one dummy for two of them");
    d = design_of(&facts, "node", 2, 64, 2, why);
    is_int(2, (long long)d.columns, "by node: none");
    facts = shape(3, 1, 16);
    d = design_of(&facts, "core", 2, 48, 2, why);
    is_int(6, (long long)d.columns, "three nodes of one socket: two dummies");
    is_str("nodes", regression_unit_name(d.unit), "for the nodes");
    facts = shape(4, 2, 8);
    d = design_of(&facts, "core", 2, 64, 2, why);
    is_int(16, (long long)d.columns, "four nodes of two sockets: seven dummies");
    facts = shape(5, 2, 8);
    d = design_of(&facts, "core", 2, 80, 2, why);
    is_int(10, (long long)d.columns, "five: the sockets are too many, four dummies for the nodes");
    facts = shape(64, 1, 1);
    d = design_of(&facts, "core", 2, 64, 2, why);
    is_int(2, (long long)d.columns, "64 nodes are too many to tell apart");
    has_str("too many nodes", why, "which is said");
    facts = shape(2, 0, 0);
    facts.nodes = 1;
    struct cell cell = { .mapping = "core", .nodes = 2, .ppn = 4, .procs = 6 };
    const struct cell *cells[] = { &cell };
    unsigned pattern[1];
    facts.nodes = 2;
    regression_design_make(&d, &facts, linear, cells, 1, pattern, why, sizeof why);
    is_str("nodes", regression_unit_name(d.unit), "sockets that are not known: nodes");
}

static void too_few(void)
{
    char why[REASON_SIZE];
    const struct facts facts = shape(2, 2, 16);
    struct regression_design d = design_of(&facts, "core", 2, 18, 2, why);
    is_int(2, (long long)d.columns, "one process count on the second socket: no dummy");
    has_str("1 of 1 dummies", why, "which is said");
    d = design_of(&facts, "core", 2, 20, 2, why);
    is_int(3, (long long)d.columns, "two: a level");
    d = design_of(&facts, "core", 2, 22, 2, why);
    is_int(4, (long long)d.columns, "three: a slope, too");
    is_str("", why, "and nothing was left out");
    d = design_of(&facts, "core", 18, 32, 2, why);
    is_int(2, (long long)d.columns, "a dummy that is always 1 says nothing");

    struct points points = { .n = 0 };
    struct point_groups groups;
    for (int p = 2; p <= 4; p += 2)
        over_add(&points, &facts, linear, "core", p, 8, 1e-6 * p);
    struct regressions none = fit(&points, &facts, &groups, SPLIT_IN_SAMPLE);
    struct regression_prediction prediction;
    is_str("too_few_points", fit_status_words[none.fit[0].r.status],
           "two points are no regression");
    is_int(-1, regression_predict(&none, &none.fit[0], &points.row[0].point.cell, &prediction),
           "and predict nothing");
    ok(!regressions_usable(&none), "so that there is no such model");
    regressions_clear(&none);
    point_groups_clear(&groups);
    points_clear(&points);
}

static void extrapolating(void)
{
    const struct facts facts = shape(2, 2, 16);
    struct points points = { .n = 0 };
    struct point_groups groups;
    struct regression_prediction p;
    plant(&points, &facts, NULL, 0);
    struct regressions d = fit(&points, &facts, &groups, SPLIT_EXTRAPOLATED);
    const struct regression_fit *f = regressions_find(&d, REGRESSION_LS, &points.row[0].point.cell,
                                                      &points.row[0].point.candidate);
    is_int(32, f->procs_high, "fitted up to half of the largest P");
    is_int(4, (long long)f->design.columns, "with the dummy of the second socket alone");
    struct cell cell = packed(&facts, "core", 30, 8);
    regression_predict(&d, f, &cell, &p);
    ok(!p.extrapolated, "between the fitted P a prediction is one");
    cell = packed(&facts, "core", 40, 8);
    regression_predict(&d, f, &cell, &p);
    ok(p.extrapolated, "beyond, it is an extrapolation");
    is_near(1e-6 * (3 + 4 + 0.7 * 40), p.seconds, 1e-9, "of the last line");
    cell = packed(&facts, "core", 30, 8);
    cell.nodes = 2; /* spread */
    cell.ppn = 15;
    regression_predict(&d, f, &cell, &p);
    ok(p.extrapolated, "so it is on a socket that was never used");
    cell.bytes = 9;
    ok(!regressions_find(&d, REGRESSION_LS, &cell, &points.row[0].point.candidate),
       "another size has no fit");
    regressions_clear(&d);
    point_groups_clear(&groups);
    points_clear(&points);
}

/* Up to two in eight points of each socket, wherever they stand, take 10 to 2000 times as long. */
static void outliers(void)
{
    const struct facts facts = shape(2, 2, 16);
    struct points points = { .n = 0 };
    struct rng rng;
    double worst[N_REGRESSION_METHODS] = { 0 };
    rng_init(&rng, 11);
    for (int t = 0; t < 50; t++) {
        struct point_groups groups;
        plant(&points, &facts, &rng, 2e-7);
        for (size_t stretch = 0; stretch < 4; stretch++)
            for (size_t k = 0; k < 2; k++) { /* of the eight on each socket; may be the same one */
                const size_t i = 8 * stretch + (size_t)(rng_unit(&rng) * 8);
                points.row[i].time.value *= 10 + 1990 * rng_unit(&rng);
            }
        struct regressions d = fit(&points, &facts, &groups, SPLIT_IN_SAMPLE);
        for (size_t m = 0; m < d.n; m++)
            for (int p = 2; p <= 64; p += 2) {
                struct regression_prediction q;
                const struct cell cell = packed(&facts, "core", p, 8);
                regression_predict(&d, &d.fit[m], &cell, &q);
                worst[m] = fmax(worst[m], fabs(q.seconds / planted_s(p) - 1));
            }
        regressions_clear(&d);
        point_groups_clear(&groups);
    }
    ok(worst[REGRESSION_MM] < 0.5, "mm stays within 50 %% of the planted line: %.2g",
       worst[REGRESSION_MM]);
    ok(worst[REGRESSION_LS] > 10, "least squares is ruined: %.3g", worst[REGRESSION_LS]);
    ok(worst[REGRESSION_HUBER] > 2 * worst[REGRESSION_MM], "huber is in between: %.3g",
       worst[REGRESSION_HUBER]);
    points_clear(&points);
}

/* Sum of a column over a file, and its rows. */
static double sum_column(const char *dir, const char *file, const char *column, int *rows)
{
    char path[512];
    const char *columns[] = { column, NULL };
    double sum = 0, v;
    snprintf(path, sizeof path, "%s/fit/%s", dir, file);
    struct csv *csv = csv_open(path, columns, NULL);
    for (*rows = 0; csv && csv_next(csv, NULL) == 1; ++*rows)
        if (csv_f64(csv, csv_column(csv, column), &v, NULL) == 0 && isfinite(v))
            sum += v;
    csv_close(csv);
    return sum;
}

static void files(const char *dir)
{
    const struct facts facts = shape(2, 2, 16);
    struct points points = { .n = 0 };
    struct point_groups groups;
    struct rng rng;
    struct err err = { .text = "" };
    int rows;
    rng_init(&rng, 3);
    plant(&points, &facts, &rng, 1e-6);
    points.row[5].time.value *= 100;
    struct regressions d = fit(&points, &facts, &groups, SPLIT_IN_SAMPLE);
    is_int(0, regressions_write(dir, &d, &groups, &err), "written: %s", err.text);
    double coefs = 0;
    for (size_t m = 0; m < d.n; m++)
        for (size_t k = 0; k < 8; k++)
            coefs += d.fit[m].r.coef[k];
    is_near(coefs, sum_column(dir, "regression_terms.csv", "coefficient_s", &rows), 1e-7,
            "every coefficient is in regression_terms.csv");
    is_int(24, rows, "a row each");
    is_near(96, sum_column(dir, "regression.csv", "n", &rows), 0,
            "regression.csv: a row per estimator");
    sum_column(dir, "regression_residuals.csv", "huber_s", &rows);
    is_int(32, rows, "regression_residuals.csv: a row per point");
    ok(d.fit[REGRESSION_HUBER].weight[5] < 0.05 && d.fit[REGRESSION_MM].weight[5] < 1e-6,
       "an outlier has next to no weight: %.2g, %.2g", d.fit[REGRESSION_HUBER].weight[5],
       d.fit[REGRESSION_MM].weight[5]);
    regressions_clear(&d);
    point_groups_clear(&groups);
    points_clear(&points);
}

int main(void)
{
    char dir[256];
    if (!dir_make(dir, sizeof dir))
        return tap_skip_all("no temporary directory");
    exact();
    coverage();
    growing();
    covered();
    log2_of_trees();
    shapes();
    too_few();
    extrapolating();
    outliers();
    files(dir);
    dir_remove(dir);
    return tap_done();
}
