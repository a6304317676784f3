/* SPDX-License-Identifier: BSD-3-Clause */
/* samples.h - what was measured, as the files samples/ of a study tell it (docs/formats.md).
 *
 * Reads samples and outcomes files, streaming; keeps 8 bytes per valid sample. A point counts as
 * finished in a file exactly when its outcome's n_rows equals the number of its sample rows there;
 * rows of unfinished points, of points nobody asked for, and warm-ups are passed over. Where a
 * launch holds a point in several attempts, the first that succeeded counts. Malformed files are
 * errors that name file and line; a last line cut short is not malformed. Owns all it returns. */
#ifndef ANALYSIS_SAMPLES_H
#define ANALYSIS_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/stats.h"
#include "harness/base/err.h"
#include "harness/plan.h"
#include "harness/point.h"

enum point_status {
    POINT_OK,
    POINT_SUBSTITUTED, /* the library ran something else than was asked */
    POINT_SKIPPED,
    POINT_FAILED,
    POINT_TIMEOUT,
    POINT_INVALID, /* measured, but proved to be something else than it says */
    POINT_MISSING, /* no finished outcome yet; only in points.csv */
    N_POINT_STATUS
};

/* "ok", "substituted", "skipped", "failed", "timeout", "invalid", "missing" and back. */
const char *point_status_name(enum point_status status);
int point_status_parse(const char *name, enum point_status *status, struct err *err);

struct outcome {
    enum point_status status;
    char reason[REASON_SIZE];
    char verified[NAME_SIZE];
    char ran_algorithm[NAME_SIZE]; /* "": not known, as the next two where they are -1 */
    int64_t ran_segment_bytes, ran_fanout;
    uint64_t n_rows;
    int converged; /* STAT_NA: not applicable */
    int checked;
    double elapsed_s, core_s;
};

/* One launch's share of a point. */
struct part {
    size_t launch; /* index into launches */
    size_t end;    /* its values end here */
    int drift;     /* the launch's sentinel moved; STAT_NA: too few sentinels */
    struct outcome outcome;
};

/* All valid samples of one point, launch after launch: max over ranks for EXP_TIME, else the
 * root's. */
struct series {
    double *value;
    size_t n, cap;
    struct part *parts;
    size_t n_parts;
};

struct samples {
    struct series *series; /* one per point asked for, in that order */
    size_t n;
    char **launches;
    size_t n_launches;
    uint64_t files, rows; /* read */
    uint64_t unfinished;  /* rows of points without a matching outcome */
    uint64_t foreign;     /* rows of points nobody asked for */
};

/* Reads all of DIR/samples of these points (ids must differ). digest, when not NULL or "", admits
 * only files of that manifest. No such directory is no error: nothing was measured. */
int samples_read(const char *dir, const char *digest, const struct point *points, size_t n,
                 struct samples *samples, struct err *err);

/* The samples of one point as a set for stats.h; *launch_end must hold series->n_parts. */
struct sample_set series_set(const struct series *series, size_t *launch_end);

/* Frees what it holds. */
void samples_clear(struct samples *samples);

#endif
