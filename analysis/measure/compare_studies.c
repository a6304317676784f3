/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/measure/compare_studies.h"

#include <sys/stat.h>
#include <unistd.h>

#include "analysis/measure/equivalent.h"
#include "harness/study/manifest.h"

/* The schedule of a point; 0 where it has none. */
static int schedule_of(const struct point *p, struct schedule *s)
{
    return equivalent_schedule(NULL, &p->cell, &p->candidate, s, NULL) == 0;
}

static struct twin_key key_of(const struct point *p)
{
    struct twin_key key = { .experiment = p->experiment,
                            .cell = p->cell,
                            .candidate = equivalent_candidate(&p->cell, &p->candidate),
                            .gather_bytes = p->gather_bytes,
                            .channel = p->channel };
    memset(key.cell.mpi, 0, sizeof key.cell.mpi);
    if (p->channel != CHANNEL_NONE) { /* the machine's, wherever the launch put its other ranks */
        memset(key.cell.mapping, 0, sizeof key.cell.mapping);
        key.cell.nodes = key.cell.ppn = 0;
    }
    return key;
}

static int key_compare(const struct twin_key *a, const struct twin_key *b)
{
    return by_keys(ascending(a->experiment, b->experiment), cell_compare(&a->cell, &b->cell),
                   candidate_compare(&a->candidate, &b->candidate),
                   (int)a->channel - (int)b->channel, ascending(a->gather_bytes, b->gather_bytes));
}

static int by_key(const void *a, const void *b)
{
    const struct twin *x = a, *y = b;
    return by_keys(key_compare(&x->key, &y->key), ascending(x->measured, y->measured));
}

/* How alike a twin is besides: library, name, and whether it has a time at all. */
static int likeness(const struct measured *m, const struct point *p)
{
    return 4 * measured_usable(m) + 2 * (strcmp(m->point.cell.mpi, p->cell.mpi) == 0) +
           (strcmp(m->point.candidate.algorithm, p->candidate.algorithm) == 0);
}

const struct measured *compare_studies_find(const struct compare_studies *against,
                                            const struct point *point)
{
    const struct twin_key key = key_of(point);
    const struct measured *best = NULL;
    size_t low = sorted_below(i, against->n, key_compare(&against->twin[i].key, &key) >= 0);
    for (; low < against->n && key_compare(&against->twin[low].key, &key) == 0; low++) {
        const struct measured *m = against->twin[low].measured;
        if (!best || likeness(m, point) > likeness(best, point))
            best = m;
    }
    return best;
}

/* 1 when points.csv tells all that was measured. */
static int is_fresh(const char *points, const char *events)
{
    struct stat p, e;
    if (stat(points, &p) < 0)
        return 0;
    if (stat(events, &e) < 0)
        return 1;
    return p.st_mtim.tv_sec > e.st_mtim.tv_sec ||
           (p.st_mtim.tv_sec == e.st_mtim.tv_sec && p.st_mtim.tv_nsec >= e.st_mtim.tv_nsec);
}

static int read_points(const char *dir, struct points *points, struct err *err)
{
    char csv[PATH_SIZE], events[PATH_SIZE];
    struct facts facts;
    if (fs_path(csv, sizeof csv, err, "%s/points.csv", dir) < 0 ||
        fs_path(events, sizeof events, err, "%s/events.jsonl", dir) < 0)
        return -1;
    if (is_fresh(csv, events))
        return points_read(dir, 0, points, err);
    return facts_read(dir, &facts, err) < 0 ? -1 : points_build(dir, &facts, NULL, points, err);
}

int compare_studies_open(const char *dir, int doubted, struct compare_studies *against,
                         struct err *err)
{
    *against = (struct compare_studies){ .n = 0 };
    if (fs_path(against->dir, sizeof against->dir, err, "%s", dir) < 0 ||
        read_points(dir, &against->points, err) < 0)
        return err_prefix(err, "to compare with");
    points_take_doubted(&against->points, doubted);
    against->twin = memory_zeros(against->points.n + 1, sizeof *against->twin);
    for (size_t i = 0; i < against->points.n; i++) {
        const struct measured *m = &against->points.row[i];
        against->twin[against->n++] = (struct twin){ key_of(&m->point), m };
    }
    qsort(against->twin, against->n, sizeof *against->twin, by_key);
    return 0;
}

void compare_studies_close(struct compare_studies *against)
{
    points_clear(&against->points);
    free(against->twin);
    *against = (struct compare_studies){ .n = 0 };
}

/* The simulation beside a walked study, whose directory is DIR-walk: DIR-sim, or DIR where that is
 * one. */
static const char *beside_walk(const char *dir, char *buf, size_t size)
{
    static const char walked[] = "-walk";
    static const char *const endings[] = { "-sim", "" };
    const size_t n = strlen(dir), end = sizeof walked - 1;
    char path[PATH_SIZE], backend[NAME_SIZE];
    for (size_t i = 0; n > end && strcmp(dir + n - end, walked) == 0 && i < 2; i++) {
        if (fs_path(path, sizeof path, NULL, "%.*s%s", (int)(n - end), dir, endings[i]) < 0)
            continue;
        /* one that cannot be read is taken, so that who reads it says why */
        if (manifest_backend(path, backend, sizeof backend, NULL) < 0 ||
            strcmp(backend, "sim") == 0) {
            snprintf(buf, size, "%s", path);
            break;
        }
    }
    return buf;
}

const char *compare_studies_choose(const char *asked, const char *dir, const char *backend,
                                   char *buf, size_t size)
{
    char probe[PATH_SIZE];
    *buf = '\0';
    if (asked) {
        snprintf(buf, size, "%s", strcmp(asked, "none") == 0 ? "" : asked);
        return buf;
    }
    if (strcmp(backend, "walk") == 0)
        return beside_walk(dir, buf, size);
    if (strcmp(backend, "emulated") != 0 && strcmp(backend, "slurm") != 0)
        return buf;
    if (fs_path(probe, sizeof probe, NULL, "%s-sim/manifest.json", dir) == 0 && fs_exists(probe))
        fs_path(buf, size, NULL, "%s-sim", dir);
    return buf;
}

const char *const compare_studies_status_words[N_AGAINST_STATUS + 1] = {
    [COMPARE_STUDIES_OK] = "ok",
    [COMPARE_STUDIES_NO_TIME] = "not_measured",
    [COMPARE_STUDIES_SUBSTITUTED] = "substituted",
    [COMPARE_STUDIES_NO_TWIN] = "no_twin",
    [COMPARE_STUDIES_NO_TIME_THERE] = "not_measured_there",
    [COMPARE_STUDIES_OTHER_TIME] = "other_statistic",
};

/* 1 when something ran that the point's schedule does not stand for. */
static int ran_otherwise(const struct measured *m)
{
    struct schedule s;
    char runs[NAME_SIZE];
    return m->status == POINT_SUBSTITUTED && *m->ran_algorithm && schedule_of(&m->point, &s) &&
           strcmp(equivalent_name(m->point.candidate.algorithm, &s, runs, sizeof runs),
                  m->ran_algorithm) != 0;
}

/* The mean over ranks; NaN where it is not known. */
static double mean_rank_seconds(const struct measured *m)
{
    return strcmp(m->statistic, "mean_rank") == 0 ? m->time.value : m->mean_rank_s;
}

/* 1 when both points tell the same time of theirs. */
static int one_statistic(const struct comparison *c)
{
    return strcmp(c->here->statistic, c->there->statistic) == 0;
}

/* The ratio of two times of one statistic. */
static void compare_times(struct comparison *c)
{
    if (!one_statistic(c)) {
        const double here_s = mean_rank_seconds(c->here), there_s = mean_rank_seconds(c->there);
        if (!(here_s > 0) || !(there_s > 0)) {
            c->status = COMPARE_STUDIES_OTHER_TIME;
            return;
        }
        c->here_s = here_s;
        c->there_s = there_s;
        c->statistic = "mean_rank";
    }
    c->ratio = c->here_s / c->there_s;
}

struct comparison compare_studies_compare(const struct compare_studies *against,
                                          const struct measured *here)
{
    struct comparison c = { .here = here,
                            .there = compare_studies_find(against, &here->point),
                            .statistic = here->statistic,
                            .here_s = measured_usable(here) ? here->time.value : NAN,
                            .there_s = NAN,
                            .ratio = NAN };
    if (c.there && measured_usable(c.there) && one_statistic(&c))
        c.there_s = c.there->time.value;
    if (!measured_usable(here))
        c.status = COMPARE_STUDIES_NO_TIME;
    else if (ran_otherwise(here))
        c.status = COMPARE_STUDIES_SUBSTITUTED;
    else if (!c.there)
        c.status = COMPARE_STUDIES_NO_TWIN;
    else if (!measured_usable(c.there) || ran_otherwise(c.there))
        c.status = COMPARE_STUDIES_NO_TIME_THERE;
    else
        compare_times(&c);
    return c;
}

/* clang-format off */
static const struct schema_column columns[] = {
    POINT_COLUMNS(compared, point),
    COLUMN(compared, NAME, "backend", backend, "", "by which it was measured here"),
    COLUMN(compared, REAL, "measured_s", here_s, "s", "the time here (points.csv `time_s`); empty: not measured"),
    COLUMN(compared, REAL, "ci_low_s", ci_low_s, "s", "its interval at the study's confidence"),
    COLUMN(compared, REAL, "ci_high_s", ci_high_s, "s", "its other end"),
    COLUMN(compared, NAME, "against_backend", against_backend, "", "by which it was measured there"),
    COLUMN(compared, NAME, "against_mpi", against_mpi, "", "the library there; empty: there is no such point"),
    COLUMN(compared, NAME, "against_algorithm", twin, "", "its name there"),
    COLUMN(compared, REAL, "against_s", there_s, "s", "the time there"),
    COLUMN(compared, REAL, "ratio", ratio, "", "here over there"),
    COLUMN(compared, WORD, "status", status, "", "`not_measured`: not here; `substituted`: here something ran that has no twin; `no_twin`: the other study has no such point; `not_measured_there`: it has, but without a time, or something else ran; `other_statistic`: no statistic is known of both", .words = compare_studies_status_words),
    COLUMN(compared, NAME, "statistic", statistic, "", "of both times: `max_rank`, `mean_rank` or `root`", .optional = 1),
};
/* clang-format on */

static int check(void *row, struct err *err)
{
    return point_check(&((const struct compared *)row)->point, err);
}

SCHEMA(compared_schema, compared, columns, "comparison.csv",
       "Where the study is compared with another one (`--against`): one row per point, in the "
       "order of points.csv, with its twin there.",
       .check = check);

static struct compared row_of(const struct points *points, const struct compare_studies *against,
                              const struct measured *here)
{
    const struct comparison c = compare_studies_compare(against, here);
    const int own = measured_usable(here) && strcmp(c.statistic, here->statistic) == 0;
    struct compared r = { .point = here->point,
                          .here_s = c.here_s,
                          .ci_low_s = own ? here->time.ci_low : NAN,
                          .ci_high_s = own ? here->time.ci_high : NAN,
                          .there_s = c.there_s,
                          .ratio = c.ratio,
                          .status = c.status };
    memcpy(r.backend, points->backend, sizeof r.backend);
    memcpy(r.against_backend, against->points.backend, sizeof r.against_backend);
    snprintf(r.statistic, sizeof r.statistic, "%s", c.statistic);
    if (c.there) {
        memcpy(r.against_mpi, c.there->point.cell.mpi, sizeof r.against_mpi);
        memcpy(r.twin, c.there->point.candidate.algorithm, sizeof r.twin);
    }
    return r;
}

int compare_studies_write(const char *dir, const struct points *points,
                          const struct compare_studies *against, struct err *err)
{
    char path[PATH_SIZE];
    struct whole_file f;
    struct csvw w;
    if (fs_path(path, sizeof path, err, "%s/%s", dir, compared_schema.path) < 0)
        return -1;
    if (!against)
        return unlink(path) == 0 || errno == ENOENT ? 0 : err_errno(err, "%s", path);
    if (schema_begin(&compared_schema, path, NULL, &f, &w, err) < 0)
        return -1;
    for (size_t i = 0; i < points->n; i++) {
        const struct compared r = row_of(points, against, &points->row[i]);
        schema_row(&w, &compared_schema, &r);
    }
    return fs_commit(&f, err);
}

/* A point with its times in both studies. */
struct both {
    const struct point *point;
    double here_s, there_s;
};

static int by_cell(const void *a, const void *b)
{
    const struct both *x = a, *y = b;
    return by_keys(cell_compare_context(&x->point->cell, &y->point->cell),
                   cell_compare(&x->point->cell, &y->point->cell));
}

static size_t find_pairs(const struct points *points, const struct compare_studies *against,
                         struct both *pair)
{
    size_t n = 0;
    for (size_t i = 0; i < points->n; i++) {
        const struct comparison c = compare_studies_compare(against, &points->row[i]);
        if (c.status == COMPARE_STUDIES_OK && c.here_s >= 0 && c.there_s > 0)
            pair[n++] = (struct both){ &points->row[i].point, c.here_s, c.there_s };
    }
    qsort(pair, n, sizeof *pair, by_cell);
    return n;
}

static void add_errors(struct agreement *row, const struct both *pair, size_t n)
{
    double *pct = memory_zeros(n, sizeof *pct);
    row->points = n;
    row->worst = *pair[0].point;
    for (size_t i = 0; i < n; i++) {
        pct[i] = fabs(longer_pct(pair[i].here_s, pair[i].there_s));
        if (pct[i] > row->worst_pct) {
            row->worst_pct = pct[i];
            row->worst = *pair[i].point;
        }
    }
    stats_sort(pct, n);
    row->median_pct = stats_quantile(pct, n, 0.5);
    row->p95_pct = stats_quantile(pct, n, 0.95);
    free(pct);
}

/* One cell's pairs: of the candidates of its grid, the fastest here and there. */
static void add_cell(struct agreement *row, const struct both *pair, size_t n)
{
    const struct both *here = NULL, *there = NULL;
    size_t candidates = 0;
    for (size_t i = 0; i < n; i++) {
        if (pair[i].point->experiment != EXP_TIME || pair[i].point->purpose != FOR_STUDY)
            continue;
        candidates++;
        here = !here || pair[i].here_s < here->here_s ? &pair[i] : here;
        there = !there || pair[i].there_s < there->there_s ? &pair[i] : there;
    }
    if (candidates < 2)
        return;
    const double loss_pct = longer_pct(here->there_s, there->there_s);
    row->cells++;
    row->agreed += loss_pct <= 0;
    row->mean_loss_pct += loss_pct;
    if (row->cells == 1 || loss_pct > row->worst_loss_pct) {
        row->worst_loss_pct = loss_pct;
        row->worst_cell = here->point->cell;
    }
}

static void add_cells(struct agreement *row, const struct both *pair, size_t n)
{
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1;
             end < n && cell_compare(&pair[i].point->cell, &pair[end].point->cell) == 0;)
            end++;
        add_cell(row, pair + i, end - i);
    }
    row->mean_loss_pct /= row->cells ? (double)row->cells : 1;
}

void agreements_make(const struct points *points, const struct compare_studies *against,
                     struct agreements *agreements)
{
    struct both *pair = memory_zeros(points->n + 1, sizeof *pair);
    const size_t n = find_pairs(points, against, pair);
    *agreements = (struct agreements){ .n = 0 };
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1;
             end < n && cell_compare_context(&pair[i].point->cell, &pair[end].point->cell) == 0;)
            end++;
        struct agreement *row = array_add(&agreements->row, &agreements->n);
        row->context = pair[i].point->cell;
        add_errors(row, pair + i, end - i);
        add_cells(row, pair + i, end - i);
    }
    free(pair);
}

CLEARS(agreements_clear, agreements, it->row)
