/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/models/gamma/gamma_fit.h"

#include "analysis/measure/result_file.h"
#include "analysis/models/parameters.h"
#include "workloads/schedules/collectives.h"

enum { LEAST_FOR_LINE = 3 };

static const double SLACK = 0.05;
static const char below_one[] = "below_one", not_rising[] = "not_rising";

static const char *const direction_words[N_GAMMA_DIRECTIONS + 1] = {
    [GAMMA_SEND] = "send",
    [GAMMA_RECEIVE] = "receive",
    [GAMMA_REDUCE] = "reduce",
};

/* "send", "receive", "reduce". */
/* -1: none. */
static int direction_of(const char *collective)
{
    static const enum gamma_direction of_fan[N_FANS] = {
        [FAN_SEND] = GAMMA_SEND, [FAN_RECEIVE] = GAMMA_RECEIVE, [FAN_REDUCE] = GAMMA_REDUCE
    };
    const struct collective *c = collective_find(collective);
    return c && c->fan != FAN_NONE ? (int)of_fan[c->fan] : -1;
}

static struct gamma_model *model_of(struct gamma_models *models, const char *mpi,
                                    const char *mapping, enum gamma_direction direction)
{
    struct gamma_model *m =
        (struct gamma_model *)gamma_models_find(models, mpi, mapping, direction);
    if (m)
        return m;
    m = array_add(&models->model, &models->n);
    *m = (struct gamma_model){ .direction = direction,
                               .status = FIT_TOO_FEW,
                               .intercept_stderr = NAN,
                               .slope_stderr = NAN,
                               .r2 = NAN };
    m->gamma.intercept = m->gamma.slope = NAN;
    snprintf(m->mpi, sizeof m->mpi, "%s", mpi);
    snprintf(m->mapping, sizeof m->mapping, "%s", mapping);
    return m;
}

static struct gamma_point *add_point(struct gamma_model *m, int procs)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->point[i].procs == procs)
            return &m->point[i];
    struct gamma_point *p = array_add(&m->point, &m->n);
    *p = (struct gamma_point){ .procs = procs,
                               .value = NAN,
                               .stderr_of = NAN,
                               .linear = NAN,
                               .alone_s = NAN,
                               .time_s = NAN,
                               .barrier_s = NAN,
                               .subtracted = NAN,
                               .with_barrier = NAN };
    return p;
}

/* Same ranks on the same nodes. */
static int same_place(const struct cell *a, const struct cell *b)
{
    return a->procs == b->procs && a->nodes == b->nodes && a->ppn == b->ppn && a->root == b->root &&
           strcmp(a->mpi, b->mpi) == 0 && strcmp(a->mapping, b->mapping) == 0;
}

static int is_barrier(const struct measured *m, const struct point *loop)
{
    (void)loop;
    return m->point.experiment == EXP_BARRIER;
}

static int is_alone(const struct measured *m, const struct point *loop)
{
    return m->point.experiment == EXP_TIME && m->point.cell.bytes == loop->cell.bytes &&
           strcmp(m->point.cell.collective, loop->cell.collective) == 0 &&
           candidate_equal(&m->point.candidate, &loop->candidate);
}

int gamma_is_experiment(const struct points *points, const struct measured *m)
{
    return m->point.experiment == EXP_TIME && points_has(points, EXP_GAMMA, &m->point);
}

/* What belongs to a gamma experiment: measured at the same place. NULL where there is none. */
static const struct measured *sibling(const struct points *points, const struct point *loop,
                                      int (*is)(const struct measured *, const struct point *))
{
    for (size_t i = 0; i < points->n; i++) {
        const struct measured *m = &points->row[i];
        if (is(m, loop) && measured_usable(m) && same_place(&m->point.cell, &loop->cell))
            return m;
    }
    return NULL;
}

static double mean_of(const struct measured *m)
{
    return m && measured_usable(m) ? m->time.value : NAN;
}

/* Keeps in stderr_of, until the ratio is known, the standard error of the time that counts. */
static void take_point(struct gamma_models *models, const struct points *points,
                       enum statistic statistic, const struct measured *m)
{
    const struct cell *c = &m->point.cell;
    const int direction = direction_of(c->collective);
    if (direction < 0)
        return;
    struct gamma_point *p =
        add_point(model_of(models, c->mpi, c->mapping, (enum gamma_direction)direction), c->procs);
    if (*p->status)
        return; /* the first placement that was measured stands for the platform */
    const struct measured *barrier = sibling(points, &m->point, is_barrier);
    const struct measured *alone = sibling(points, &m->point, is_alone);
    p->time_s = mean_of(m);
    p->barrier_s = mean_of(barrier);
    p->alone_s = mean_of(alone);
    snprintf(p->status, sizeof p->status, "%s", alone ? "ok" : "from_loop");
    if (alone)
        p->stderr_of = measured_stderr(alone, statistic);
    else if (p->time_s > p->barrier_s)
        p->stderr_of = hypot(measured_stderr(m, statistic), measured_stderr(barrier, statistic));
    else
        snprintf(p->status, sizeof p->status, "missing");
}

static int by_procs(const void *a, const void *b)
{
    const struct gamma_point *x = a, *y = b;
    return ascending(x->procs, y->procs);
}

/* The time that counts: synchronised where every point has it, else the loop's for all, since a
 * ratio of the two kinds would mean nothing. */
static double net_time(const struct gamma_point *p, int loop)
{
    return loop ? p->time_s - p->barrier_s : p->alone_s;
}

/* gamma = t / t2; relative variances add (t2 is shared by all, and certain for itself). */
static void make_ratios(struct gamma_model *m)
{
    const struct gamma_point *two = m->n && m->point[0].procs == 2 ? &m->point[0] : NULL;
    const int loop = m->n == 0 || isnan(m->point[0].alone_s);
    const double t2 = two ? net_time(two, loop) : NAN, e2 = two ? two->stderr_of / t2 : NAN;
    const double net2 = two ? net_time(two, 1) : NAN, raw2 = two ? two->time_s : NAN;
    for (size_t i = 0; i < m->n; i++) {
        struct gamma_point *p = &m->point[i];
        const double t = net_time(p, loop), e = p->stderr_of / t;
        p->value = t > 0 && t2 > 0 ? t / t2 : NAN;
        p->subtracted = net_time(p, 1) / net2;
        p->with_barrier = p->time_s / raw2;
        p->stderr_of = p->procs == 2 ? (isnan(e2) ? NAN : 0) : p->value * hypot(e, e2);
        if (isnan(p->value))
            snprintf(p->status, sizeof p->status, "missing");
    }
}

/* What P - 1 messages take against one is not below 1, but for noise. */
static int is_below_one(const struct gamma_point *p)
{
    const double error = isfinite(p->stderr_of) ? 2 * p->stderr_of : 0;
    return p->value + error < 1 - SLACK;
}

/* Says of each value whether it can be. */
static void judge_values(struct gamma_model *m)
{
    double most = 0; /* that an earlier one has at least */
    for (size_t i = 0; i < m->n; i++) {
        struct gamma_point *p = &m->point[i];
        const double error = isfinite(p->stderr_of) ? 2 * p->stderr_of : 0;
        if (!isfinite(p->value))
            continue;
        if (is_below_one(p))
            snprintf(p->status, sizeof p->status, "%s", below_one);
        else if (p->value + error < most * (1 - SLACK))
            snprintf(p->status, sizeof p->status, "%s", not_rising);
        most = fmax(most, p->value - error);
    }
}

static int is_implausible(const struct gamma_model *m)
{
    return any_below(i, m->n,
                     strcmp(m->point[i].status, below_one) == 0 ||
                         strcmp(m->point[i].status, not_rising) == 0);
}

/* The line through the usable values, by least squares. */
static void fit_line(struct gamma_model *m)
{
    double *x = memory_zeros(3 * m->n + 1, sizeof *x), *y = x + 2 * m->n;
    struct regression r;
    size_t n = 0;
    for (size_t i = 0; i < m->n; i++) {
        if (!isfinite(m->point[i].value))
            continue;
        x[2 * n] = 1;
        x[2 * n + 1] = m->point[i].procs;
        y[n++] = m->point[i].value;
    }
    m->n_linear = n;
    m->status = FIT_TOO_FEW;
    if (n >= LEAST_FOR_LINE && regress_least_squares(x, y, NULL, n, 2, 0.95, &r) == 0) {
        m->gamma.intercept = r.coef[0];
        m->gamma.slope = r.coef[1];
        m->intercept_stderr = r.stderr_of[0];
        m->slope_stderr = r.stderr_of[1];
        m->r2 = r.r2;
        m->status = FIT_OK;
    }
    for (size_t i = 0; i < m->n; i++)
        m->point[i].linear = m->gamma.intercept + m->gamma.slope * m->point[i].procs;
    free(x);
}

/* The usable points as a struct gamma. Without a line the last value is held beyond it. */
static void make_gamma(struct gamma_model *m)
{
    m->gamma.procs = memory_zeros(m->n + 1, sizeof *m->gamma.procs);
    m->gamma.value = memory_zeros(m->n + 1, sizeof *m->gamma.value);
    for (size_t i = 0; i < m->n; i++) {
        if (!isfinite(m->point[i].value))
            continue;
        m->gamma.procs[m->gamma.n] = m->point[i].procs;
        m->gamma.value[m->gamma.n++] = m->point[i].value;
    }
    m->implausible = is_implausible(m);
    if (isnan(m->gamma.slope)) {
        m->gamma.intercept = 1;
        m->gamma.slope = 0;
    }
}

void gamma_fit(const struct points *points, enum statistic statistic, struct gamma_models *models)
{
    *models = (struct gamma_models){ .n = 0 };
    for (size_t i = 0; i < points->n; i++)
        if (points->row[i].point.experiment == EXP_GAMMA)
            take_point(models, points, statistic, &points->row[i]);
    for (size_t i = 0; i < models->n; i++) {
        struct gamma_model *m = &models->model[i];
        qsort(m->point, m->n, sizeof *m->point, by_procs);
        make_ratios(m);
        judge_values(m);
        fit_line(m);
        make_gamma(m);
    }
}

const struct gamma_model *gamma_models_find(const struct gamma_models *models, const char *mpi,
                                            const char *mapping, enum gamma_direction direction)
{
    for (size_t i = 0; i < models->n; i++) {
        const struct gamma_model *m = &models->model[i];
        if (m->direction == direction && strcmp(m->mpi, mpi) == 0 &&
            strcmp(m->mapping, mapping) == 0)
            return m;
    }
    return NULL;
}

int gamma_model_usable(const struct gamma_model *model)
{
    return model && !model->implausible && (model->gamma.n >= 2 || model->status == FIT_OK);
}

int gamma_for(const struct gamma_models *models, const char *mpi, const char *mapping,
              const char *collective, struct gamma *gamma)
{
    const struct gamma_model *sends = gamma_models_find(models, mpi, mapping, GAMMA_SEND);
    const int direction = direction_of(collective);
    if (!gamma_model_usable(sends))
        return 0;
    *gamma = sends->gamma;
    if (direction == GAMMA_RECEIVE || direction == GAMMA_REDUCE) {
        const struct gamma_model *in =
            gamma_models_find(models, mpi, mapping, (enum gamma_direction)direction);
        if (in && in->implausible)
            return 0;
        gamma->receives = gamma_model_usable(in) ? &in->gamma : NULL;
    }
    return 1;
}

/* clang-format off */
/* Older files, in which all gammas are of sends, have no direction. */
static const struct schema_column point_list[] = {
    COLUMN(gamma_row, WORD, "direction", direction, "", "of what: sends (broadcast), receives (gather), receives that are combined", .words = direction_words, .optional = 1),
    PLATFORM_COLUMNS(gamma_row, mpi, mapping),
    COLUMN(gamma_row, INT, "procs", point.procs, "", "P, the root included"),
    COLUMN(gamma_row, REAL, "gamma", point.value, "", "T(P) / T(2)"),
    COLUMN(gamma_row, REAL, "stderr", point.stderr_of, "", "its standard error, from how much the times differ between launches; empty with one launch, as in a simulation"),
    COLUMN(gamma_row, REAL, "linear_gamma", point.linear, "", "of the line in fit/gamma_linear.csv"),
    COLUMN(gamma_row, REAL, "gamma_subtracted", point.subtracted, "", "the paper's estimate: of the loop, the barrier's time taken off"),
    COLUMN(gamma_row, REAL, "gamma_with_barrier", point.with_barrier, "", "of the loop, the barrier included"),
    COLUMN(gamma_row, REAL, "alone_s", point.alone_s, "s", "T(P), of one call alone"),
    COLUMN(gamma_row, REAL, "time_s", point.time_s, "s", "of a call and a barrier, in the loop"),
    COLUMN(gamma_row, REAL, "barrier_s", point.barrier_s, "s", "of a barrier"),
    COLUMN(gamma_row, NAME, "status", point.status, "", "`ok`; `from_loop`: gamma is gamma_subtracted; `missing`: nothing to use; `below_one`, `not_rising`: a value that cannot be"),
};

static const struct schema_column line_list[] = {
    COLUMN(gamma_line, WORD, "direction", direction, "", "as in fit/gamma.csv", .words = direction_words, .optional = 1),
    PLATFORM_COLUMNS(gamma_line, mpi, mapping),
    COLUMN(gamma_line, REAL, "intercept", intercept, "", "gamma(P) = intercept + slope P"),
    COLUMN(gamma_line, REAL, "slope", slope, "", "per rank"),
    COLUMN(gamma_line, REAL, "intercept_stderr", intercept_stderr, "", "standard error"),
    COLUMN(gamma_line, REAL, "slope_stderr", slope_stderr, "", "standard error"),
    COLUMN(gamma_line, REAL, "r2", r2, "", "share of the variance that is explained"),
    COLUMN(gamma_line, COUNT, "n", n, "", "points"),
    COLUMN(gamma_line, WORD, "status", status, "", "what came of the fit", .words = fit_status_words),
};
/* clang-format on */

SCHEMA(gamma_schema, gamma_row, point_list, "fit/gamma.csv",
       "One row per library, mapping, direction and number of ranks: what P - 1 messages take "
       "against one (`analysis/models/gamma/gamma_fit.h`).",
       .backend = 1);

SCHEMA(gamma_line_schema, gamma_line, line_list, "fit/gamma_linear.csv",
       "One row per library, mapping and direction: the line through its gammas.", .backend = 1);

static void write_points(struct csvw *w, const void *user, size_t k)
{
    const struct gamma_model *m = &((const struct gamma_models *)user)->model[k];
    struct gamma_row r = { .direction = m->direction };
    memcpy(r.mpi, m->mpi, sizeof r.mpi);
    memcpy(r.mapping, m->mapping, sizeof r.mapping);
    for (size_t i = 0; i < m->n; i++) {
        r.point = m->point[i];
        schema_row(w, &gamma_schema, &r);
    }
}

static void write_line(struct csvw *w, const void *user, size_t k)
{
    const struct gamma_model *m = &((const struct gamma_models *)user)->model[k];
    const int fitted = m->status == FIT_OK;
    struct gamma_line r = { .direction = m->direction,
                            .intercept = fitted ? m->gamma.intercept : NAN,
                            .slope = fitted ? m->gamma.slope : NAN,
                            .intercept_stderr = m->intercept_stderr,
                            .slope_stderr = m->slope_stderr,
                            .r2 = m->r2,
                            .n = m->n_linear,
                            .status = m->status };
    memcpy(r.mpi, m->mpi, sizeof r.mpi);
    memcpy(r.mapping, m->mapping, sizeof r.mapping);
    schema_row(w, &gamma_line_schema, &r);
}

int gamma_models_write(const char *dir, const char *backend, const struct gamma_models *models,
                       struct err *err)
{
    if (result_write_each(dir, &gamma_schema, backend, models->n, write_points, models, err) < 0)
        return -1;
    return result_write_each(dir, &gamma_line_schema, backend, models->n, write_line, models, err);
}

void gamma_models_clear(struct gamma_models *models)
{
    for (size_t i = 0; i < models->n; i++) {
        gamma_clear(&models->model[i].gamma);
        free(models->model[i].point);
    }
    free(models->model);
    *models = (struct gamma_models){ .n = 0 };
}

static int fit(const struct fit_from *from, const struct parameters *p, void *value,
               struct err *err)
{
    (void)p;
    (void)err;
    gamma_fit(from->points, from->facts->statistic, value);
    return 0;
}

PARAMETER_SET_FILES(gamma_models_write, gamma_models_clear)

const struct parameter_set gamma_set = {
    .name = "gamma",
    .size = sizeof(struct gamma_models),
    .fit = fit,
    .write = write_set,
    .clear = clear_set,
};
