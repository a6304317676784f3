/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/models/predictions.h"

#include "analysis/measure/equivalent.h"
#include "analysis/measure/result_file.h"

#include "harness/base/parallel.h"

/* clang-format off */
static const struct schema_column columns[] = {
    COLUMN(predicted, CODED, "model", model, "", "as `collsel ask predict --help` lists them; `simulated`: of a study that is compared with a simulation, the twin's time", .code = &model_code),
    POINT_COLUMNS(predicted, point),
    COLUMN(predicted, REAL, "predicted_s", prediction.seconds, "s", "what the model says; empty: nothing"),
    COLUMN(predicted, REAL, "measured_s", measured_s, "s", "what was measured; empty: nothing", COLUMN_SECONDS),
    COLUMN(predicted, NAME, "predicted_algorithm", prediction.algorithm, "", "what the schedule resolves to where the library substitutes; the prediction is of that, with its own parameters"),
    COLUMN(predicted, WORD, "status", prediction.status, "", "`extrapolated`: there is a time, beyond what the parameters were fitted to; `poor_fit`: there is one, by an α and β whose r² is below 0.75; but for `ok`, the others have no `predicted_s`: `no_schedule` (a library's default of which we do not know what it decides), `no_gamma`, `no_fit` (no parameters, or no simulated time, of what runs with this segment and fan-out), `no_formula`, `not_positive`, `too_many` (more messages than this model walks, or rounds of all ranks together: 16,777,216)", .words = predict_status_words),
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

SCHEMA(predictions_schema, predicted, columns, "predictions.csv",
       "One row per model and timed point, held out or not.", .check = check, .backend = 1);

/* Rows that are filled in by one thread in one go: at least so many, and all of a schedule. */
enum { LOT = 32 };

/* Rows that models are to fill in, by model, then in the points' order. */
struct asking {
    const struct model *model[MAX_MODELS];
    size_t n_models;
    const struct parameters *p;
    struct model_said *row;          /* of the first model; those of the next stand n farther on */
    size_t n;                        /* of each model */
    const struct model_said **order; /* of the first model: those of one schedule side by side */
    size_t *first, n_first; /* where each lot of them begins in `order`; the last is its end */
};

/* The longest walks first, so that no processor has such a one left at the end. */
static int by_schedule(const void *a, const void *b)
{
    const struct point *x = &(*(const struct model_said *const *)a)->of->point;
    const struct point *y = &(*(const struct model_said *const *)b)->of->point;
    return equivalent_order(&x->cell, &x->candidate, &y->cell, &y->candidate);
}

static void ask_lot(size_t i, void *user)
{
    const struct asking *a = user;
    struct model_walks walks = { .any = 0 };
    for (size_t k = a->first[i]; k < a->first[i + 1]; k++)
        for (size_t m = 0; m < a->n_models; m++) {
            struct model_said *r = a->row + (size_t)(a->order[k] - a->row) + m * a->n;
            const struct point *point = &r->of->point;
            r->prediction =
                model_predict_next(a->model[m], a->p, &point->cell, &point->candidate, &walks);
        }
    model_walks_clear(&walks);
}

static void begin_rows(const struct points *points, struct asking *a)
{
    for (size_t m = 0; m < a->n_models; m++) {
        struct model_said *row = a->row + m * a->n;
        for (size_t i = 0; i < points->n; i++)
            if (points->row[i].point.experiment == EXP_TIME)
                *row++ = (struct model_said){ .model = a->model[m], .of = &points->row[i] };
    }
}

/* Fills the rows in. */
static void ask(struct asking *a)
{
    a->order = memory_zeros(a->n + 1, sizeof *a->order);
    a->first = memory_zeros(a->n + 1, sizeof *a->first);
    for (size_t i = 0; i < a->n; i++)
        a->order[i] = &a->row[i];
    qsort(a->order, a->n, sizeof *a->order, by_schedule);
    for (size_t i = 0; i < a->n; i++)
        if (i == 0 || (i - a->first[a->n_first - 1] >= LOT &&
                       by_schedule(&a->order[i - 1], &a->order[i]) != 0))
            a->first[a->n_first++] = i;
    a->first[a->n_first] = a->n;
    parallel_for(a->n_first, ask_lot, a);
    memory_free(a->order, a->first);
}

void predictions_make(const struct points *points, const struct parameters *p,
                      struct predictions *out)
{
    struct asking a = { .p = p };
    *out = (struct predictions){ .n = 0 };
    for (size_t k = 0; models[k]; k++)
        if (!models[k]->applies || models[k]->applies(p))
            a.model[a.n_models++] = models[k];
    for (size_t i = 0; i < points->n; i++)
        a.n += points->row[i].point.experiment == EXP_TIME;
    if (a.n == 0 || a.n_models == 0)
        return;
    a.row = array_more(&out->row, &out->n, a.n * a.n_models);
    begin_rows(points, &a);
    ask(&a);
}

static void make_row(size_t i, void *row, const void *user)
{
    const struct predictions *p = user;
    const struct model_said *said = &p->row[i];
    *(struct predicted *)row =
        (struct predicted){ .model = said->model,
                            .point = said->of->point,
                            .measured_s = measured_usable(said->of) ? said->of->time.value : NAN,
                            .prediction = said->prediction };
}

int predictions_write(const char *dir, const char *backend, const struct predictions *p,
                      struct err *err)
{
    return result_write_made(dir, &predictions_schema, backend, p->n, make_row, p, err);
}

static int by_key(const void *a, const void *b)
{
    const struct model_said *const *x = a, *const *y = b;
    if ((*x)->of != (*y)->of)
        return (*x)->of > (*y)->of ? 1 : -1;
    return strcmp((*x)->model->name, (*y)->model->name);
}

/* A model says one thing of a point. */
static int check_unique(const struct predictions *p, const char *dir, struct err *err)
{
    const struct model_said **sorted = memory_zeros(p->n + 1, sizeof *sorted);
    int status = 0;
    for (size_t i = 0; i < p->n; i++)
        sorted[i] = &p->row[i];
    qsort(sorted, p->n, sizeof *sorted, by_key);
    for (size_t i = 1; status == 0 && i < p->n; i++)
        if (by_key(&sorted[i - 1], &sorted[i]) == 0) {
            const struct model_said *later = sorted[i] > sorted[i - 1] ? sorted[i] : sorted[i - 1];
            err_set(err, "point %s is there twice of the model %s (want one row)",
                    later->of->point.id, later->model->name);
            status = schema_fail_at(&predictions_schema, dir, (size_t)(later - p->row), err);
        }
    free(sorted);
    return status;
}

static int compare_id(const void *id, const void *at)
{
    return strcmp(id, (*(const struct measured *const *)at)->point.id);
}

static int by_id(const void *a, const void *b)
{
    return compare_id((*(const struct measured *const *)a)->point.id, b);
}

/* Reads all rows; sorted: the n points, by id. */
static int read_rows(struct schema_reader *r, const struct measured *const *sorted, size_t n,
                     struct predictions *p, struct err *err)
{
    struct predicted row;
    int got;
    while ((got = schema_next(r, &row, err)) == 1) {
        const struct measured *const *of =
            bsearch(row.point.id, sorted, n, sizeof *sorted, compare_id);
        if (!of) {
            err_set(err, "point %s is not in points.csv (want one that is: run `collsel fit`)",
                    row.point.id);
            return schema_fail(r, err);
        }
        *array_add(&p->row, &p->n) =
            (struct model_said){ .model = row.model, .of = *of, .prediction = row.prediction };
    }
    return got;
}

int predictions_read(const char *dir, const struct points *points, struct predictions *p,
                     struct err *err)
{
    char path[PATH_SIZE];
    struct schema_reader r;
    *p = (struct predictions){ .n = 0 };
    if (fs_path(path, sizeof path, err, "%s/%s", dir, predictions_schema.path) < 0 ||
        schema_open(&r, &predictions_schema, path, err) < 0)
        return -1;
    const struct measured **sorted = memory_zeros(points->n + 1, sizeof *sorted);
    for (size_t i = 0; i < points->n; i++)
        sorted[i] = &points->row[i];
    qsort(sorted, points->n, sizeof *sorted, by_id);
    int status = read_rows(&r, sorted, points->n, p, err);
    free(sorted);
    schema_close(&r);
    if (status == 0)
        status = check_unique(p, dir, err);
    if (status < 0)
        predictions_clear(p);
    return status;
}

CLEARS(predictions_clear, predictions, it->row)
