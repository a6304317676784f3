/* SPDX-License-Identifier: BSD-3-Clause */
/* points.h - points.csv: every planned point with its result (docs/formats.md).
 *
 * points_build makes it from plan.csv, skipped.csv, samples/, events.jsonl and manifest.json;
 * points_read is the input of every later stage. A point that did not succeed is a row with its
 * status and reason. Owns its rows. */
#pragma once

#include "analysis/measure/bounds.h"
#include "analysis/measure/samples.h"

/* One row. Seconds; NaN where there is no such number; STAT_NA where a verdict does not apply. */
struct measured {
    struct point point;
    struct summary time;  /* of the timed calls; other modules use time.value */
    double mean_rank_s;   /* the mean over ranks, in the mean (what OSU prints); NaN: not known */
    int converged;        /* the interval over launches is as narrow as the study asks */
    char interval[16];    /* its method: none, exact, one_launch, student, order */
    double disturbed;     /* share of calls disturbed by other processes; NaN: not known */
    int drift;            /* 1: times of a launch's sentinel drifted */
    uint64_t late;        /* timed calls dropped as a rank missed their window's start */
    double clock_error_s; /* of windows: the largest of its launches; 0: there are none */
    char statistic[16];   /* max_rank, mean_rank, root */
    char verified[NAME_SIZE];              /* proof that the algorithm ran */
    char ran_algorithm[NAME_SIZE];         /* "": not known */
    int64_t ran_segment_bytes, ran_fanout; /* -1: not known */
    enum point_status status;
    char reason[REASON_SIZE];
    double core_s;    /* wall time x ranks spent on it */
    double bound_s;   /* no call takes less (bounds.h); 0: not known */
    enum doubt doubt; /* why time.value is implausible */
    int taken;        /* 1: it counts all the same (--doubted) */
};

struct points {
    struct measured *row;
    size_t n;
    char cluster[NAME_SIZE], backend[NAME_SIZE];
    size_t *trials;  /* of rows that are no EXP_TIME, by experiment, cell and candidate; */
    size_t n_trials; /* NULL: not sorted yet (points_sort) */
};

extern const struct schema points_schema;

/* Orders of points, for qsort of struct measured *: by cell; by identity. */
int measured_by_cell(const void *a, const void *b);
int measured_by_id(const void *a, const void *b);

/* 1 when the point has a time for the algorithm of its row (ok or substituted) without a
 * doubt about it, or with one where the set is read so. Decisions about the best, rules and
 * training use this test. */
int measured_usable(const struct measured *m);

/* 1 when it has a time that is unusable only because it is doubted. */
int measured_doubted(const struct measured *m);

/* Sets bound_s and doubt of all rows. */
void points_check_bounds(const struct facts *facts, struct points *points);

/* Appends to an error about missing times: the number of doubted points of a collective (NULL:
 * of any) and the option that includes them. Appends nothing without such points. Returns -1. */
int points_add_doubted(const struct points *points, const char *collective, struct err *err);

/* Standard error of the point's time, s, from the spread between its launches. The statistic is
 * that of the study: with STATISTIC_MEAN the time is their mean, else their median. The median has
 * a larger error: by the factor for this number of normal values. NaN with one launch: the spread
 * between launches is unknown then. */
double measured_stderr(const struct measured *m, enum statistic statistic);

/* Builds the rows of the study in DIR, in the plan's order, one per point. *store: the store that
 * they are of, open, the caller's from then on; NULL: not wanted. */
int points_build(const char *dir, const struct facts *facts, struct store *store,
                 struct points *points, struct err *err);

/* Writes DIR/points.csv whole. */
int points_write(const char *dir, const struct facts *facts, const struct points *points,
                 struct err *err);

/* Reads DIR/points.csv: the rows of plain cells (harness/study/point.h), which are what models and
 * selectors know; or all. doubted: 1: doubted times count (measured_usable). */
int points_read(const char *dir, int doubted, struct points *points, struct err *err);
int points_read_all(const char *dir, int doubted, struct points *points, struct err *err);

/* Doubted times of the set count from now on, or do not. */
void points_take_doubted(struct points *points, int taken);

/* Drops the rows of cells that are not plain. */
void points_keep_plain(struct points *points);

/* Builds the index of points_has, after all rows are added. Without it each call scans all rows. */
void points_sort(struct points *points);

/* 1 when an experiment that is no EXP_TIME has a row of this very cell and candidate. */
int points_has(const struct points *points, enum experiment experiment, const struct point *like);

/* 1 when there is a row of this experiment. */
int points_have(const struct points *points, enum experiment experiment);

void points_clear(struct points *points);
