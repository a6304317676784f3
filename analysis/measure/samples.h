/* SPDX-License-Identifier: BSD-3-Clause */
/* samples.h - the valid samples of each point, from the store of what was measured
 * (harness/study/store.h).
 *
 * What counts: valid, not a warm-up nor a slow beginning (harness/base/robust.h), of a
 * finished point that succeeded or was found invalid. Launch after launch, so that launches can be
 * a factor. Owns its arrays. */
#pragma once

#include "analysis/measure/stats.h"
#include "harness/study/store.h"

enum point_status {
    POINT_OK,
    POINT_SUBSTITUTED, /* the library ran another algorithm than requested */
    POINT_SKIPPED,
    POINT_FAILED,
    POINT_TIMEOUT,
    POINT_INVALID, /* measured, but proved to be another algorithm than labelled */
    POINT_MISSING, /* no finished outcome yet; only in points.csv */
    N_POINT_STATUS
};

/* "ok", "substituted", "skipped", "failed", "timeout", "invalid", "missing" and back. */
extern const char *const point_status_words[]; /* ended by NULL */
int point_status_parse(const char *name, enum point_status *status, struct err *err);

/* 1 for ok and substituted: there is a time of a known algorithm. */
int point_status_succeeded(enum point_status status);

/* All valid samples of one point: what experiment_on_root says. */
struct sample_series {
    double *value;
    size_t n;
    size_t *launch_end; /* launches without samples are left out */
    int *repeat;        /* of each launch, from 1 */
    size_t launches;
    size_t valid, disturbed; /* valid calls without warm-ups; disturbed ones among them */
    double mean_rank;        /* mean of the samples' means over ranks; NaN without samples */
};

/* Collects the samples of a point. Returns 0, or -1 with *err. A point without samples gives an
 * empty series. */
int series_collect(const struct store *store, const struct point *point,
                   struct sample_series *series, struct err *err);

/* The series as a set for stats.h; borrows. */
struct sample_set series_set(const struct sample_series *series);

/* Sets at[r] to the time of the point's launch in repeat r, by the statistic; NaN where there is
 * none. 0, or -1 with *err. */
int series_times(const struct store *store, const struct point *point, enum statistic statistic,
                 double at[MOST_REPEATS + 1], struct err *err);

void series_clear(struct sample_series *series);
