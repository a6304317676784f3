/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/models/gamma/gamma_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measure/result_file.h"
#include "harness/base/csv.h"
#include "harness/base/fs.h"

enum { LEAST_FOR_LINE = 3 };

static const double SLACK = 0.05;
static const char below_one[] = "below_one", not_rising[] = "not_rising";

static const char *const gamma_columns[] = { "direction",
                                             "mpi",
                                             "mapping",
                                             "procs",
                                             "gamma",
                                             "stderr",
                                             "linear_gamma",
                                             "gamma_subtracted",
                                             "gamma_with_barrier",
                                             "alone_s",
                                             "time_s",
                                             "barrier_s",
                                             "status",
                                             NULL };
static const char *const linear_columns[] = { "direction",    "mpi",   "mapping",
                                              "intercept",    "slope", "intercept_stderr",
                                              "slope_stderr", "r2",    "n",
                                              "status",       NULL };

/* The collective that is timed, as a linear one. */
static const struct {
    const char *name, *collective;
} directions[N_GAMMA_DIRECTIONS] = {
    [GAMMA_SEND] = { "send", "bcast" },
    [GAMMA_RECEIVE] = { "receive", "gather" },
    [GAMMA_REDUCE] = { "reduce", "reduce" },
};

const char *gamma_direction_name(enum gamma_direction direction)
{
    return directions[direction].name;
}

/* -1: none. */
static int direction_of(const char *collective)
{
    for (int i = 0; i < N_GAMMA_DIRECTIONS; i++)
        if (strcmp(directions[i].collective, collective) == 0)
            return i;
    return -1;
}

static struct gamma_model *model_of(struct gamma_models *models, const char *mpi,
                                    const char *mapping, enum gamma_direction direction)
{
    struct gamma_model *m =
        (struct gamma_model *)gamma_models_find(models, mpi, mapping, direction);
    if (m)
        return m;
    m = realloc(models->model, (models->n + 1) * sizeof *m);
    if (!m)
        return NULL;
    models->model = m;
    m = &m[models->n++];
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
    struct gamma_point *p = realloc(m->point, (m->n + 1) * sizeof *p);
    if (!p)
        return NULL;
    m->point = p;
    p = &p[m->n++];
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
    for (size_t i = 0; i < points->n; i++) {
        const struct point *loop = &points->row[i].point;
        if (loop->experiment == EXP_GAMMA && is_alone(m, loop) &&
            same_place(&m->point.cell, &loop->cell))
            return 1;
    }
    return 0;
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

/* Variance of the mean; NaN where it was not repeated. */
static double mean_variance(const struct measured *m)
{
    return m->time.stddev * m->time.stddev / (double)m->time.n;
}

static double mean_of(const struct measured *m)
{
    return m && measured_usable(m) ? m->time.mean : NAN;
}

/* Keeps in stderr_of, until the ratio is known, the standard error of the time that counts. */
static int take_point(struct gamma_models *models, const struct points *points,
                      const struct measured *m)
{
    const struct cell *c = &m->point.cell;
    const int direction = direction_of(c->collective);
    if (direction < 0)
        return 0;
    struct gamma_model *model =
        model_of(models, c->mpi, c->mapping, (enum gamma_direction)direction);
    struct gamma_point *p = model ? add_point(model, c->procs) : NULL;
    if (!p)
        return -1;
    if (*p->status)
        return 0; /* the first placement that was measured stands for the platform */
    const struct measured *barrier = sibling(points, &m->point, is_barrier);
    const struct measured *alone = sibling(points, &m->point, is_alone);
    p->time_s = mean_of(m);
    p->barrier_s = mean_of(barrier);
    p->alone_s = mean_of(alone);
    snprintf(p->status, sizeof p->status, "%s", alone ? "ok" : "from_loop");
    if (alone)
        p->stderr_of = sqrt(mean_variance(alone));
    else if (p->time_s > p->barrier_s)
        p->stderr_of = sqrt(mean_variance(m) + mean_variance(barrier));
    else
        snprintf(p->status, sizeof p->status, "missing");
    return 0;
}

static int by_procs(const void *a, const void *b)
{
    const struct gamma_point *x = a, *y = b;
    return (x->procs > y->procs) - (x->procs < y->procs);
}

/* The time that counts: synchronised where every point has it, else the loop's for all, since a
 * ratio of the two kinds would mean nothing. */
static double net_time(const struct gamma_point *p, int loop)
{
    return loop ? p->time_s - p->barrier_s : p->alone_s;
}

static int needs_loop(const struct gamma_model *m)
{
    return m->n == 0 || isnan(m->point[0].alone_s);
}

/* gamma = t / t2; relative variances add (t2 is shared by all, and certain for itself). */
static void make_ratios(struct gamma_model *m)
{
    const struct gamma_point *two = m->n && m->point[0].procs == 2 ? &m->point[0] : NULL;
    const int loop = needs_loop(m);
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

/* Says of each value whether it can be. */
static void judge_values(struct gamma_model *m)
{
    double most = 0; /* that an earlier one has at least */
    for (size_t i = 0; i < m->n; i++) {
        struct gamma_point *p = &m->point[i];
        const double error = isfinite(p->stderr_of) ? 2 * p->stderr_of : 0;
        if (!isfinite(p->value))
            continue;
        if (p->value + error < 1 - SLACK)
            snprintf(p->status, sizeof p->status, "%s", below_one);
        else if (p->value + error < most * (1 - SLACK))
            snprintf(p->status, sizeof p->status, "%s", not_rising);
        most = fmax(most, p->value - error);
    }
}

static int is_implausible(const struct gamma_model *m)
{
    for (size_t i = 0; i < m->n; i++)
        if (strcmp(m->point[i].status, below_one) == 0 ||
            strcmp(m->point[i].status, not_rising) == 0)
            return 1;
    return 0;
}

/* The line through the usable values, by least squares. */
static int fit_line(struct gamma_model *m)
{
    double *x = malloc((3 * m->n + 1) * sizeof *x);
    struct regression r;
    size_t n = 0;
    if (!x)
        return -1;
    double *y = x + 2 * m->n;
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
    return 0;
}

/* The usable points as a struct gamma. Without a line the last value is held beyond it. */
static int make_gamma(struct gamma_model *m)
{
    m->gamma.procs = malloc((m->n + 1) * sizeof *m->gamma.procs);
    m->gamma.value = malloc((m->n + 1) * sizeof *m->gamma.value);
    if (!m->gamma.procs || !m->gamma.value)
        return -1;
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
    return 0;
}

int gamma_fit(const struct points *points, struct gamma_models *models, struct err *err)
{
    int failed = 0;
    *models = (struct gamma_models){ .n = 0 };
    for (size_t i = 0; i < points->n && !failed; i++)
        if (points->row[i].point.experiment == EXP_GAMMA)
            failed = take_point(models, points, &points->row[i]) < 0;
    for (size_t i = 0; i < models->n && !failed; i++) {
        struct gamma_model *m = &models->model[i];
        qsort(m->point, m->n, sizeof *m->point, by_procs);
        make_ratios(m);
        judge_values(m);
        failed = fit_line(m) < 0 || make_gamma(m) < 0;
    }
    if (!failed)
        return 0;
    gamma_models_clear(models);
    return err_set(err, "out of memory");
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

/* ---- files ---- */

static void write_points(struct csvw *w, const struct gamma_model *m)
{
    for (size_t i = 0; i < m->n; i++) {
        const struct gamma_point *p = &m->point[i];
        csvw_text(w, directions[m->direction].name);
        csvw_text(w, m->mpi);
        csvw_text(w, m->mapping);
        csvw_i64(w, p->procs);
        csvw_f64(w, p->value);
        csvw_f64(w, p->stderr_of);
        csvw_f64(w, p->linear);
        csvw_f64(w, p->subtracted);
        csvw_f64(w, p->with_barrier);
        csvw_f64(w, p->alone_s);
        csvw_f64(w, p->time_s);
        csvw_f64(w, p->barrier_s);
        csvw_text(w, p->status);
        csvw_end(w);
    }
}

static void write_line(struct csvw *w, const struct gamma_model *m)
{
    int fitted = m->status == FIT_OK;
    csvw_text(w, directions[m->direction].name);
    csvw_text(w, m->mpi);
    csvw_text(w, m->mapping);
    csvw_f64(w, fitted ? m->gamma.intercept : NAN);
    csvw_f64(w, fitted ? m->gamma.slope : NAN);
    csvw_f64(w, m->intercept_stderr);
    csvw_f64(w, m->slope_stderr);
    csvw_f64(w, m->r2);
    csvw_u64(w, m->n_linear);
    csvw_text(w, fit_status_name(m->status));
    csvw_end(w);
}

static int write_file(const char *dir, const char *name, const char *const *columns,
                      void (*write)(struct csvw *, const struct gamma_model *),
                      const struct gamma_models *models, struct err *err)
{
    struct whole_file f;
    struct csvw w;
    if (result_begin(dir, name, columns, &f, &w, err) < 0)
        return -1;
    for (size_t i = 0; i < models->n; i++)
        write(&w, &models->model[i]);
    return fs_commit(&f, err);
}

int gamma_models_write(const char *dir, const struct gamma_models *models, struct err *err)
{
    if (write_file(dir, "fit/gamma.csv", gamma_columns, write_points, models, err) < 0)
        return -1;
    return write_file(dir, "fit/gamma_linear.csv", linear_columns, write_line, models, err);
}

/* The model of the current row. Older files, in which all gammas are of sends, have no such column.
 */
static struct gamma_model *read_model(const struct csv *csv, struct gamma_models *models,
                                      struct err *err)
{
    const int column = csv_column(csv, "direction");
    const char *name = column < 0 ? directions[GAMMA_SEND].name : csv_text(csv, column);
    for (int i = 0; i < N_GAMMA_DIRECTIONS; i++) {
        if (strcmp(directions[i].name, name) != 0)
            continue;
        struct gamma_model *m =
            model_of(models, csv_text(csv, csv_column(csv, "mpi")),
                     csv_text(csv, csv_column(csv, "mapping")), (enum gamma_direction)i);
        if (!m)
            csv_fail(csv, err, "out of memory");
        return m;
    }
    csv_fail(csv, err, "direction: '%s' is not known (want send, receive or reduce)", name);
    return NULL;
}

static int read_point(const struct csv *csv, struct gamma_models *models, struct err *err)
{
    int procs;
    if (csv_int(csv, csv_column(csv, "procs"), &procs, err) < 0)
        return -1;
    struct gamma_model *m = read_model(csv, models, err);
    if (!m)
        return -1;
    struct gamma_point *p = add_point(m, procs);
    if (!p)
        return csv_fail(csv, err, "out of memory");
    if (*p->status || (m->n > 1 && m->point[m->n - 2].procs >= procs))
        return csv_fail(csv, err, "procs: %d does not ascend", procs);
    if (csv_f64(csv, csv_column(csv, "gamma"), &p->value, err) < 0 ||
        csv_f64(csv, csv_column(csv, "stderr"), &p->stderr_of, err) < 0 ||
        csv_f64(csv, csv_column(csv, "linear_gamma"), &p->linear, err) < 0 ||
        csv_f64(csv, csv_column(csv, "gamma_subtracted"), &p->subtracted, err) < 0 ||
        csv_f64(csv, csv_column(csv, "alone_s"), &p->alone_s, err) < 0 ||
        csv_f64(csv, csv_column(csv, "time_s"), &p->time_s, err) < 0 ||
        csv_f64(csv, csv_column(csv, "barrier_s"), &p->barrier_s, err) < 0 ||
        csv_f64(csv, csv_column(csv, "gamma_with_barrier"), &p->with_barrier, err) < 0 ||
        csv_copy(csv, csv_column(csv, "status"), p->status, sizeof p->status, err) < 0)
        return -1;
    return *p->status ? 0 : csv_fail(csv, err, "status: is missing");
}

static int read_line(const struct csv *csv, struct gamma_models *models, struct err *err)
{
    uint64_t n;
    struct gamma_model *m = read_model(csv, models, err);
    if (!m)
        return -1;
    if (csv_f64(csv, csv_column(csv, "intercept"), &m->gamma.intercept, err) < 0 ||
        csv_f64(csv, csv_column(csv, "slope"), &m->gamma.slope, err) < 0 ||
        csv_f64(csv, csv_column(csv, "intercept_stderr"), &m->intercept_stderr, err) < 0 ||
        csv_f64(csv, csv_column(csv, "slope_stderr"), &m->slope_stderr, err) < 0 ||
        csv_f64(csv, csv_column(csv, "r2"), &m->r2, err) < 0 ||
        csv_u64(csv, csv_column(csv, "n"), &n, err) < 0)
        return -1;
    m->n_linear = n;
    const char *status = csv_text(csv, csv_column(csv, "status"));
    if (fit_status_parse(status, &m->status) < 0)
        return csv_fail(csv, err, "status: '%s' is not the status of a fit", status);
    return 0;
}

static int read_file(const char *dir, const char *name, const char *const *columns,
                     int (*read)(const struct csv *, struct gamma_models *, struct err *),
                     struct gamma_models *models, struct err *err)
{
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, err, "%s/fit/%s", dir, name) < 0)
        return -1;
    struct csv *csv = csv_open(path, columns + 1, err); /* all but the direction */
    int got = -1;
    while (csv && (got = csv_next(csv, err)) == 1) {
        if (read(csv, models, err) < 0) {
            got = -1;
            break;
        }
    }
    if (csv)
        got = csv_end(csv, got, err);
    csv_close(csv);
    return got;
}

int gamma_models_read(const char *dir, struct gamma_models *models, struct err *err)
{
    *models = (struct gamma_models){ .n = 0 };
    int result = read_file(dir, "gamma.csv", gamma_columns, read_point, models, err);
    if (result == 0)
        result = read_file(dir, "gamma_linear.csv", linear_columns, read_line, models, err);
    for (size_t i = 0; i < models->n && result == 0; i++)
        if (make_gamma(&models->model[i]) < 0)
            result = err_set(err, "out of memory");
    if (result < 0)
        gamma_models_clear(models);
    return result;
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
