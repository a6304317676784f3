/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/measure/imported_points.h"

#include "harness/study/imported_rows.h"

/* One run of a point. */
struct run {
    struct point point;
    double max_s, mean_s, median_s;
    uint64_t iterations; /* 0: not told */
    size_t at;           /* in the file */
    size_t line;
    int number; /* of the run, as told */
};

struct runs {
    struct run *run;
    size_t n;
};

static int read_runs(struct schema_reader *in, struct runs *runs, struct err *err)
{
    struct imported row;
    int got;
    while ((got = schema_next(in, &row, err)) == 1) {
        if (row.status != ROW_OK)
            continue;
        struct run *run = array_add(&runs->run, &runs->n);
        *run = (struct run){ row.point,      row.max_s,   row.mean_s,        row.median_s,
                             row.iterations, runs->n - 1, csv_line(in->csv), row.run };
    }
    if (got < 0)
        return -1;
    return runs->n ? 0 : csv_fail(in->csv, err, "the end, and no row with status ok before it");
}

static int by_key(const void *left, const void *right)
{
    const struct run *const *a = left, *const *b = right;
    return by_keys(strcmp((*a)->point.id, (*b)->point.id), ascending((*a)->number, (*b)->number));
}

static size_t later_line(const struct run *a, const struct run *b)
{
    return a->line > b->line ? a->line : b->line;
}

/* A run of a point has one row. */
static int check_unique(const struct runs *runs, const char *path, struct err *err)
{
    const struct run **sorted = memory_zeros(runs->n + 1, sizeof *sorted);
    int status = 0;
    for (size_t i = 0; i < runs->n; i++)
        sorted[i] = &runs->run[i];
    if (sorted)
        qsort(sorted, runs->n, sizeof *sorted, by_key);
    for (size_t i = 1; status == 0 && i < runs->n; i++)
        if (by_key(&sorted[i - 1], &sorted[i]) == 0)
            status = err_set(err, "%s:%zu: run %d of point %s is there twice", path,
                             later_line(sorted[i - 1], sorted[i]), sorted[i]->number,
                             sorted[i]->point.id);
    free(sorted);
    return status;
}

/* What is counted of a run: the slowest rank's time, or the mean over ranks. NaN: not told. */
static double time_of(const struct run *run, int by_max)
{
    return by_max ? run->max_s : run->mean_s;
}

/* The told median is of the mean where that is told, else of the maximum. */
static double median_of(const struct run *run, int by_max)
{
    const int of_max = isnan(run->mean_s);
    return of_max == by_max ? run->median_s : NAN;
}

static double mean(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return n ? sum / (double)n : NAN;
}

/* The values of one kind that the runs tell, into x; their number. */
static size_t collect(const struct run *const *run, size_t n,
                      double (*value)(const struct run *, int), int by_max, double *x)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        const double v = value(run[i], by_max);
        if (v > 0)
            x[k++] = v;
    }
    return k;
}

/* The median of the runs' times x, as of launches; their interval and so on. */
static void summarize(const double *x, size_t n, double confidence, struct summary *s)
{
    size_t *end = memory_zeros(n + 1, sizeof *end);
    for (size_t i = 0; i < n; i++)
        end[i] = i + 1;
    const struct sample_set set = { .value = x, .n = n, .launch_end = end, .launches = n };
    stats_summarize(&set, STATISTIC_MEDIAN, confidence, 0, s);
    free(end);
    s->independent = s->normal = STAT_NA; /* runs are in no order of time */
    if (n < 3) {
        s->ci_low = s->ci_high = s->rel_ci = NAN;
        s->method = OVER_NOTHING;
    }
}

/* Calls of the collective in all, where told, and what they cost. */
static void count_calls(const struct run *const *run, size_t n, int by_max, struct measured *m)
{
    uint64_t calls = 0;
    for (size_t i = 0; i < n; i++) {
        const double v = time_of(run[i], by_max);
        if (!(v > 0))
            continue;
        calls += run[i]->iterations;
        m->core_s += (double)run[i]->iterations * v * m->point.cell.procs;
    }
    if (calls)
        m->time.n = calls;
}

static void fill(const struct run *const *run, size_t n, int by_max, double confidence, double *x,
                 struct measured *m)
{
    memset(m, 0, sizeof *m);
    m->disturbed = NAN;
    m->point = run[0]->point;
    m->converged = STAT_NA;
    m->ran_segment_bytes = m->ran_fanout = -1;
    m->mean_rank_s = mean(x, collect(run, n, time_of, 0, x));
    const size_t times = collect(run, n, time_of, by_max, x);
    summarize(x, times, confidence, &m->time);
    const size_t medians = collect(run, n, median_of, by_max, x);
    if (medians == times)
        m->time.median = stats_median(x, medians);
    count_calls(run, n, by_max, m);
    snprintf(m->statistic, sizeof m->statistic, "%s",
             experiment_on_root(m->point.experiment) ? "root"
             : by_max                                ? "max_rank"
                                                     : "mean_rank");
    snprintf(m->interval, sizeof m->interval, "%s", over_method_words[m->time.method]);
    snprintf(m->verified, sizeof m->verified, "%s",
             algorithm_is_default(m->point.candidate.algorithm) ? "unforced" : "unverified");
}

/* What is to be told by one statistic: the cells of one collective, library, mapping, root and size
 * among any number of processes, as selectors compare within a cell and regressions over P. */
static int family_compare(const struct point *a, const struct point *b)
{
    struct cell x = a->cell, y = b->cell;
    x.nodes = x.ppn = x.procs = y.nodes = y.ppn = y.procs = 0;
    return by_keys(cell_compare(&x, &y), ascending(a->experiment, b->experiment));
}

static int by_point(const void *left, const void *right)
{
    const struct run *const *a = left, *const *b = right;
    return by_keys(family_compare(&(*a)->point, &(*b)->point),
                   strcmp((*a)->point.id, (*b)->point.id), ascending((*a)->at, (*b)->at));
}

/* Where the runs of the point that begins here end. */
static size_t point_end(const struct run *const *run, size_t n)
{
    size_t end = 1;
    while (end < n && strcmp(run[0]->point.id, run[end]->point.id) == 0)
        end++;
    return end;
}

static int tells(const struct run *const *run, size_t n, int by_max)
{
    return any_below(i, n, time_of(run[i], by_max) > 0);
}

/* 1: the slowest rank's time, 0: the mean over ranks. What all runs of the family tell, the former
 * first; else what some run of each point does; else (-1) no statistic is common. */
static int common_statistic(const struct run *const *run, size_t n)
{
    int runs[2] = { 1, 1 }, points[2] = { 1, 1 };
    for (size_t first = 0; first < n; first += point_end(run + first, n - first))
        for (int by_max = 0; by_max < 2; by_max++)
            points[by_max] &= tells(run + first, point_end(run + first, n - first), by_max);
    for (size_t i = 0; i < n; i++)
        for (int by_max = 0; by_max < 2; by_max++)
            runs[by_max] &= tells(run + i, 1, by_max);
    return runs[1] ? 1 : runs[0] ? 0 : points[1] ? 1 : points[0] ? 0 : -1;
}

/* A point and where its first row was. */
struct placed {
    struct measured measured;
    size_t at;
};

static int by_place(const void *left, const void *right)
{
    const struct placed *a = left, *b = right;
    return ascending(a->at, b->at);
}

/* The points of one family; their number. */
static size_t gather_family(const struct run *const *run, size_t n, double confidence, double *x,
                            struct placed *to)
{
    const int common = common_statistic(run, n);
    size_t points = 0;
    for (size_t first = 0, count; first < n; first += count) {
        count = point_end(run + first, n - first);
        const int by_max = common < 0 ? tells(run + first, count, 1) : common;
        to[points].at = run[first]->at;
        fill(run + first, count, by_max, confidence, x, &to[points++].measured);
    }
    return points;
}

/* All points, family after family; their number. */
static size_t gather(const struct run *const *run, size_t n, double confidence, double *x,
                     struct placed *to)
{
    size_t points = 0;
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && family_compare(&run[first]->point, &run[end]->point) == 0;)
            end++;
        points += gather_family(run + first, end - first, confidence, x, to + points);
    }
    return points;
}

static void make_points(const struct runs *runs, const struct facts *facts, struct points *points)
{
    const size_t room = runs->n + 1;
    const struct run **run = memory_zeros(room, sizeof *run);
    struct placed *placed = memory_zeros(room, sizeof *placed);
    double *x = memory_zeros(room, sizeof *x);
    for (size_t i = 0; i < runs->n; i++)
        run[i] = &runs->run[i];
    qsort(run, runs->n, sizeof *run, by_point);
    points->n = gather((const struct run *const *)run, runs->n, facts->confidence, x, placed);
    points->row = memory_zeros(room, sizeof *points->row);
    qsort(placed, points->n, sizeof *placed, by_place);
    for (size_t i = 0; i < points->n; i++)
        points->row[i] = placed[i].measured;
    memory_free(run, placed, x);
}

int imported_points(const char *dir, const struct facts *facts, struct points *points,
                    struct err *err)
{
    struct schema_reader in;
    char path[PATH_SIZE];
    struct runs runs = { .n = 0 };
    *points = (struct points){ .n = 0 };
    snprintf(points->cluster, sizeof points->cluster, "%s", facts->cluster);
    snprintf(points->backend, sizeof points->backend, "%s", facts->backend);
    if (fs_path(path, sizeof path, err, "%s/%s", dir, imported_schema.path) < 0 ||
        schema_open(&in, &imported_schema, path, err) < 0)
        return -1;
    int status = read_runs(&in, &runs, err);
    schema_close(&in);
    if (status == 0)
        status = check_unique(&runs, path, err);
    if (status == 0) {
        make_points(&runs, facts, points);
        points_sort(points);
        points_check_bounds(facts, points);
    }
    free(runs.run);
    return status;
}
