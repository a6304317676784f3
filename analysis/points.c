/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/points.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/csv.h"
#include "harness/base/fs.h"
#include "harness/plan.h"

int measured_usable(const struct measured *m)
{
    return (m->status == POINT_OK || m->status == POINT_SUBSTITUTED) && m->time.mean > 0;
}

/* ---- from the plan to rows ---- */

/* The rows, and with each the name of one of its launches ("" when it is in none). */
struct rows {
    struct points *points;
    const char **launch;
};

/* Rows by id. */
struct known {
    char id[ID_SIZE];
    size_t row;
};

struct row_index {
    struct known *known;
    size_t n;
};

static int by_id(const void *a, const void *b)
{
    return strcmp(a, b); /* id comes first */
}

/* By id, then in the order of the plan. */
static int by_id_and_row(const void *a, const void *b)
{
    const struct known *x = a, *y = b;
    int c = strcmp(x->id, y->id);
    return c ? c : (x->row > y->row) - (x->row < y->row);
}

/* Marks which rows of the plan (launch after launch, then the skipped) come first of their point.
 */
static int mark_first(const struct plan *plan, char *first)
{
    size_t n = plan->n + plan->n_skipped;
    struct known *known = malloc((n + 1) * sizeof *known);
    if (!known)
        return -1;
    for (size_t i = 0; i < n; i++) {
        const struct point *p = i < plan->n ? &plan->points[i] : &plan->skipped[i - plan->n].point;
        memcpy(known[i].id, p->id, ID_SIZE);
        known[i].row = i;
    }
    qsort(known, n, sizeof *known, by_id_and_row);
    for (size_t i = 0; i < n; i++)
        first[known[i].row] = i == 0 || strcmp(known[i].id, known[i - 1].id) != 0;
    free(known);
    return 0;
}

static void add_row(struct rows *rows, const struct point *point, const char *launch)
{
    struct measured *m = &rows->points->row[rows->points->n];
    memset(m, 0, sizeof *m);
    m->point = *point;
    rows->launch[rows->points->n++] = launch;
}

/* One row per point: the plan has one per point and launch. */
static int rows_init(struct rows *rows, const struct plan *plan)
{
    size_t n = plan->n + plan->n_skipped;
    char *first = malloc(n + 1);
    rows->points->row = malloc((n + 1) * sizeof *rows->points->row);
    rows->launch = malloc((n + 1) * sizeof *rows->launch);
    int failed = !first || !rows->points->row || !rows->launch || mark_first(plan, first) < 0;
    for (size_t k = 0; k < plan->n_launches && !failed; k++) {
        const struct launch *l = &plan->launches[k];
        for (size_t i = l->first; i < l->first + l->n; i++)
            if (first[i])
                add_row(rows, &plan->points[i], l->name);
    }
    for (size_t i = 0; i < plan->n_skipped && !failed; i++)
        if (first[plan->n + i])
            add_row(rows, &plan->skipped[i].point, "");
    free(first);
    return failed ? -1 : 0;
}

/* ---- reasons of what was not measured ---- */

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

static int fill(struct rows *rows, const struct samples *samples, const struct facts *facts,
                struct fates *fates, struct err *err)
{
    for (size_t i = 0; i < rows->points->n; i++) {
        struct measured *m = &rows->points->row[i];
        if (take_series(m, &samples->series[i], facts) < 0)
            return err_set(err, "out of memory");
        if (!samples->series[i].n_parts)
            take_fate(m, rows->launch[i], fates);
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

static int build(const char *dir, const struct facts *facts, struct rows *rows,
                 struct samples *samples, struct err *err)
{
    struct fates fates = { .n = 0 };
    struct row_index index = { .n = 0 };
    int result = index_rows(rows->points, &index, err);
    if (result == 0)
        result = read_events(dir, &fates, err);
    if (result == 0)
        result = read_samples(dir, facts, rows->points, samples, err);
    if (result == 0)
        result = fill(rows, samples, facts, &fates, err);
    if (result == 0)
        result = read_skipped(dir, rows->points, &index, err);
    free(fates.fate);
    free(index.known);
    return result;
}

int points_build(const char *dir, const struct facts *facts, struct points *points,
                 struct samples *samples, struct err *err)
{
    char path[PATH_SIZE];
    struct plan plan;
    struct samples own = { .n = 0 };
    struct rows rows = { .points = points };
    *points = (struct points){ .n = 0 };
    if (fs_path(path, sizeof path, err, "%s/plan.csv", dir) < 0 || plan_read(path, &plan, err) < 0)
        return -1;
    memcpy(points->cluster, facts->cluster, sizeof points->cluster);
    memcpy(points->backend, facts->backend, sizeof points->backend);
    int result = rows_init(&rows, &plan) < 0 ? err_set(err, "out of memory")
                                             : build(dir, facts, &rows, &own, err);
    free(rows.launch);
    plan_free(&plan);
    if (result == 0 && samples)
        *samples = own;
    else
        samples_clear(&own);
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
