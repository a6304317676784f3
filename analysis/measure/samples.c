/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/measure/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/steady.h"

const char *const point_status_words[N_POINT_STATUS + 1] = {
    [POINT_OK] = "ok",           [POINT_SUBSTITUTED] = "substituted", [POINT_SKIPPED] = "skipped",
    [POINT_FAILED] = "failed",   [POINT_TIMEOUT] = "timeout",         [POINT_INVALID] = "invalid",
    [POINT_MISSING] = "missing",
};

const char *point_status_name(enum point_status status)
{
    return point_status_words[status];
}

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

/* Appends the samples of one launch that stand for its steady state (steady.h). 0, or -1 when out
 * of memory. */
static int append(struct sample_series *series, const struct sample *s, size_t n, int repeat,
                  int root)
{
    const size_t before = series->n;
    double *x = malloc((4 * n + 1) * sizeof *x), *mean = x ? x + n : NULL;
    char *keep = malloc(n + 1);
    double sum = before ? series->mean_rank * (double)before : 0;
    size_t valid = 0;
    for (size_t i = 0; x && keep && i < n; i++) {
        if (!s[i].valid || s[i].warmup)
            continue;
        mean[valid] = s[i].mean_s;
        x[valid++] = root ? s[i].root_s : s[i].max_s;
    }
    if (x && keep)
        steady_keep(x, NULL, valid, x + 2 * n, keep);
    for (size_t i = 0; i < valid; i++) {
        if (!keep[i])
            continue;
        series->value[series->n++] = x[i];
        sum += mean[i];
    }
    const int status = x && keep ? 0 : -1;
    free(x);
    free(keep);
    series->mean_rank = series->n ? sum / (double)series->n : NAN;
    if (series->n > before) {
        series->repeat[series->launches] = repeat;
        series->launch_end[series->launches++] = series->n;
    }
    return status;
}

int series_collect(const struct store *store, const struct point *point,
                   struct sample_series *series, struct err *err)
{
    size_t launches, rows = 0, n;
    const struct outcome *o = store_all(store, point->id, &launches);
    *series = (struct sample_series){ .mean_rank = NAN };
    for (size_t k = 0; k < launches; k++) {
        store_samples(store, &o[k], &n);
        rows += n;
    }
    series->value = malloc((rows + 1) * sizeof *series->value);
    series->launch_end = malloc((launches + 1) * sizeof *series->launch_end);
    series->repeat = malloc((launches + 1) * sizeof *series->repeat);
    if (!series->value || !series->launch_end || !series->repeat) {
        series_clear(series);
        return err_set(err, "out of memory");
    }
    for (size_t k = 0; k < launches; k++) {
        int yes = 0;
        if (counts(&o[k], &yes, err) < 0) {
            series_clear(series);
            return -1;
        }
        const struct sample *s = store_samples(store, &o[k], &n);
        if (yes && append(series, s, n, o[k].repeat, experiment_on_root(point->experiment)) < 0) {
            series_clear(series);
            return err_set(err, "out of memory");
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

void series_clear(struct sample_series *series)
{
    free(series->value);
    free(series->launch_end);
    free(series->repeat);
    *series = (struct sample_series){ .n = 0 };
}
