/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/judge/predict.h"

#include "analysis/measure/result_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/csv.h"
#include "harness/base/fs.h"
#include "harness/base/parallel.h"

static const char *const columns[] = { "predicted_s", "measured_s", "predicted_algorithm", "status",
                                       NULL };

/* Rows that a model is to fill in. */
struct asking {
    const struct model *model;
    const struct parameters *p;
    struct predicted *row;
};

static void ask_one(size_t i, void *user)
{
    const struct asking *a = user;
    struct predicted *r = &a->row[i];
    r->prediction = model_predict(a->model, a->p, &r->point.cell, &r->point.candidate);
}

/* Appends what a model says; there is room. */
static void ask(const struct model *model, const struct points *points, const struct parameters *p,
                struct predictions *out)
{
    struct asking a = { model, p, &out->row[out->n] };
    size_t n = 0;
    for (size_t i = 0; i < points->n; i++) {
        const struct measured *m = &points->row[i];
        if (m->point.experiment == EXP_TIME)
            a.row[n++] =
                (struct predicted){ .model = model,
                                    .point = m->point,
                                    .measured_s = measured_usable(m) ? m->time.mean : NAN };
    }
    out->n += n;
    if (model->walks_alone)
        parallel_for(n, ask_one, &a);
    for (size_t i = 0; i < n && !model->walks_alone; i++)
        ask_one(i, &a);
}

int predictions_add(struct predictions *p, const struct model *model, const struct points *points,
                    const struct parameters *parameters, struct err *err)
{
    struct predicted *row = realloc(p->row, (p->n + points->n + 1) * sizeof *row);
    if (!row)
        return err_set(err, "out of memory");
    p->row = row;
    ask(model, points, parameters, p);
    return 0;
}

int predictions_make(const struct points *points, const struct parameters *p,
                     struct predictions *out, struct err *err)
{
    size_t n_models = 0;
    while (models[n_models])
        n_models++;
    *out = (struct predictions){ .row = malloc((points->n * n_models + 1) * sizeof *out->row) };
    if (!out->row)
        return err_set(err, "out of memory");
    for (size_t k = 0; k < n_models; k++) {
        if (models[k]->applies && !models[k]->applies(p))
            continue;
        ask(models[k], points, p, out);
    }
    return 0;
}

int predictions_write(const char *dir, const struct predictions *p, struct err *err)
{
    enum { MOST = 64 };
    const char *all[MOST] = { "model" };
    struct whole_file f;
    struct csvw w;
    int n = 1;
    for (int i = 0; point_columns[i] && n < MOST - 1; i++)
        all[n++] = point_columns[i];
    for (int i = 0; columns[i] && n < MOST - 1; i++)
        all[n++] = columns[i];
    if (result_begin(dir, "predictions.csv", all, &f, &w, err) < 0)
        return -1;
    for (size_t i = 0; i < p->n; i++) {
        const struct predicted *r = &p->row[i];
        csvw_text(&w, r->model->name);
        point_write(&w, &r->point);
        csvw_f64(&w, r->prediction.seconds);
        csvw_f64(&w, r->measured_s);
        csvw_text(&w, r->prediction.algorithm);
        csvw_text(&w, predict_status_name(r->prediction.status));
        csvw_end(&w);
    }
    return fs_commit(&f, err);
}

static int read_row(const struct csv *csv, struct predicted *r, struct err *err)
{
    const char *model = csv_text(csv, csv_column(csv, "model"));
    const char *status = csv_text(csv, csv_column(csv, "status"));
    r->model = model_find(model);
    if (!r->model)
        return csv_fail(csv, err, "model: '%s' is not known", model);
    if (predict_status_parse(status, &r->prediction.status) < 0)
        return csv_fail(csv, err, "status: '%s' is not the status of a prediction", status);
    if (point_read(csv, &r->point, err) < 0 ||
        csv_f64(csv, csv_column(csv, "predicted_s"), &r->prediction.seconds, err) < 0 ||
        csv_f64(csv, csv_column(csv, "measured_s"), &r->measured_s, err) < 0)
        return -1;
    return csv_copy(csv, csv_column(csv, "predicted_algorithm"), r->prediction.algorithm, NAME_SIZE,
                    err);
}

static int read_all(struct csv *csv, struct predictions *p, struct err *err)
{
    size_t cap = 0;
    int got;
    while ((got = csv_next(csv, err)) == 1) {
        if (p->n == cap) {
            cap = cap ? 2 * cap : 256;
            struct predicted *row = realloc(p->row, cap * sizeof *row);
            if (!row)
                return err_set(err, "%s: out of memory", csv_path(csv));
            p->row = row;
        }
        if (read_row(csv, &p->row[p->n], err) < 0)
            return -1;
        p->n++;
    }
    return csv_end(csv, got, err);
}

int predictions_read(const char *dir, struct predictions *p, struct err *err)
{
    char path[PATH_SIZE];
    *p = (struct predictions){ .n = 0 };
    if (fs_path(path, sizeof path, err, "%s/predictions.csv", dir) < 0)
        return -1;
    static const char *const model[] = { "model", NULL };
    const char *const *const lists[] = { model, point_required, columns };
    struct csv *csv = csv_open(path, model, err);
    if (!csv)
        return -1;
    int result = 0;
    for (size_t l = 0; l < 3 && result == 0; l++)
        result = csv_require(csv, lists[l], err);
    if (result == 0)
        result = read_all(csv, p, err);
    csv_close(csv);
    if (result < 0)
        predictions_clear(p);
    return result;
}

void predictions_clear(struct predictions *p)
{
    free(p->row);
    *p = (struct predictions){ .n = 0 };
}
