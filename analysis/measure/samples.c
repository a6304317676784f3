/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/measure/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Appends the samples of one launch. */
static void append(struct sample_series *series, const struct sample *s, size_t n, int root)
{
    size_t before = series->n;
    double sum = before ? series->mean_rank * (double)before : 0;
    for (size_t i = 0; i < n; i++) {
        if (!s[i].valid || s[i].warmup)
            continue;
        series->value[series->n++] = root ? s[i].root_s : s[i].max_s;
        sum += s[i].mean_s;
    }
    series->mean_rank = series->n ? sum / (double)series->n : NAN;
    if (series->n > before)
        series->launch_end[series->launches++] = series->n;
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
    if (!series->value || !series->launch_end) {
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
        if (yes)
            append(series, s, n, experiment_on_root(point->experiment));
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

void series_clear(struct sample_series *series)
{
    free(series->value);
    free(series->launch_end);
    *series = (struct sample_series){ .n = 0 };
}
