/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/measure/samples.h"

#include "harness/study/valid_samples.h"

const char *const point_status_words[N_POINT_STATUS + 1] = {
    [POINT_OK] = "ok",           [POINT_SUBSTITUTED] = "substituted", [POINT_SKIPPED] = "skipped",
    [POINT_FAILED] = "failed",   [POINT_TIMEOUT] = "timeout",         [POINT_INVALID] = "invalid",
    [POINT_MISSING] = "missing",
};

int point_status_parse(const char *name, enum point_status *status, struct err *err)
{
    for (int i = 0; i < N_POINT_STATUS; i++) {
        if (strcmp(point_status_words[i], name) == 0) {
            *status = (enum point_status)i;
            return 0;
        }
    }
    return err_set(
        err, "'%s' is not a status (want ok, substituted, skipped, failed, timeout or invalid)",
        name);
}

int point_status_succeeded(enum point_status status)
{
    return status == POINT_OK || status == POINT_SUBSTITUTED;
}

static int counts(const struct outcome *o, int *yes, struct err *err)
{
    enum point_status status = POINT_MISSING;
    if (point_status_parse(o->status, &status, err) < 0)
        return err_prefix(err, "outcome of point '%s'", o->point);
    *yes = point_status_succeeded(status) || status == POINT_INVALID;
    return 0;
}

/* Appends the samples of one launch that count. 0, or -1 with *err. */
static int append(struct sample_series *series, const struct store *store, const struct outcome *o,
                  int root, struct err *err)
{
    const double before = series->n ? series->mean_rank * (double)series->n : 0;
    double *value = NULL;
    struct valid_samples of;
    const long n = valid_samples_of(store, o, root, &value, &of, err);
    if (n <= 0)
        return free(value), n < 0 ? -1 : 0;
    memcpy(series->value + series->n, value, (size_t)n * sizeof *value);
    free(value);
    series->n += (size_t)n;
    series->valid += of.valid;
    series->disturbed += of.disturbed;
    series->mean_rank = (before + of.mean_rank_s) / (double)series->n;
    series->repeat[series->launches] = o->repeat;
    series->launch_end[series->launches++] = series->n;
    return 0;
}

int series_collect(const struct store *store, const struct point *point,
                   struct sample_series *series, struct err *err)
{
    size_t launches, rows = 0;
    const struct outcome *o = store_all(store, point->id, &launches);
    *series = (struct sample_series){ .mean_rank = NAN };
    for (size_t k = 0; k < launches; k++)
        rows += o[k].n_rows; /* of a finished point that many are there */
    series->value = memory_zeros(rows + 1, sizeof *series->value);
    series->launch_end = memory_zeros(launches + 1, sizeof *series->launch_end);
    series->repeat = memory_zeros(launches + 1, sizeof *series->repeat);
    for (size_t k = 0; k < launches; k++) {
        int yes = 0;
        if (counts(&o[k], &yes, err) < 0 ||
            (yes && append(series, store, &o[k], experiment_on_root(point->experiment), err) < 0)) {
            series_clear(series);
            return -1;
        }
    }
    return 0;
}

struct sample_set series_set(const struct sample_series *series)
{
    return (struct sample_set){ .value = series->value,
                                .n = series->n,
                                .launch_end = series->launch_end,
                                .launches = series->launches };
}

int series_times(const struct store *store, const struct point *point, enum statistic statistic,
                 double at[MOST_REPEATS + 1], struct err *err)
{
    struct sample_series series;
    for (int r = 0; r <= MOST_REPEATS; r++)
        at[r] = NAN;
    if (series_collect(store, point, &series, err) < 0)
        return -1;
    for (size_t l = 0, begin = 0; l < series.launches; begin = series.launch_end[l++])
        if (series.repeat[l] <= MOST_REPEATS)
            at[series.repeat[l]] =
                robust_centre(statistic, series.value + begin, series.launch_end[l] - begin);
    series_clear(&series);
    return 0;
}

CLEARS(series_clear, sample_series, it->value, it->launch_end, it->repeat)
