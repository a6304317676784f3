/* SPDX-License-Identifier: BSD-3-Clause */
/* points_csv.c - points.csv on disk. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measure/points.h"
#include "harness/base/csv.h"
#include "harness/base/fs.h"

/* The columns after those of the point. */
static const char *const result_columns[] = {
    "n",
    "mean_s",
    "median_s",
    "min_s",
    "max_s",
    "stddev_s",
    "ci_low_s",
    "ci_high_s",
    "rel_ci",
    "converged",
    "independent",
    "normal",
    "launches",
    "statistic",
    "verified",
    "ran_algorithm",
    "ran_segment_bytes",
    "ran_fanout",
    "status",
    "reason",
    "drift",
    "core_s",
    NULL,
};

static void write_verdict(struct csvw *w, int verdict)
{
    if (verdict == STAT_NA)
        csvw_text(w, "");
    else
        csvw_i64(w, verdict);
}

static void write_known(struct csvw *w, int64_t value)
{
    if (value < 0)
        csvw_text(w, "");
    else
        csvw_i64(w, value);
}

static void write_row(struct csvw *w, const struct facts *facts, const struct measured *m)
{
    const struct summary *t = &m->time;
    const double times[] = { t->mean,   t->median, t->min,     t->max,
                             t->stddev, t->ci_low, t->ci_high, t->rel_ci };
    csvw_text(w, facts->cluster);
    csvw_text(w, facts->backend);
    csvw_text(w, facts_version(facts, m->point.cell.mpi));
    point_write(w, &m->point);
    csvw_u64(w, t->n);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        csvw_f64(w, times[i]);
    write_verdict(w, m->converged);
    write_verdict(w, t->independent);
    write_verdict(w, t->normal);
    csvw_u64(w, t->launches);
    csvw_text(w, m->statistic);
    csvw_text(w, m->verified);
    csvw_text(w, m->ran_algorithm);
    write_known(w, m->ran_segment_bytes);
    write_known(w, m->ran_fanout);
    csvw_text(w, point_status_name(m->status));
    csvw_text(w, m->reason);
    csvw_i64(w, m->drift);
    csvw_f64(w, m->core_s);
    csvw_f64(w, m->mean_rank_s);
    csvw_end(w);
}

int points_write(const char *dir, const struct facts *facts, const struct points *points,
                 struct err *err)
{
    static const char *const first[] = { "cluster", "backend", "mpi_version", NULL };
    char path[PATH_SIZE];
    struct whole_file f;
    if (fs_path(path, sizeof path, err, "%s/points.csv", dir) < 0 || fs_begin(&f, path, err) < 0)
        return -1;
    struct csvw w = { .file = f.file };
    for (int i = 0; first[i]; i++)
        csvw_text(&w, first[i]);
    for (int i = 0; point_columns[i]; i++)
        csvw_text(&w, point_columns[i]);
    for (int i = 0; result_columns[i]; i++)
        csvw_text(&w, result_columns[i]);
    csvw_text(&w, "mean_rank_s");
    csvw_end(&w);
    for (size_t i = 0; i < points->n; i++)
        write_row(&w, facts, &points->row[i]);
    return fs_commit(&f, err);
}

static int read_number(const struct csv *csv, const char *column, double *value, struct err *err)
{
    return csv_f64(csv, csv_column(csv, column), value, err);
}

static int read_verdict(const struct csv *csv, const char *column, int *verdict, struct err *err)
{
    const char *text = csv_text(csv, csv_column(csv, column));
    *verdict = *text ? text[0] - '0' : STAT_NA;
    if (*text && (text[1] || *verdict < 0 || *verdict > 1))
        return csv_fail(csv, err, "%s: '%s' is not a verdict (want 0, 1 or nothing)", column, text);
    return 0;
}

static int read_known(const struct csv *csv, const char *column, int64_t *value, struct err *err)
{
    uint64_t v = 0;
    int c = csv_column(csv, column);
    if (*csv_text(csv, c) && csv_u64(csv, c, &v, err) < 0)
        return -1;
    *value = *csv_text(csv, c) ? (int64_t)v : -1;
    return 0;
}

static int read_times(const struct csv *csv, struct summary *t, struct err *err)
{
    uint64_t n, launches;
    if (csv_u64(csv, csv_column(csv, "n"), &n, err) < 0 ||
        csv_u64(csv, csv_column(csv, "launches"), &launches, err) < 0 ||
        read_number(csv, "mean_s", &t->mean, err) < 0 ||
        read_number(csv, "median_s", &t->median, err) < 0 ||
        read_number(csv, "min_s", &t->min, err) < 0 ||
        read_number(csv, "max_s", &t->max, err) < 0 ||
        read_number(csv, "stddev_s", &t->stddev, err) < 0 ||
        read_number(csv, "ci_low_s", &t->ci_low, err) < 0 ||
        read_number(csv, "ci_high_s", &t->ci_high, err) < 0 ||
        read_number(csv, "rel_ci", &t->rel_ci, err) < 0 ||
        read_verdict(csv, "independent", &t->independent, err) < 0 ||
        read_verdict(csv, "normal", &t->normal, err) < 0)
        return -1;
    t->n = n;
    t->launches = launches;
    return 0;
}

static int read_row(const struct csv *csv, struct measured *m, struct err *err)
{
    const int mean_rank = csv_column(csv, "mean_rank_s"); /* not in older files */
    memset(m, 0, sizeof *m);
    m->mean_rank_s = NAN;
    if (mean_rank >= 0 && csv_f64(csv, mean_rank, &m->mean_rank_s, err) < 0)
        return -1;
    if (point_read(csv, &m->point, err) < 0 || read_times(csv, &m->time, err) < 0 ||
        read_verdict(csv, "converged", &m->converged, err) < 0 ||
        read_verdict(csv, "drift", &m->drift, err) < 0 ||
        csv_copy(csv, csv_column(csv, "statistic"), m->statistic, sizeof m->statistic, err) < 0 ||
        csv_copy(csv, csv_column(csv, "verified"), m->verified, sizeof m->verified, err) < 0 ||
        csv_copy(csv, csv_column(csv, "ran_algorithm"), m->ran_algorithm, sizeof m->ran_algorithm,
                 err) < 0 ||
        read_known(csv, "ran_segment_bytes", &m->ran_segment_bytes, err) < 0 ||
        read_known(csv, "ran_fanout", &m->ran_fanout, err) < 0 ||
        csv_copy(csv, csv_column(csv, "reason"), m->reason, sizeof m->reason, err) < 0 ||
        read_number(csv, "core_s", &m->core_s, err) < 0)
        return -1;
    if (point_status_parse(csv_text(csv, csv_column(csv, "status")), &m->status, err) < 0)
        return err_prefix(err, "%s:%zu: status", csv_path(csv), csv_line(csv));
    return 0;
}

static int read_all(struct csv *csv, struct points *points, struct err *err)
{
    size_t cap = 0;
    int got;
    while ((got = csv_next(csv, err)) == 1) {
        if (points->n == cap) {
            cap = cap ? 2 * cap : 256;
            struct measured *row = realloc(points->row, cap * sizeof *row);
            if (!row)
                return err_set(err, "%s: out of memory", csv_path(csv));
            points->row = row;
        }
        if (read_row(csv, &points->row[points->n], err) < 0)
            return -1;
        if (points->n++ == 0 &&
            (csv_copy(csv, csv_column(csv, "cluster"), points->cluster, NAME_SIZE, err) < 0 ||
             csv_copy(csv, csv_column(csv, "backend"), points->backend, NAME_SIZE, err) < 0))
            return -1;
    }
    return csv_end(csv, got, err);
}

int points_read(const char *dir, struct points *points, struct err *err)
{
    static const char *const first[] = { "cluster", "backend", NULL };
    char path[PATH_SIZE];
    *points = (struct points){ .n = 0 };
    if (fs_path(path, sizeof path, err, "%s/points.csv", dir) < 0)
        return -1;
    const char *const *const lists[] = { point_required, result_columns };
    struct csv *csv = csv_open(path, first, err);
    if (!csv)
        return -1;
    int result = 0;
    for (size_t l = 0; l < 2 && result == 0; l++)
        result = csv_require(csv, lists[l], err);
    if (result == 0)
        result = read_all(csv, points, err);
    csv_close(csv);
    if (result < 0)
        points_clear(points);
    return result;
}
