/* SPDX-License-Identifier: BSD-3-Clause */
/* gamma from its experiments: planted values come back, errors are as stated, gaps have a status.
 */
#include "analysis/models/gamma/gamma_fit.h"

#include "tests/analysis/dir.h"
#include "tests/analysis/planted.h"
#include "tests/tap.h"

/* Rows of the i-th number of processes. */
#define LOOP(i)    (3 * (i))
#define BARRIER(i) (3 * (i) + 1)
#define ALONE(i)   (3 * (i) + 2)

static void exact(void)
{
    struct planted p = planted_new(2e-5, 1e-9, 0, 1, 1);
    struct points points = { .n = 0 };
    struct gamma_models models;
    planted_gamma_points(&points, &p);
    gamma_fit(&points, STATISTIC_MEDIAN, &models);
    is_int(1, (long long)models.n, "one library and mapping, one model");
    const struct gamma_model *m = gamma_models_find(&models, "smpi", "node", GAMMA_SEND);
    is_int(11, (long long)m->gamma.n, "all values are usable");
    double worst = 0;
    for (size_t i = 0; i < m->n; i++)
        worst = fmax(worst, fabs(m->point[i].value / p.gamma.value[i] - 1));
    ok(worst < 1e-12, "planted values come back exactly without noise: %.2g", worst);
    is_near(1, m->point[0].value, 0, "gamma(2) is 1");
    is_near(0.76, m->gamma.intercept, 1e-10, "the line's intercept");
    is_near(0.12, m->gamma.slope, 1e-10, "the line's slope");
    is_near(1, m->r2, 1e-12, "a line fits a line");
    ok(m->point[1].with_barrier != m->point[1].value && m->point[1].with_barrier > 1,
       "the value with the barrier is kept beside: %.3f", m->point[1].with_barrier);
    ok(isnan(m->point[1].stderr_of), "a simulation has no standard error");
    is_near(1 + 0.12 * 10, gamma_value(&m->gamma, 12), 1e-12, "between values it interpolates");
    gamma_models_clear(&models);
    points_clear(&points);
}

/* How often the planted gamma(5) lies within 1.96 stated standard errors, where calls of a launch
 * are alike and launches differ. */
static void errors(void)
{
    int inside = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        struct planted p = planted_new(2e-5, 1e-9, 0.01, 200, seed);
        p.between = 0.05;
        p.launches = 20;
        struct points points = { .n = 0 };
        struct gamma_models models;
        planted_gamma_points(&points, &p);
        gamma_fit(&points, STATISTIC_MEDIAN, &models);
        const struct gamma_point *five = &models.model[0].point[3];
        inside += fabs(five->value - 1.36) < 1.96 * five->stderr_of;
        gamma_models_clear(&models);
        points_clear(&points);
    }
    ok(inside > 360 && inside < 396, "stated errors hold gamma 95 times in 100: %.3f",
       inside / 400.);
}

/* One launch does not tell how much launches differ. */
static void one_launch(void)
{
    struct planted p = planted_new(2e-5, 1e-9, 0.05, 30, 1);
    struct points points = { .n = 0 };
    struct gamma_models models;
    planted_gamma_points(&points, &p);
    gamma_fit(&points, STATISTIC_MEDIAN, &models);
    ok(isnan(models.model[0].point[3].stderr_of), "one launch gives no standard error");
    gamma_models_clear(&models);
    points_clear(&points);
}

static void gaps(void)
{
    struct planted p = planted_new(2e-5, 1e-9, 0, 1, 1);
    struct points points = { .n = 0 };
    struct gamma_models models;
    gamma_fit(&points, STATISTIC_MEDIAN, &models);
    is_int(0, (long long)models.n, "and no model");
    ok(!gamma_model_usable(gamma_models_find(&models, "smpi", "node", GAMMA_SEND)),
       "nor is it usable");
    planted_gamma_points(&points, &p);
    points.row[LOOP(1)].status = POINT_FAILED;     /* gamma(3): the loop */
    points.row[BARRIER(2)].status = POINT_TIMEOUT; /* gamma(4): the barrier */
    points.row[ALONE(3)].status = POINT_FAILED;    /* gamma(5): the broadcast alone */
    gamma_fit(&points, STATISTIC_MEDIAN, &models);
    const struct gamma_model *m = &models.model[0];
    is_near(1.12, m->point[1].value, 1e-12, "the loop is not needed");
    ok(isnan(m->point[1].subtracted) && isnan(m->point[2].subtracted),
       "but the paper's estimate is, for itself");
    ok(isnan(m->point[3].value), "a synchronised time among loops is not replaced by one");
    is_str("missing", m->point[3].status, "it is missing");
    is_int(10, (long long)m->gamma.n, "the other values are used");
    gamma_models_clear(&models);
    for (size_t i = 0; i < 11; i++)
        points.row[ALONE(i)].status = POINT_FAILED;
    points.row[BARRIER(4)].time.value = 1; /* of gamma(6): outlasts everything */
    gamma_fit(&points, STATISTIC_MEDIAN, &models);
    m = &models.model[0];
    is_str("from_loop", m->point[5].status, "without synchronised times the loops serve");
    is_near(1.6, m->point[5].value, 1e-12, "with the same value");
    is_str("missing", m->point[4].status, "less time than the barrier alone is missing");
    ok(isnan(m->point[4].value), "and no number");
    gamma_models_clear(&models);
    points.row[LOOP(0)].status = POINT_FAILED; /* gamma(2): the unit of all */
    gamma_fit(&points, STATISTIC_MEDIAN, &models);
    ok(!gamma_model_usable(&models.model[0]), "without gamma(2) there is no gamma");
    is_str("too_few_points", fit_status_words[models.model[0].status], "and no line");
    gamma_models_clear(&models);
    points_clear(&points);
}

/* A fan-in of k - 1 ranks: r(k - 1) transfers, and, of a reduction, k - 1 times 4 us. */
static void fan_ins(void)
{
    const double one = 2e-5 + 8192e-9, combine = 4e-6;
    struct planted p = planted_new(2e-5, 1e-9, 0, 1, 1);
    struct points points = { .n = 0 };
    struct gamma_models models;
    struct gamma gamma;
    planted_gamma_points(&points, &p);
    planted_overlap(&p);
    gamma_fit(&points, STATISTIC_MEDIAN, &models);
    is_int(1, gamma_for(&models, "smpi", "node", "reduce", &gamma), "without fan-ins");
    is_near(5, gamma_receives(&gamma, 5), 0, "receives are one after the other");
    gamma_models_clear(&models);
    planted_fan_in_points(&points, &p, combine);
    gamma_fit(&points, STATISTIC_MEDIAN, &models);
    is_int(3, (long long)models.n, "three directions, three models");
    const struct gamma_model *sends = gamma_models_find(&models, "smpi", "node", GAMMA_SEND);
    const struct gamma_model *in = gamma_models_find(&models, "smpi", "node", GAMMA_RECEIVE);
    is_near(1.36, gamma_value(&sends->gamma, 5), 1e-12, "gamma of sends is that of broadcasts");
    is_near(1 + 0.2 * 3, gamma_value(&in->gamma, 5), 1e-12, "of receives that of gathers");
    is_near(0.2, in->gamma.slope, 1e-10, "with a line of its own");
    is_int(1, gamma_for(&models, "smpi", "node", "reduce", &gamma), "what reductions take:");
    is_near(1.36, gamma_value(&gamma, 5), 1e-12, "sends as before,");
    is_near((1.6 * one + 4 * combine) / (one + combine), gamma_receives(&gamma, 4), 1e-12,
            "four receives with what combining them takes");
    is_int(1, gamma_for(&models, "smpi", "node", "gather", &gamma), "what gathers take:");
    is_near(1.6, gamma_receives(&gamma, 4), 1e-12, "four receives, nothing combined");
    is_int(1, gamma_for(&models, "smpi", "node", "bcast", &gamma), "what broadcasts take:");
    is_near(4, gamma_receives(&gamma, 4), 0, "receives one after the other, as the paper has it");
    int rests = 0;
    for (size_t i = 0; i < points.n; i++)
        rests += gamma_is_experiment(&points, &points.row[i]);
    is_int(33, rests, "gammas rest on the synchronised ones of each");
    gamma_models_clear(&models);
    points_clear(&points);
}

static void files(const char *dir)
{
    struct planted p = planted_new(2e-5, 1e-9, 0.02, 20, 4);
    p.launches = 4;
    struct points points = { .n = 0 };
    struct gamma_models models;
    struct err err = { .text = "" };
    size_t n = 0;
    planted_gamma_points(&points, &p);
    gamma_fit(&points, STATISTIC_MEDIAN, &models);
    is_int(0, gamma_models_write(dir, "unknown", &models, &err), "written: %s", err.text);
    struct gamma_row *row = schema_read(&gamma_schema, dir, &n, &err);
    const struct gamma_model *a = &models.model[0];
    double worst = n < a->n ? NAN : 0;
    for (size_t i = 0; i < a->n && i < n; i++)
        worst = fmax(worst, fabs(row[i].point.value / a->point[i].value - 1));
    ok(worst < 1e-7, "every measured gamma is in the file: %.2g", worst);
    is_near(a->point[4].stderr_of, n > 4 ? row[4].point.stderr_of : NAN, 1e-7,
            "so are standard errors");
    free(row);
    gamma_models_clear(&models);
    points_clear(&points);
}

/* gamma(k) of planted broadcasts with that among `procs` processes made `factor` times as long. */
static void cannot_be(int procs, double factor, const char *status)
{
    struct planted p = planted_new(2e-5, 1e-9, 0, 1, 1);
    struct points points = { .n = 0 };
    struct gamma_models models;
    struct gamma gamma;
    planted_gamma_points(&points, &p);
    for (size_t i = 0; i < points.n; i++)
        if (gamma_is_experiment(&points, &points.row[i]) && points.row[i].point.cell.procs == procs)
            points.row[i].time.value *= factor;
    gamma_fit(&points, STATISTIC_MEDIAN, &models);
    const struct gamma_model *m = &models.model[0];
    for (size_t i = 0; i < m->n; i++)
        if (m->point[i].procs == procs)
            is_str(status, m->point[i].status, "gamma(%d) times %g", procs, factor);
    const int fine = strcmp(status, "ok") == 0;
    is_int(fine, gamma_model_usable(m), "  the model is %sused", fine ? "" : "not ");
    is_int(fine, gamma_for(&models, "smpi", "node", "bcast", &gamma), "  nor given to others");
    gamma_models_clear(&models);
    points_clear(&points);
}

int main(void)
{
    char dir[256];
    if (!dir_make(dir, sizeof dir))
        return tap_skip_all("no temporary directory");
    exact();
    errors();
    one_launch();
    gaps();
    fan_ins();
    cannot_be(3, 0.97, "ok");
    cannot_be(3, 0.5, "below_one");
    cannot_be(7, 0.8, "not_rising");
    files(dir);
    dir_remove(dir);
    return tap_done();
}
