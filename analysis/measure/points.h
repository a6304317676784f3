/* SPDX-License-Identifier: BSD-3-Clause */
/* points.h - points.csv: every planned point with what became of it (docs/formats.md).
 *
 * points_build makes it from plan.csv, skipped.csv, samples/, events.jsonl and manifest.json;
 * points_read is how every later stage starts. A point that did not succeed is a row with its
 * status and reason. Owns its rows. */
#ifndef ANALYSIS_MEASURE_POINTS_H
#define ANALYSIS_MEASURE_POINTS_H

#include <stddef.h>

#include "analysis/measure/bounds.h"
#include "analysis/measure/study_facts.h"
#include "analysis/measure/samples.h"
#include "analysis/measure/stats.h"

/* One row. Seconds; NaN where there is no such number; STAT_NA where a verdict does not apply. */
struct measured {
    struct point point;
    struct summary time;  /* of what was timed; time.value is what everything else uses */
    double mean_rank_s;   /* the mean over ranks, in the mean (what OSU prints); NaN: not known */
    int converged;        /* the interval over launches is as narrow as the study asks */
    char interval[16];    /* what it rests on: none, exact, one_launch, student, order */
    double disturbed;     /* share of the calls beside which something else ran; NaN: not known */
    int drift;            /* a launch's sentinel moved */
    uint64_t late;        /* timed calls left out, since a rank came late to their window */
    double clock_error_s; /* of windows: the largest of its launches; 0: there are none */
    char statistic[16];   /* max_rank, mean_rank, root */
    char verified[NAME_SIZE];              /* how it was proved that the algorithm ran */
    char ran_algorithm[NAME_SIZE];         /* "": not known */
    int64_t ran_segment_bytes, ran_fanout; /* -1: not known */
    enum point_status status;
    char reason[REASON_SIZE];
    double core_s;    /* wall time x ranks spent on it */
    double bound_s;   /* no call takes less (bounds.h); 0: not known */
    enum doubt doubt; /* why time.value is not believed */
};

struct points {
    struct measured *row;
    size_t n;
    char cluster[NAME_SIZE], backend[NAME_SIZE];
    size_t *trials;  /* of rows that are no EXP_TIME, by experiment, cell and candidate; */
    size_t n_trials; /* NULL: not sorted yet (points_sort) */
};

extern const struct schema points_schema;

/* 1 when the point has a time that stands for what the row says (ok or substituted), and that is
 * not doubted: who decides what is the best, what becomes a rule and what models learn asks here.
 * points_take_doubted(1): doubted times count, too, in all that this process does (--unsure). */
int measured_usable(const struct measured *m);
void points_take_doubted(int taken);
int points_doubted_taken(void);

/* 1 when it has a time that is doubted, and does not count for that alone. */
int measured_doubted(const struct measured *m);

/* Bounds the times of all rows, and says which are doubted. */
void points_doubt(const struct facts *facts, struct points *points);

/* Behind an error that something has no times: how many of a collective (NULL: of any) do not count
 * since they are doubted, and what takes them. Nothing where there are none. Returns -1. */
int points_tell_doubted(const struct points *points, const char *collective, struct err *err);

/* Standard error of the point's time, s, from the spread between its launches. The statistic is
 * that of the study: with STATISTIC_MEAN the time is their mean, else their median, which scatters
 * more; by how much is that of so many normal values. NaN with one launch: nothing then tells how
 * much launches differ. */
double measured_stderr(const struct measured *m, enum statistic statistic);

/* Builds the rows of the study in DIR, in the plan's order, one per point. *store: the store that
 * they are of, open, the caller's from then on; NULL: not wanted. */
int points_build(const char *dir, const struct facts *facts, struct store *store,
                 struct points *points, struct err *err);

/* Writes DIR/points.csv whole. */
int points_write(const char *dir, const struct facts *facts, const struct points *points,
                 struct err *err);

/* Reads DIR/points.csv: the rows of plain cells (harness/study/point.h), which are what models and
 * selectors know; or all. */
int points_read(const char *dir, struct points *points, struct err *err);
int points_read_all(const char *dir, struct points *points, struct err *err);

/* Drops the rows of cells that are not plain. */
void points_keep_plain(struct points *points);

/* Sorts what points_has looks for, when all rows are there. Without it that looks at every row. */
void points_sort(struct points *points);

/* 1 when an experiment that is no EXP_TIME has a row of this very cell and candidate. */
int points_has(const struct points *points, enum experiment experiment, const struct point *like);

/* 1 when there is a row of this experiment. */
int points_have(const struct points *points, enum experiment experiment);

/* Frees what it holds. */
void points_clear(struct points *points);

#endif
