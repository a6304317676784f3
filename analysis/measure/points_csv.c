/* SPDX-License-Identifier: BSD-3-Clause */
/* points_csv.c - points.csv on disk. */
#include "analysis/measure/points.h"

/* A row of the file. */
struct points_row {
    char cluster[NAME_SIZE], backend[NAME_SIZE], mpi_version[NAME_SIZE];
    struct measured m;
};

static int has_windows(const void *row)
{
    return ((const struct points_row *)row)->m.clock_error_s > 0;
}

static int has_bound(const void *row)
{
    return ((const struct points_row *)row)->m.bound_s > 0;
}

/* clang-format off */
static const struct schema_column columns[] = {
    COLUMN(points_row, NAME, "cluster", cluster, "", "where it was measured"),
    COLUMN(points_row, NAME, "backend", backend, "", "by what: `local`, `slurm`, `emulated`, `sim`, `walk`, `null`, `imported`"),
    COLUMN(points_row, TEXT, "mpi_version", mpi_version, "", "of the MPI library", .optional = 1),
    POINT_COLUMNS(points_row, m.point),
    COLUMN(points_row, COUNT, "n", m.time.n, "", "samples that count: valid, without the warm-up, a slow beginning and what was disturbed"),
    COLUMN(points_row, REAL, "time_s", m.time.value, "s", "the time of the point, which all that follows uses: the median over launches of each launch's `statistic` (study file) of its samples; with `statistic = mean` the mean of the launch means; of older files `mean_s`", .optional = 1, COLUMN_SECONDS),
    COLUMN(points_row, REAL, "mean_s", m.time.mean, "s", "mean of the launch means where there are three launches or more, else of all samples", COLUMN_SECONDS),
    COLUMN(points_row, REAL, "median_s", m.time.median, "s", "of all samples", COLUMN_SECONDS),
    COLUMN(points_row, REAL, "min_s", m.time.min, "s", "of all samples", COLUMN_SECONDS),
    COLUMN(points_row, REAL, "max_s", m.time.max, "s", "of all samples", COLUMN_SECONDS),
    COLUMN(points_row, REAL, "stddev_s", m.time.stddev, "s", "of all samples", COLUMN_SECONDS),
    COLUMN(points_row, REAL, "ci_low_s", m.time.ci_low, "s", "interval of `time_s` over launches at the study's confidence; empty with one launch"),
    COLUMN(points_row, REAL, "ci_high_s", m.time.ci_high, "s", "its other end"),
    COLUMN(points_row, REAL, "rel_ci", m.time.rel_ci, "", "half-width over `time_s`"),
    COLUMN(points_row, NAME, "interval", m.interval, "", "what it rests on: `order` statistics of the launches' times, Student's t of them (`student`: too few for the former, or `statistic = mean`); `one_launch`: there is none; `exact`: a simulation repeats itself; `none`: no time, or others measured in fewer than three runs", .optional = 1),
    COLUMN(points_row, REAL, "between_rel", m.time.between_rel, "", "spread between launches: standard deviation of their times over the mean of them", .optional = 1),
    COLUMN(points_row, REAL, "within_rel", m.time.within_rel, "", "spread of calls within a launch: 1.4826 times the median absolute deviation over the median, in the median over launches", .optional = 1),
    COLUMN(points_row, REAL, "disturbed", m.disturbed, "", "share of the calls beside which something else ran (samples/ `disturbed`); they do not count where ten others and a fifth of all are left", .optional = 1),
    COLUMN(points_row, INT, "converged", m.converged, "", "`rel_ci` is at most the study's `precision`; never with one launch", COLUMN_VERDICT),
    COLUMN(points_row, INT, "independent", m.time.independent, "", "lag-1 autocorrelation and runs test, at 5 % together", COLUMN_VERDICT),
    COLUMN(points_row, INT, "normal", m.time.normal, "", "Anderson-Darling, at 5 %", COLUMN_VERDICT),
    COLUMN(points_row, COUNT, "launches", m.time.launches, "", "that the samples are of"),
    COLUMN(points_row, NAME, "statistic", m.statistic, "", "which clock: `max_rank`, `mean_rank`, `root`"),
    COLUMN(points_row, NAME, "verified", m.verified, "", "how it was proved that the algorithm ran (samples/*.outcomes.csv)"),
    COLUMN(points_row, NAME, "ran_algorithm", m.ran_algorithm, "", "what ran; empty: not known"),
    COLUMN(points_row, INT, "ran_segment_bytes", m.ran_segment_bytes, "bytes", "with which segment", COLUMN_NONE(-1)),
    COLUMN(points_row, INT, "ran_fanout", m.ran_fanout, "", "with which fan-out", COLUMN_NONE(-1)),
    COLUMN(points_row, WORD, "status", m.status, "", "what became of the point; `missing`: no finished outcome yet", .words = point_status_words),
    COLUMN(points_row, TEXT, "reason", m.reason, "", "empty where it is ok"),
    COLUMN(points_row, INT, "drift", m.drift, "", "a launch's sentinel moved while it ran", COLUMN_VERDICT),
    COLUMN(points_row, REAL, "core_s", m.core_s, "s", "wall time x ranks spent on it", COLUMN_SECONDS),
    COLUMN(points_row, REAL, "mean_rank_s", m.mean_rank_s, "s", "the mean over ranks, in the mean (what OSU prints)", .optional = 1, COLUMN_SECONDS),
    COLUMN(points_row, COUNT, "late", m.late, "", "with `sync = window`: timed calls left out since a rank came after their window's start; else empty", .given = has_windows, .optional = 1),
    COLUMN(points_row, REAL, "clock_error_s", m.clock_error_s, "s", "with `sync = window`: the largest difference between two ranks' global clocks, of its launches the worst; where that is more than the precision wanted, `reason` says so", .given = has_windows, .optional = 1, COLUMN_SECONDS),
    COLUMN(points_row, REAL, "bound_s", m.bound_s, "s", "no call of the cell takes less, whatever the algorithm, by the rates of the cluster file (`analysis/measure/bounds.h`); empty: not known", .given = has_bound, .optional = 1, COLUMN_SECONDS),
    COLUMN(points_row, WORD, "doubt", m.doubt, "", "why the time is not believed: it is less than the bytes over the `links` of a node, over the `trunk` of a switch or into a node's `memory` take, or than one message's `latency`; or it is a `mean` over ranks of a collective with a root. Such a time is never the best, makes no rule and teaches no model, unless `--doubted` is given; empty: none", .words = doubt_words, .optional = 1),
    CONDITION_COLUMNS(points_row, m.point.cell),
};
/* clang-format on */

static int check_times(const struct summary *t, struct err *err)
{
    if (t->min > t->max)
        return err_set(err, "min_s: %g s is above max_s (%g s)", t->min, t->max);
    return 0;
}

static int check(void *row, struct err *err)
{
    if (check_times(&((const struct points_row *)row)->m.time, err) < 0)
        return -1;
    return point_check(&((const struct points_row *)row)->m.point, err);
}

SCHEMA(points_schema, points_row, columns, "points.csv",
       "Every planned point with what became of it, in the order of the plan.", .check = check);

int points_write(const char *dir, const struct facts *facts, const struct points *points,
                 struct err *err)
{
    char path[PATH_SIZE];
    struct whole_file f;
    struct csvw w;
    struct points_row r = { .cluster = "" };
    if (fs_path(path, sizeof path, err, "%s/%s", dir, points_schema.path) < 0 ||
        schema_begin(&points_schema, path, NULL, &f, &w, err) < 0)
        return -1;
    memcpy(r.cluster, facts->cluster, sizeof r.cluster);
    memcpy(r.backend, facts->backend, sizeof r.backend);
    for (size_t i = 0; i < points->n; i++) {
        r.m = points->row[i];
        snprintf(r.mpi_version, sizeof r.mpi_version, "%s",
                 facts_version(facts, r.m.point.cell.mpi));
        schema_row(&w, &points_schema, &r);
    }
    return fs_commit(&f, err);
}

static int read_all(struct schema_reader *in, struct points *points, struct err *err)
{
    struct points_row r;
    int got;
    while ((got = schema_next(in, &r, err)) == 1) {
        struct measured *m = array_add(&points->row, &points->n);
        *m = r.m;
        if (isnan(m->time.value)) /* a file of an earlier version */
            m->time.value = m->time.mean;
        if (points->n > 1)
            continue;
        memcpy(points->cluster, r.cluster, sizeof points->cluster);
        memcpy(points->backend, r.backend, sizeof points->backend);
    }
    return got;
}

static int check_unique(const struct points *points, const char *dir, struct err *err)
{
    const struct measured **sorted = memory_zeros(points->n + 1, sizeof *sorted);
    int status = 0;
    for (size_t i = 0; i < points->n; i++)
        sorted[i] = &points->row[i];
    if (sorted)
        qsort(sorted, points->n, sizeof *sorted, measured_by_id);
    for (size_t i = 1; status == 0 && i < points->n; i++)
        if (measured_by_id(&sorted[i - 1], &sorted[i]) == 0) {
            const struct measured *later = sorted[i] > sorted[i - 1] ? sorted[i] : sorted[i - 1];
            err_set(err, "point %s is there twice (want one row)", later->point.id);
            status = schema_fail_at(&points_schema, dir, (size_t)(later - points->row), err);
        }
    free(sorted);
    return status;
}

int points_read_all(const char *dir, int doubted, struct points *points, struct err *err)
{
    char path[PATH_SIZE];
    struct schema_reader in;
    *points = (struct points){ .n = 0 };
    if (fs_path(path, sizeof path, err, "%s/%s", dir, points_schema.path) < 0 ||
        schema_open(&in, &points_schema, path, err) < 0)
        return -1;
    int status = read_all(&in, points, err);
    schema_close(&in);
    if (status == 0)
        status = check_unique(points, dir, err);
    if (status == 0)
        points_sort(points);
    points_take_doubted(points, doubted);
    if (status < 0)
        points_clear(points);
    return status;
}

int points_read(const char *dir, int doubted, struct points *points, struct err *err)
{
    if (points_read_all(dir, doubted, points, err) < 0)
        return -1;
    points_keep_plain(points);
    return 0;
}
