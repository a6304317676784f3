/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/measure/points.h"

#include "harness/base/parallel.h"
#include "harness/study/rounds.h"
#include "workloads/schedules/collectives.h"

static int has_time(const struct measured *m)
{
    return point_status_succeeded(m->status) && m->time.value > 0;
}

int measured_by_cell(const void *a, const void *b)
{
    const struct measured *const *x = a, *const *y = b;
    return cell_compare(&(*x)->point.cell, &(*y)->point.cell);
}

int measured_by_id(const void *a, const void *b)
{
    const struct measured *const *x = a, *const *y = b;
    return strcmp((*x)->point.id, (*y)->point.id);
}

int measured_usable(const struct measured *m)
{
    return has_time(m) && (m->doubt == DOUBT_NONE || m->taken);
}

int measured_doubted(const struct measured *m)
{
    return has_time(m) && !measured_usable(m);
}

void points_take_doubted(struct points *points, int taken)
{
    for (size_t i = 0; i < points->n; i++)
        points->row[i].taken = taken;
}

void points_check_bounds(const struct facts *facts, struct points *points)
{
    for (size_t i = 0; i < points->n; i++) {
        struct measured *m = &points->row[i];
        if (m->point.experiment != EXP_TIME)
            continue;
        const struct cell *cell = &m->point.cell;
        const struct bound bound = bound_of(facts, cell, strcmp(m->statistic, "mean_rank") == 0);
        m->bound_s = bound.seconds;
        m->doubt = doubt_of(&bound, cell, m->statistic, m->time.value);
    }
}

double measured_stderr(const struct measured *m, enum statistic statistic)
{
    /* standard error of a median over that of the mean, of so many normal values; at its largest
     * from six on */
    static const double median_over_mean[] = { 1, 1, 1, 1.1602, 1.0922, 1.1976, 1.2533 };
    enum { LAST = sizeof median_over_mean / sizeof *median_over_mean - 1 };
    const size_t n = m->time.launches < LAST ? m->time.launches : LAST;
    return m->time.between_rel * m->time.value / sqrt((double)m->time.launches) *
           (statistic == STATISTIC_MEAN ? 1 : median_over_mean[n]);
}

int points_add_doubted(const struct points *points, const char *collective, struct err *err)
{
    size_t n = 0;
    char before[sizeof err->text];
    for (size_t i = 0; i < points->n; i++)
        n += measured_doubted(&points->row[i]) &&
             (!collective || strcmp(points->row[i].point.cell.collective, collective) == 0);
    snprintf(before, sizeof before, "%s", err->text);
    return n ? err_set(err, "%.400s; %zu time%s %s doubted (points.csv; --doubted takes them)",
                       before, COUNTED(n), of_number(n, "is", "are"))
             : -1;
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
    return by_keys(strcmp(x->id, y->id), ascending(x->row, y->row));
}

/* Marks which rows of the plan (launch after launch, then the skipped) come first of their point.
 */
static void mark_first(const struct plan *plan, char *first)
{
    size_t n = plan->n + plan->n_skipped;
    struct known *known = memory_zeros(n + 1, sizeof *known);
    for (size_t i = 0; i < n; i++) {
        const struct point *p = i < plan->n ? &plan->points[i] : &plan->skipped[i - plan->n].point;
        memcpy(known[i].id, p->id, ID_SIZE);
        known[i].row = i;
    }
    qsort(known, n, sizeof *known, by_id_and_row);
    for (size_t i = 0; i < n; i++)
        first[known[i].row] = i == 0 || strcmp(known[i].id, known[i - 1].id) != 0;
    free(known);
}

static void add_row(struct rows *rows, const struct point *point, const char *launch)
{
    struct measured *m = &rows->points->row[rows->points->n];
    memset(m, 0, sizeof *m);
    m->point = *point;
    rows->launch[rows->points->n++] = launch;
}

/* One row per point: the plan has one per point and launch. */
static void rows_init(struct rows *rows, const struct plan *plan)
{
    size_t n = plan->n + plan->n_skipped;
    char *first = memory_zeros(n + 1, 1);
    rows->points->row = memory_zeros(n + 1, sizeof *rows->points->row);
    rows->launch = memory_zeros(n + 1, sizeof *rows->launch);
    mark_first(plan, first);
    for (size_t k = 0; k < plan->n_launches; k++) {
        const struct launch *l = &plan->launches[k];
        for (size_t i = l->first; i < l->first + l->n; i++)
            if (first[i])
                add_row(rows, &plan->points[i], l->name);
    }
    for (size_t i = 0; i < plan->n_skipped; i++)
        if (first[plan->n + i])
            add_row(rows, &plan->skipped[i].point, "");
    free(first);
}

/* ---- reasons of what was not measured ---- */

static void index_rows(const struct points *p, struct row_index *index)
{
    index->n = p->n;
    index->known = memory_zeros(p->n + 1, sizeof *index->known);
    for (size_t i = 0; i < p->n; i++) {
        memcpy(index->known[i].id, p->row[i].point.id, ID_SIZE);
        index->known[i].row = i;
    }
    qsort(index->known, p->n, sizeof *index->known, by_id);
}

static struct measured *row_of(struct points *p, const struct row_index *index, const char *id)
{
    const struct known *k = bsearch(id, index->known, index->n, sizeof *k, by_id);
    return k ? &p->row[k->row] : NULL;
}

/* skipped.csv: why the points in no launch cannot be measured here. */
static int read_skipped(const char *dir, struct points *p, struct err *err)
{
    struct row_index index = { .known = NULL };
    size_t n;
    struct skipped *skipped = schema_read_any(&skipped_schema, dir, &n, err);
    if (skipped && n)
        index_rows(p, &index);
    for (size_t i = 0; skipped && i < n; i++) {
        struct measured *m = row_of(p, &index, skipped[i].point.id);
        if (m && m->status == POINT_SKIPPED)
            snprintf(m->reason, sizeof m->reason, "%s", skipped[i].reason);
    }
    memory_free(index.known, skipped);
    return skipped ? 0 : -1;
}

/* ---- results ---- */

/* The gravest of what its launches say: a point is ok only where none contradicts. */
static int gravity(enum point_status status)
{
    static const int order[N_POINT_STATUS] = {
        [POINT_SKIPPED] = 0, [POINT_FAILED] = 1,      [POINT_TIMEOUT] = 1,
        [POINT_OK] = 2,      [POINT_SUBSTITUTED] = 3, [POINT_INVALID] = 4,
    };
    return order[status];
}

static void take_outcome(struct measured *m, const struct outcome *o, enum point_status status)
{
    m->status = status;
    snprintf(m->reason, sizeof m->reason, "%s", o->reason);
    snprintf(m->verified, sizeof m->verified, "%s", o->verified);
    snprintf(m->ran_algorithm, sizeof m->ran_algorithm, "%s", o->ran_algorithm);
    m->ran_segment_bytes = *o->ran_algorithm ? (int64_t)o->ran_segment_bytes : -1;
    m->ran_fanout = *o->ran_algorithm ? o->ran_fanout : -1;
}

/* What is being built. */
struct builder {
    struct rows rows;
    const struct facts *facts;
    struct store store;
    int *drift; /* verdict of each sample file's sentinels */
};

/* The verdict of one file's sentinels. */
static int judge_file(const struct builder *b, size_t file, struct err *err)
{
    size_t n, valid = 0;
    struct sample *s = store_sentinels(&b->store, file, &n, err);
    if (!s)
        return -1;
    double *x = memory_zeros(n + 1, sizeof *x);
    for (size_t i = 0; i < n; i++)
        if (s[i].valid && !s[i].warmup)
            x[valid++] = s[i].max_s;
    b->drift[file] = stats_drift(x, valid, NULL);
    memory_free(x, s);
    return 0;
}

/* What the outcomes of a point's launches say together. */
static int take_outcomes(const struct builder *b, struct measured *m, struct err *err)
{
    size_t n, succeeded = 0;
    const struct outcome *o = store_all(&b->store, m->point.id, &n);
    for (size_t k = 0; k < n; k++) {
        enum point_status status = POINT_MISSING;
        if (point_status_parse(o[k].status, &status, err) < 0)
            return -1;
        if (k == 0 || gravity(status) > gravity(m->status))
            take_outcome(m, &o[k], status);
        succeeded += (size_t)point_status_succeeded(status);
        m->drift |= b->drift[o[k].file] == 1;
        m->core_s += o[k].core_s;
        m->late += o[k].late;
        m->clock_error_s = fmax(m->clock_error_s, o[k].clock_error_s);
    }
    if (m->status == POINT_OK && succeeded < n)
        snprintf(m->reason, sizeof m->reason, "%zu of %zu launch%s succeeded", succeeded, n,
                 of_number(n, "", "es"));
    const double wanted_s = b->facts->precision * m->time.value;
    if (m->status == POINT_OK && m->clock_error_s > wanted_s)
        snprintf(m->reason, sizeof m->reason,
                 "the clock's error, %.2g s, is more than the precision wanted (%.2g s)",
                 m->clock_error_s, wanted_s);
    if (point_status_succeeded(m->status) && !m->time.n) {
        m->status = POINT_FAILED;
        snprintf(m->reason, sizeof m->reason, "no valid sample");
    }
    return 0;
}

/* What a point without any outcome is. */
static void take_absence(const struct builder *b, struct measured *m, const char *launch)
{
    struct launch l;
    m->status = *launch ? POINT_MISSING : POINT_SKIPPED;
    snprintf(m->reason, sizeof m->reason, "%s",
             *launch ? "not measured yet" : "cannot be measured here");
    if (!*launch || launch_parse(launch, &l, NULL) < 0)
        return;
    const struct failure *f = store_failure(&b->store, m->point.id, launch, l.repeat);
    if (!f)
        f = store_failure(&b->store, "", launch, l.repeat);
    if (!f)
        return;
    m->status = f->timeout ? POINT_TIMEOUT : POINT_FAILED;
    snprintf(m->reason, sizeof m->reason, "%s", f->reason);
}

/* Is the interval over launches narrow enough, and what does it rest on? */
static void judge_interval(const struct facts *facts, struct measured *m)
{
    const int exact = facts->deterministic && m->time.n;
    snprintf(m->interval, sizeof m->interval, "%s",
             exact ? "exact" : over_method_words[m->time.method]);
    m->converged = exact || !m->time.n ? STAT_NA : m->time.rel_ci <= facts->precision;
}

static int fill_row(const struct builder *b, size_t i, struct err *err)
{
    struct measured *m = &b->rows.points->row[i];
    struct sample_series series;
    if (series_collect(&b->store, &m->point, &series, err) < 0)
        return -1;
    struct sample_set set = series_set(&series);
    const struct facts *facts = b->facts;
    stats_summarize(&set, facts->statistic, facts->confidence, facts->deterministic, &m->time);
    const double mean_rank = series.mean_rank;
    m->disturbed = series.valid ? (double)series.disturbed / (double)series.valid : NAN;
    series_clear(&series);
    m->mean_rank_s = mean_rank;
    if (facts->deterministic)
        m->disturbed = NAN;
    judge_interval(facts, m);
    m->ran_segment_bytes = m->ran_fanout = -1;
    snprintf(m->statistic, sizeof m->statistic, "%s",
             experiment_on_root(m->point.experiment) ? "root" : "max_rank");
    size_t n;
    if (!store_all(&b->store, m->point.id, &n) || !n)
        take_absence(b, m, b->rows.launch[i]);
    else if (take_outcomes(b, m, err) < 0)
        return -1;
    return 0;
}

/* ---- several at a time ---- */

/* Rows that one thread fills in one go, of few files. */
enum { LOT = 128 };

struct lots {
    const struct builder *b;
    size_t n, lot; /* things to do, and how many of them in one go */
    int (*one)(const struct builder *b, size_t i, struct err *err);
    struct err *err; /* of each lot */
    char *failed;
};

static void do_lot(size_t k, void *user)
{
    const struct lots *l = user;
    struct builder b = *l->b;
    store_lend(&l->b->store, &b.store);
    for (size_t i = k * l->lot; i < (k + 1) * l->lot && i < l->n && !l->failed[k]; i++)
        l->failed[k] = l->one(&b, i, &l->err[k]) < 0;
    store_give_back(&b.store);
}

/* Does one thing for each i below n; what is wrong with the first is told. */
static int do_all(const struct builder *b, size_t n, size_t lot,
                  int (*one)(const struct builder *b, size_t i, struct err *err), struct err *err)
{
    const size_t lots = (n + lot - 1) / lot;
    struct lots l = {
        b, n, lot, one, memory_zeros(lots + 1, sizeof *l.err), memory_zeros(lots + 1, 1)
    };
    size_t k = 0;
    parallel_for(lots, do_lot, &l);
    while (k < lots && !l.failed[k])
        k++;
    if (k < lots)
        err_set(err, "%s", l.err[k].text);
    memory_free(l.err, l.failed);
    return k < lots ? -1 : 0;
}

static int fill(struct builder *b, const char *dir, struct err *err)
{
    struct points *p = b->rows.points;
    b->drift = memory_zeros(b->store.n_files + 1, sizeof *b->drift);
    return do_all(b, b->store.n_files, 1, judge_file, err) < 0 ||
                   do_all(b, p->n, LOT, fill_row, err) < 0 || read_skipped(dir, p, err) < 0
               ? -1
               : 0;
}

/* A point that broke its jobs, in whatever round, was not left out. Returns 1 where it did. */
static int take_failure(const struct builder *b, struct measured *m, int rounds)
{
    for (int k = 1; k <= rounds; k++) {
        const struct failure *f = store_failure(&b->store, m->point.id, "", k);
        if (!f)
            continue;
        m->status = f->timeout ? POINT_TIMEOUT : POINT_FAILED;
        snprintf(m->reason, sizeof m->reason, "%s", f->reason);
        return 1;
    }
    return 0;
}

/* What an adaptive plan left out, or measured no further, with the reason. What it waits for where
 * it was interrupted is missing, as in any plan. */
static int take_reasons(struct builder *b, const char *dir, const struct plan *plan,
                        struct err *err)
{
    struct rounds_rule rule;
    struct rounds rounds;
    char reason[REASON_SIZE];
    if (rounds_rule_read(dir, 0, &rule, err) < 0)
        return -1;
    if (!rule.adaptive)
        return 0;
    if (rounds_make(plan, dir, &b->store, &rule, &rounds, err) < 0)
        return -1;
    adaptive_sum_up(&rounds.adaptive);
    for (size_t i = 0; i < b->rows.points->n; i++) {
        struct measured *m = &b->rows.points->row[i];
        if (m->status != POINT_MISSING && !point_status_succeeded(m->status))
            continue;
        if (m->status == POINT_MISSING &&
            (take_failure(b, m, rounds.adaptive.rounds) ||
             (rounds.open && rounds_need(&rounds, m->point.id, rounds.decided) == ROUND_WANTED)))
            continue;
        rounds_reason(&rounds, m->point.id, reason);
        if (*reason && (m->status == POINT_MISSING || !*m->reason))
            snprintf(m->reason, sizeof m->reason, "%s", reason);
        if (*reason && m->status == POINT_MISSING)
            m->status = POINT_SKIPPED;
    }
    rounds_free(&rounds);
    return 0;
}

/* Samples that are all of another digest say nothing of this study: no points are made of that. */
static int check_samples(const char *dir, const struct facts *facts, const struct store *store,
                         struct err *err)
{
    if (store->n_files || store->n_failures || !store->n_other)
        return 0;
    return err_set(
        err,
        "none of the %zu file%s in %s/samples is of this study: their names do not end in "
        "%s, the digest in its manifest.json (sweep again, or restore manifest.json)",
        COUNTED(store->n_other), dir, facts->digest);
}

static int build(const char *dir, const struct facts *facts, const struct plan *plan,
                 struct builder *b, struct err *err)
{
    rows_init(&b->rows, plan);
    if (store_open(dir, *facts->digest ? facts->digest : NULL, &b->store, err) < 0)
        return -1;
    if (check_samples(dir, facts, &b->store, err) == 0 && fill(b, dir, err) == 0 &&
        take_reasons(b, dir, plan, err) == 0)
        return 0;
    store_free(&b->store);
    return -1;
}

int points_build(const char *dir, const struct facts *facts, struct store *store,
                 struct points *points, struct err *err)
{
    char path[PATH_SIZE];
    struct plan plan;
    struct builder b = { .rows.points = points, .facts = facts };
    *points = (struct points){ .n = 0 };
    if (fs_path(path, sizeof path, err, "%s/plan.csv", dir) < 0 || plan_read(path, &plan, err) < 0)
        return -1;
    snprintf(points->cluster, sizeof points->cluster, "%s", facts->cluster);
    snprintf(points->backend, sizeof points->backend, "%s", facts->backend);
    const int result = build(dir, facts, &plan, &b, err);
    memory_free(b.drift, b.rows.launch);
    plan_free(&plan);
    if (result < 0) {
        points_clear(points);
        return -1;
    }
    points_sort(points);
    points_check_bounds(facts, points);
    if (store)
        *store = b.store;
    else
        store_free(&b.store);
    return 0;
}

int points_have(const struct points *points, enum experiment experiment)
{
    return any_below(i, points->n, points->row[i].point.experiment == experiment);
}

/* ---- experiments by cell and candidate ---- */

static int compare_trial(const struct point *a, const struct point *b)
{
    return by_keys(ascending(a->experiment, b->experiment), cell_compare(&a->cell, &b->cell),
                   candidate_compare(&a->candidate, &b->candidate));
}

static int by_trial(const void *left, const void *right, void *rows)
{
    const struct measured *row = rows;
    return compare_trial(&row[*(const size_t *)left].point, &row[*(const size_t *)right].point);
}

void points_sort(struct points *points)
{
    free(points->trials);
    points->n_trials = 0;
    points->trials = memory_zeros(points->n + 1, sizeof *points->trials);
    for (size_t i = 0; i < points->n; i++)
        if (points->row[i].point.experiment != EXP_TIME)
            points->trials[points->n_trials++] = i;
    qsort_r(points->trials, points->n_trials, sizeof *points->trials, by_trial, points->row);
}

void points_keep_plain(struct points *points)
{
    size_t n = 0;
    for (size_t i = 0; i < points->n; i++)
        if (cell_is_plain(&points->row[i].point.cell))
            points->row[n++] = points->row[i];
    if (n == points->n)
        return;
    points->n = n;
    points_sort(points);
}

/* Is it among the sorted ones? */
static int is_sorted_in(const struct points *points, const struct point *wanted)
{
    const size_t n = points->n_trials;
    const size_t at =
        sorted_below(i, n, compare_trial(&points->row[points->trials[i]].point, wanted) >= 0);
    return at < n && compare_trial(&points->row[points->trials[at]].point, wanted) == 0;
}

int points_has(const struct points *points, enum experiment experiment, const struct point *like)
{
    struct point wanted = *like;
    wanted.experiment = experiment;
    if (experiment == EXP_GATHER)
        wanted.cell.root =
            collective_closing_root(like->cell.collective, like->cell.procs, like->cell.root);
    if (points->trials)
        return is_sorted_in(points, &wanted);
    return any_below(i, points->n, compare_trial(&points->row[i].point, &wanted) == 0);
}

CLEARS(points_clear, points, it->row, it->trials)
