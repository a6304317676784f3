/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/points.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

int measured_usable(const struct measured *m)
{
    return (m->status == POINT_OK || m->status == POINT_SUBSTITUTED) && m->time.mean > 0;
}

/* ---- plan ---- */

/* Where each planned row lives: its point and its launch. */
struct plan {
    struct points *points;
    size_t cap;
    char (*launch)[2 * NAME_SIZE]; /* one launch of each point (its first), "" when skipped */
};

static struct measured *add_point(struct plan *plan, const struct point *point)
{
    struct points *p = plan->points;
    if (p->n == plan->cap) {
        size_t cap = plan->cap ? 2 * plan->cap : 256;
        struct measured *row = realloc(p->row, cap * sizeof *row);
        if (row)
            p->row = row;
        void *launch = realloc(plan->launch, cap * sizeof *plan->launch);
        if (launch)
            plan->launch = launch;
        if (!row || !launch)
            return NULL;
        plan->cap = cap;
    }
    struct measured *m = &p->row[p->n++];
    memset(m, 0, sizeof *m);
    m->point = *point;
    return m;
}

/* Order of ids, for finding a point among those already planned. */
struct known {
    char id[ID_SIZE];
    size_t row;
};

static int by_id(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Sorts rows by id and keeps one of each, the first; order of the plan is kept. */
static int unite(struct plan *plan, struct err *err)
{
    struct points *p = plan->points;
    struct known *known = malloc((p->n + 1) * sizeof *known);
    char *twice = calloc(p->n + 1, 1);
    if (!known || !twice) {
        free(known);
        free(twice);
        return err_set(err, "out of memory");
    }
    for (size_t i = 0; i < p->n; i++) {
        memcpy(known[i].id, p->row[i].point.id, ID_SIZE);
        known[i].row = i;
    }
    qsort(known, p->n, sizeof *known, by_id);
    for (size_t i = 1, first = 0; i < p->n; i++) {
        if (strcmp(known[i].id, known[first].id) != 0) {
            first = i;
            continue;
        }
        size_t a = known[first].row, b = known[i].row, keep = a < b ? a : b;
        if (p->row[a + b - keep].point.purpose < p->row[keep].point.purpose)
            p->row[keep].point.purpose = p->row[a + b - keep].point.purpose;
        twice[a + b - keep] = 1;
        known[first].row = keep;
    }
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++) {
        if (twice[i])
            continue;
        p->row[n] = p->row[i];
        memmove(plan->launch[n++], plan->launch[i], sizeof *plan->launch);
    }
    p->n = n;
    free(known);
    free(twice);
    return 0;
}

static int read_plan(const char *dir, struct plan *plan, struct err *err)
{
    static const char *const columns[] = { "launch", "point", NULL };
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, err, "%s/plan.csv", dir) < 0)
        return -1;
    struct csv *csv = csv_open(path, columns, err);
    if (!csv)
        return -1;
    int got, launch = csv_column(csv, "launch");
    for (int i = 0; point_columns[i]; i++) {
        if (csv_column(csv, point_columns[i]) < 0) {
            csv_close(csv);
            return err_set(err, "%s: has no column '%s'", path, point_columns[i]);
        }
    }
    while ((got = csv_next(csv, err)) == 1) {
        struct point point;
        if (point_read(csv, &point, err) < 0) {
            got = -1;
            break;
        }
        if (!add_point(plan, &point)) {
            got = err_set(err, "%s: out of memory", path);
            break;
        }
        size_t i = plan->points->n - 1;
        if (csv_copy(csv, launch, plan->launch[i], sizeof *plan->launch, err) < 0) {
            got = -1;
            break;
        }
    }
    csv_close(csv);
    return got < 0 ? -1 : unite(plan, err);
}

/* ---- reasons of what was not measured ---- */

struct row_index {
    struct known *known;
    size_t n;
};

static int index_rows(const struct points *p, struct row_index *index, struct err *err)
{
    index->n = p->n;
    index->known = malloc((p->n + 1) * sizeof *index->known);
    if (!index->known)
        return err_set(err, "out of memory");
    for (size_t i = 0; i < p->n; i++) {
        memcpy(index->known[i].id, p->row[i].point.id, ID_SIZE);
        index->known[i].row = i;
    }
    qsort(index->known, p->n, sizeof *index->known, by_id);
    return 0;
}

static struct measured *row_of(struct points *p, const struct row_index *index, const char *id)
{
    const struct known *k = bsearch(id, index->known, index->n, sizeof *k, by_id);
    return k ? &p->row[k->row] : NULL;
}

/* skipped.csv: what cannot be measured here, and why. */
static int read_skipped(const char *dir, struct points *p, const struct row_index *index,
                        struct err *err)
{
    static const char *const columns[] = { "point", "reason", NULL };
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, err, "%s/skipped.csv", dir) < 0)
        return -1;
    if (!fs_exists(path))
        return 0;
    struct csv *csv = csv_open(path, columns, err);
    if (!csv)
        return -1;
    int got, id = csv_column(csv, "point"), reason = csv_column(csv, "reason");
    while ((got = csv_next(csv, err)) == 1) {
        struct measured *m = row_of(p, index, csv_text(csv, id));
        if (!m || m->time.n)
            continue;
        m->status = POINT_SKIPPED;
        snprintf(m->reason, sizeof m->reason, "%s", csv_text(csv, reason));
    }
    csv_close(csv);
    return got;
}

/* Last known fate of a launch. */
struct fate {
    char launch[2 * NAME_SIZE];
    enum point_status status;
    char reason[REASON_SIZE];
};

struct fates {
    struct fate *fate;
    size_t n;
};

static struct fate *fate_of(struct fates *f, const char *launch)
{
    for (size_t i = 0; i < f->n; i++)
        if (strcmp(f->fate[i].launch, launch) == 0)
            return &f->fate[i];
    return NULL;
}

static int note_event(struct fates *f, const json_t *event)
{
    static const struct {
        const char *event;
        enum point_status status;
        const char *reason;
    } kinds[] = {
        { "timeout", POINT_TIMEOUT, "the launch was ended at its limit" },
        { "failed", POINT_FAILED, "the launch failed" },
        { "interrupted", POINT_MISSING, "the launch was interrupted; run again to resume" },
        { "skipped", POINT_SKIPPED, "the launch was skipped" },
        { "done", POINT_MISSING, "not measured yet" },
        { "started", POINT_MISSING, "not measured yet" },
    };
    const char *launch = json_string_value(json_object_get(event, "launch"));
    const char *kind = json_string_value(json_object_get(event, "event"));
    const char *reason = json_string_value(json_object_get(event, "reason"));
    for (size_t k = 0; launch && kind && k < sizeof kinds / sizeof *kinds; k++) {
        if (strcmp(kinds[k].event, kind) != 0)
            continue;
        struct fate *fate = fate_of(f, launch);
        if (!fate) {
            fate = realloc(f->fate, (f->n + 1) * sizeof *fate);
            if (!fate)
                return -1;
            f->fate = fate;
            fate = &f->fate[f->n++];
            snprintf(fate->launch, sizeof fate->launch, "%s", launch);
        }
        fate->status = kinds[k].status;
        snprintf(fate->reason, sizeof fate->reason, "%s",
                 reason && *reason ? reason : kinds[k].reason);
    }
    return 0;
}

/* events.jsonl; a last line that was cut short is passed over. */
static int read_events(const char *dir, struct fates *fates, struct err *err)
{
    char path[PATH_SIZE], *line = NULL;
    size_t cap = 0, number = 0;
    if (fs_path(path, sizeof path, err, "%s/events.jsonl", dir) < 0)
        return -1;
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    int result = 0;
    for (ssize_t len; result == 0 && (len = getline(&line, &cap, file)) > 0;) {
        json_error_t what;
        number++;
        if (line[len - 1] != '\n')
            break;
        json_t *event = json_loads(line, 0, &what);
        if (!json_is_object(event))
            result = err_set(err, "%s:%zu: is not a JSON object", path, number);
        else if (note_event(fates, event) < 0)
            result = err_set(err, "%s: out of memory", path);
        json_decref(event);
    }
    free(line);
    fclose(file);
    return result;
}

/* ---- results ---- */

/* One verdict of several launches: no where any says no, not applicable where none says. */
static int both(int a, int b)
{
    return a == STAT_NA ? b : b == STAT_NA ? a : a && b;
}

/* The gravest of what its launches say: a point is ok only where none contradicts. */
static int gravity(enum point_status status)
{
    static const int order[N_POINT_STATUS] = {
        [POINT_SKIPPED] = 0, [POINT_FAILED] = 1,      [POINT_TIMEOUT] = 1,
        [POINT_OK] = 2,      [POINT_SUBSTITUTED] = 3, [POINT_INVALID] = 4,
    };
    return order[status];
}

static void take_outcome(struct measured *m, const struct outcome *o)
{
    m->status = o->status;
    memcpy(m->reason, o->reason, sizeof m->reason);
    memcpy(m->verified, o->verified, sizeof m->verified);
    memcpy(m->ran_algorithm, o->ran_algorithm, sizeof m->ran_algorithm);
    m->ran_segment_bytes = o->ran_segment_bytes;
    m->ran_fanout = o->ran_fanout;
}

static void take_parts(struct measured *m, const struct series *series)
{
    size_t measured_in = 0;
    for (size_t k = 0; k < series->n_parts; k++) {
        const struct part *part = &series->parts[k];
        if (k == 0 || gravity(part->outcome.status) > gravity(m->status))
            take_outcome(m, &part->outcome);
        measured_in +=
            part->outcome.status == POINT_OK || part->outcome.status == POINT_SUBSTITUTED;
        m->converged = both(m->converged, part->outcome.converged);
        m->drift |= part->drift == 1;
        m->core_s += part->outcome.core_s;
    }
    if (m->status == POINT_OK && measured_in < series->n_parts)
        snprintf(m->reason, sizeof m->reason, "%zu of %zu launches succeeded", measured_in,
                 series->n_parts);
}

static int take_series(struct measured *m, const struct series *series, const struct facts *facts)
{
    size_t *end = malloc((series->n_parts + 1) * sizeof *end);
    if (!end)
        return -1;
    struct sample_set set = series_set(series, end);
    int result = stats_summarize(&set, facts->confidence, facts->deterministic, &m->time);
    free(end);
    m->converged = STAT_NA;
    m->ran_segment_bytes = m->ran_fanout = -1;
    snprintf(m->statistic, sizeof m->statistic, "%s",
             m->point.experiment == EXP_TIME ? "max_rank" : "root");
    take_parts(m, series);
    if (facts->deterministic)
        m->converged = STAT_NA;
    return result;
}

/* What a point without any outcome is. */
static void take_fate(struct measured *m, const char *launch, struct fates *fates)
{
    const struct fate *fate = *launch ? fate_of(fates, launch) : NULL;
    m->status = fate ? fate->status : POINT_MISSING;
    snprintf(m->reason, sizeof m->reason, "%s",
             fate      ? fate->reason
             : *launch ? "not measured yet"
                       : "cannot be measured here");
    if (!*launch)
        m->status = POINT_SKIPPED;
}

static int fill(struct plan *plan, const struct samples *samples, const struct facts *facts,
                struct fates *fates, struct err *err)
{
    for (size_t i = 0; i < plan->points->n; i++) {
        struct measured *m = &plan->points->row[i];
        if (take_series(m, &samples->series[i], facts) < 0)
            return err_set(err, "out of memory");
        if (!samples->series[i].n_parts)
            take_fate(m, plan->launch[i], fates);
        else if (!m->time.n && (m->status == POINT_OK || m->status == POINT_SUBSTITUTED)) {
            m->status = POINT_FAILED;
            snprintf(m->reason, sizeof m->reason, "no valid sample");
        }
    }
    return 0;
}

static int read_samples(const char *dir, const struct facts *facts, const struct points *p,
                        struct samples *samples, struct err *err)
{
    struct point *points = malloc((p->n + 1) * sizeof *points);
    if (!points)
        return err_set(err, "out of memory");
    for (size_t i = 0; i < p->n; i++)
        points[i] = p->row[i].point;
    int result = samples_read(dir, facts->digest, points, p->n, samples, err);
    free(points);
    return result;
}

static int build(const char *dir, const struct facts *facts, struct plan *plan,
                 struct samples *samples, struct err *err)
{
    struct fates fates = { .n = 0 };
    struct row_index index = { .n = 0 };
    int result = read_plan(dir, plan, err);
    if (result == 0)
        result = index_rows(plan->points, &index, err);
    if (result == 0)
        result = read_events(dir, &fates, err);
    if (result == 0)
        result = read_samples(dir, facts, plan->points, samples, err);
    if (result == 0)
        result = fill(plan, samples, facts, &fates, err);
    if (result == 0)
        result = read_skipped(dir, plan->points, &index, err);
    free(fates.fate);
    free(index.known);
    return result;
}

int points_build(const char *dir, const struct facts *facts, struct points *points,
                 struct samples *samples, struct err *err)
{
    struct samples own = { .n = 0 };
    struct plan plan = { .points = points };
    *points = (struct points){ .n = 0 };
    memcpy(points->cluster, facts->cluster, sizeof points->cluster);
    memcpy(points->backend, facts->backend, sizeof points->backend);
    int result = build(dir, facts, &plan, &own, err);
    free(plan.launch);
    if (result == 0 && samples)
        *samples = own;
    else
        samples_clear(&own);
    if (result < 0)
        points_clear(points);
    return result;
}

/* ---- points.csv ---- */

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
    csvw_header(&w, result_columns);
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
    memset(m, 0, sizeof *m);
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
    return got;
}

int points_read(const char *dir, struct points *points, struct err *err)
{
    static const char *const first[] = { "cluster", "backend", NULL };
    char path[PATH_SIZE];
    *points = (struct points){ .n = 0 };
    if (fs_path(path, sizeof path, err, "%s/points.csv", dir) < 0)
        return -1;
    const char *const *const lists[] = { point_columns, result_columns };
    struct csv *csv = csv_open(path, first, err);
    if (!csv)
        return -1;
    int result = 0;
    for (size_t l = 0; l < 2; l++)
        for (size_t i = 0; lists[l][i] && result == 0; i++)
            if (csv_column(csv, lists[l][i]) < 0)
                result = err_set(err, "%s: has no column '%s'", path, lists[l][i]);
    if (result == 0)
        result = read_all(csv, points, err);
    csv_close(csv);
    if (result < 0)
        points_clear(points);
    return result;
}

const struct measured *points_find(const struct points *points, const char *id)
{
    for (size_t i = 0; i < points->n; i++)
        if (strcmp(points->row[i].point.id, id) == 0)
            return &points->row[i];
    return NULL;
}

void points_clear(struct points *points)
{
    free(points->row);
    *points = (struct points){ .n = 0 };
}
