/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/models/predictions.h"

#include "analysis/measure/result_file.h"
#include "harness/base/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/parallel.h"

/* clang-format off */
static const struct schema_column columns[] = {
    COLUMN(predicted, CODED, "model", model, "", "as `collsel predict --help` lists them; `simulated`: of a study that is compared with a simulation, the twin's time", .code = &model_code),
    POINT_COLUMNS(predicted, point),
    COLUMN(predicted, REAL, "predicted_s", prediction.seconds, "s", "what the model says; empty: nothing"),
    COLUMN(predicted, REAL, "measured_s", measured_s, "s", "what was measured; empty: nothing", COLUMN_SECONDS),
    COLUMN(predicted, NAME, "predicted_algorithm", prediction.algorithm, "", "what the schedule resolves to where the library substitutes; the prediction is of that, with its own parameters"),
    COLUMN(predicted, WORD, "status", prediction.status, "", "`extrapolated`: there is a time, beyond what the parameters were fitted to; but for `ok`, the others have no `predicted_s`: `no_schedule` (a library's default of which we do not know what it decides), `no_gamma`, `no_fit` (no parameters, or no simulated time, of what runs with this segment and fan-out), `no_formula`, `not_positive`", .words = predict_status_words),
};
/* clang-format on */

static int check(void *row, struct err *err)
{
    const struct predicted *r = row;
    const struct prediction *p = &r->prediction;
    if (prediction_usable(p) && !(p->seconds > 0))
        return err_set(err, "predicted_s: %g is no time (want seconds above 0 where status is %s)",
                       p->seconds, predict_status_words[p->status]);
    if (!prediction_usable(p) && !isnan(p->seconds))
        return err_set(err, "predicted_s: %g is there (want nothing where status is %s)",
                       p->seconds, predict_status_words[p->status]);
    return point_check(&r->point, err);
}

const struct schema predictions_schema = {
    .path = "predictions.csv",
    .meaning = "One row per model and timed point, held out or not.",
    SCHEMA_COLUMNS(predicted, columns),
    .check = check,
    .backend = 1,
};

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
                                    .measured_s = measured_usable(m) ? m->time.value : NAN };
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
    const size_t had = p->n;
    if (!array_more(&p->row, &p->n, points->n))
        return err_set(err, "out of memory");
    p->n = had; /* the room is there */
    ask(model, points, parameters, p);
    return 0;
}

int predictions_make(const struct points *points, const struct parameters *p,
                     struct predictions *out, struct err *err)
{
    *out = (struct predictions){ .n = 0 };
    for (size_t k = 0; models[k]; k++) {
        if ((!models[k]->applies || models[k]->applies(p)) &&
            predictions_add(out, models[k], points, p, err) < 0) {
            predictions_clear(out);
            return -1;
        }
    }
    return 0;
}

int predictions_write(const char *dir, const struct predictions *p, struct err *err)
{
    return result_write(dir, &predictions_schema, p->row, p->n, err);
}

static int by_key(const void *a, const void *b)
{
    const struct predicted *const *x = a, *const *y = b;
    const int c = strcmp((*x)->model->name, (*y)->model->name);
    return c ? c : strcmp((*x)->point.id, (*y)->point.id);
}

/* A model says one thing of a point. */
static int check_unique(const struct predictions *p, struct err *err)
{
    const struct predicted **sorted = memory_zeros(p->n + 1, sizeof *sorted);
    int status = 0;
    for (size_t i = 0; i < p->n; i++)
        sorted[i] = &p->row[i];
    if (sorted)
        qsort(sorted, p->n, sizeof *sorted, by_key);
    for (size_t i = 1; status == 0 && i < p->n; i++)
        if (by_key(&sorted[i - 1], &sorted[i]) == 0)
            status = err_set(err, "point %s is there twice of the model %s", sorted[i]->point.id,
                             sorted[i]->model->name);
    free(sorted);
    return status;
}

int predictions_read(const char *dir, struct predictions *p, struct err *err)
{
    *p = (struct predictions){ .n = 0 };
    p->row = schema_read(&predictions_schema, dir, &p->n, err);
    if (!p->row)
        return -1;
    if (check_unique(p, err) == 0)
        return 0;
    predictions_clear(p);
    return err_prefix(err, "%s/%s", dir, predictions_schema.path);
}

void predictions_clear(struct predictions *p)
{
    free(p->row);
    *p = (struct predictions){ .n = 0 };
}
