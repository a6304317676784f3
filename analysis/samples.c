/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/samples.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/csv.h"
#include "harness/base/fs.h"

static const char *const status_names[N_POINT_STATUS] = {
    [POINT_OK] = "ok",           [POINT_SUBSTITUTED] = "substituted", [POINT_SKIPPED] = "skipped",
    [POINT_FAILED] = "failed",   [POINT_TIMEOUT] = "timeout",         [POINT_INVALID] = "invalid",
    [POINT_MISSING] = "missing",
};

static const char *const sample_columns[] = { "point",  "rep",  "max_s",  "mean_s", "min_s",
                                              "root_s", "at_s", "warmup", "valid",  NULL };
static const char *const outcome_columns[] = {
    "point",      "status", "reason", "verified",  "ran_algorithm", "ran_segment_bytes",
    "ran_fanout", "n_rows", "n",      "converged", "checked",       "elapsed_s",
    "core_s",     NULL
};
enum { S_POINT, S_REP, S_MAX, S_MEAN, S_MIN, S_ROOT, S_AT, S_WARMUP, S_VALID, S_COLUMNS };
enum {
    O_POINT,
    O_STATUS,
    O_REASON,
    O_VERIFIED,
    O_RAN,
    O_RAN_SEGMENT,
    O_RAN_FANOUT,
    O_ROWS,
    O_N,
    O_CONVERGED,
    O_CHECKED,
    O_ELAPSED,
    O_CORE,
    O_COLUMNS
};

static const size_t nowhere = SIZE_MAX;

const char *point_status_name(enum point_status status)
{
    return status_names[status];
}

int point_status_parse(const char *name, enum point_status *status, struct err *err)
{
    for (int i = 0; i < N_POINT_STATUS; i++) {
        if (strcmp(status_names[i], name) == 0) {
            *status = (enum point_status)i;
            return 0;
        }
    }
    return err_set(
        err, "'%s' is not a status (want ok, substituted, skipped, failed, timeout or invalid)",
        name);
}

/* ---- from ids to points ---- */

struct index {
    const uint64_t *id; /* of each point */
    size_t *slot;       /* open addressing; a power of two */
    size_t mask;
};

static int parse_id(const char *text, uint64_t *id)
{
    uint64_t v = 0;
    int i = 0;
    for (; isxdigit((unsigned char)text[i]) && i < 16; i++) {
        int c = text[i];
        v = v << 4 | (uint64_t)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
    }
    *id = v;
    return i == 16 && !text[16] ? 0 : -1;
}

static size_t index_find(const struct index *index, uint64_t id)
{
    for (size_t k = id & index->mask; index->slot[k] != nowhere; k = (k + 1) & index->mask)
        if (index->id[index->slot[k]] == id)
            return index->slot[k];
    return nowhere;
}

static int index_make(struct index *index, uint64_t *id, const struct point *points, size_t n,
                      struct err *err)
{
    size_t slots = 16;
    while (slots < 2 * n)
        slots *= 2;
    index->id = id;
    index->mask = slots - 1;
    index->slot = malloc(slots * sizeof *index->slot);
    if (!index->slot)
        return err_set(err, "out of memory");
    for (size_t k = 0; k < slots; k++)
        index->slot[k] = nowhere;
    for (size_t i = 0; i < n; i++) {
        if (parse_id(points[i].id, &id[i]) < 0)
            return err_set(err, "'%s' is not a point's id", points[i].id);
        if (index_find(index, id[i]) != nowhere)
            return err_set(err, "point '%s' stands twice", points[i].id);
        size_t k = id[i] & index->mask;
        while (index->slot[k] != nowhere)
            k = (k + 1) & index->mask;
        index->slot[k] = i;
    }
    return 0;
}

/* ---- one launch's files ---- */

/* Name of a samples file: <launch>.a<attempt>-<digest>.outcomes.csv, taken apart. */
struct file_name {
    char launch[NAME_SIZE * 2];
    int attempt;
    char digest[9];
};

/* What is being read. */
struct reader {
    const char *dir;
    const struct point *points;
    struct index index;
    struct samples *out;
    struct outcome *outcome; /* of each point in the present file; n_rows counts */
    uint64_t *rows;          /* seen of each point in the present file */
    size_t *begin;           /* where each point's values of the present file begin */
    size_t *touched;         /* points of the present file */
    size_t n_touched;
    unsigned char *state; /* TOUCHED | HAS_OUTCOME per point */
    double *sentinel;
    size_t n_sentinel, cap_sentinel;
};
enum { TOUCHED = 1, HAS_OUTCOME = 2 };

static int grow(double **array, size_t *cap, size_t n)
{
    if (n < *cap)
        return 0;
    size_t more = *cap ? 2 * *cap : 16;
    double *bigger = realloc(*array, more * sizeof **array);
    if (!bigger)
        return -1;
    *array = bigger;
    *cap = more;
    return 0;
}

/* Notes that the present file speaks of point i. */
static void touch(struct reader *r, size_t i)
{
    if (r->state[i] & TOUCHED)
        return;
    r->state[i] = TOUCHED;
    r->rows[i] = 0;
    r->begin[i] = r->out->series[i].n;
    r->touched[r->n_touched++] = i;
}

static void map_columns(const struct csv *csv, const char *const *names, int *column)
{
    for (int i = 0; names[i]; i++)
        column[i] = csv_column(csv, names[i]);
}

static int read_flag(const struct csv *csv, int column, int *flag, struct err *err)
{
    const char *text = csv_text(csv, column);
    if ((text[0] != '0' && text[0] != '1') || text[1])
        return csv_fail(csv, err, "'%s' is not a flag (want 0 or 1)", text);
    *flag = text[0] == '1';
    return 0;
}

/* A number that may be missing (-1). */
static int read_optional(const struct csv *csv, int column, int64_t *value, struct err *err)
{
    uint64_t v;
    *value = -1;
    if (!*csv_text(csv, column))
        return 0;
    if (csv_u64(csv, column, &v, err) < 0)
        return -1;
    if (v > INT64_MAX)
        return csv_fail(csv, err, "'%s' is out of range", csv_text(csv, column));
    *value = (int64_t)v;
    return 0;
}

static int read_amount(const struct csv *csv, int column, double *value, struct err *err)
{
    if (csv_f64(csv, column, value, err) < 0)
        return -1;
    if (*value < 0)
        return csv_fail(csv, err, "%g is negative (want seconds)", *value);
    return 0;
}

static int read_id(const struct csv *csv, int column, uint64_t *id, struct err *err)
{
    if (parse_id(csv_text(csv, column), id) < 0)
        return csv_fail(csv, err, "point: '%.20s' is not an id (want 16 hex digits)",
                        csv_text(csv, column));
    return 0;
}

static int read_outcome(const struct csv *csv, const int *column, struct outcome *o,
                        struct err *err)
{
    int64_t converged;
    uint64_t n;
    if (point_status_parse(csv_text(csv, column[O_STATUS]), &o->status, err) < 0)
        return err_prefix(err, "%s:%zu: status", csv_path(csv), csv_line(csv));
    if (csv_copy(csv, column[O_VERIFIED], o->verified, sizeof o->verified, err) < 0 ||
        csv_copy(csv, column[O_RAN], o->ran_algorithm, sizeof o->ran_algorithm, err) < 0 ||
        read_optional(csv, column[O_RAN_SEGMENT], &o->ran_segment_bytes, err) < 0 ||
        read_optional(csv, column[O_RAN_FANOUT], &o->ran_fanout, err) < 0 ||
        csv_u64(csv, column[O_ROWS], &o->n_rows, err) < 0 ||
        csv_u64(csv, column[O_N], &n, err) < 0 ||
        read_optional(csv, column[O_CONVERGED], &converged, err) < 0 ||
        read_flag(csv, column[O_CHECKED], &o->checked, err) < 0 ||
        read_amount(csv, column[O_ELAPSED], &o->elapsed_s, err) < 0 ||
        read_amount(csv, column[O_CORE], &o->core_s, err) < 0)
        return -1;
    if (converged > 1)
        return csv_fail(csv, err, "converged: '%s' is not a flag (want 0, 1 or nothing)",
                        csv_text(csv, column[O_CONVERGED]));
    if (n > o->n_rows)
        return csv_fail(csv, err, "n: %llu valid samples of %llu rows", (unsigned long long)n,
                        (unsigned long long)o->n_rows);
    o->converged = converged < 0 ? STAT_NA : (int)converged;
    snprintf(o->reason, sizeof o->reason, "%s", csv_text(csv, column[O_REASON]));
    return 0;
}

/* Reads an outcomes file into r->outcome. */
static int read_outcomes(struct reader *r, const char *path, struct err *err)
{
    int column[O_COLUMNS], got;
    struct csv *csv = csv_open(path, outcome_columns, err);
    if (!csv)
        return -1;
    map_columns(csv, outcome_columns, column);
    while ((got = csv_next(csv, err)) == 1) {
        struct outcome outcome;
        uint64_t id;
        if (read_id(csv, column[O_POINT], &id, err) < 0 ||
            read_outcome(csv, column, &outcome, err) < 0)
            break;
        size_t i = index_find(&r->index, id);
        if (i == nowhere)
            continue;
        touch(r, i);
        if (r->state[i] & HAS_OUTCOME) {
            csv_fail(csv, err, "point '%s' has two outcomes", r->points[i].id);
            break;
        }
        r->state[i] |= HAS_OUTCOME;
        r->outcome[i] = outcome;
    }
    csv_close(csv);
    return got == 0 ? 0 : -1;
}

/* One timed call. */
struct sample {
    double max_s, mean_s, min_s, root_s, at_s;
    int warmup, valid;
};

static int read_sample(const struct csv *csv, const int *column, struct sample *s, struct err *err)
{
    uint64_t rep;
    if (csv_u64(csv, column[S_REP], &rep, err) < 0 ||
        read_amount(csv, column[S_MAX], &s->max_s, err) < 0 ||
        read_amount(csv, column[S_MEAN], &s->mean_s, err) < 0 ||
        read_amount(csv, column[S_MIN], &s->min_s, err) < 0 ||
        read_amount(csv, column[S_ROOT], &s->root_s, err) < 0 ||
        read_amount(csv, column[S_AT], &s->at_s, err) < 0 ||
        read_flag(csv, column[S_WARMUP], &s->warmup, err) < 0 ||
        read_flag(csv, column[S_VALID], &s->valid, err) < 0)
        return -1;
    if (s->valid && (isnan(s->max_s) || isnan(s->root_s)))
        return csv_fail(csv, err, "a valid sample has no time");
    if (s->min_s > s->max_s)
        return csv_fail(csv, err, "min_s %g is above max_s %g", s->min_s, s->max_s);
    return 0;
}

static int keep(struct reader *r, size_t i, const struct sample *s)
{
    struct series *series = &r->out->series[i];
    if (grow(&series->value, &series->cap, series->n) < 0)
        return -1;
    series->value[series->n++] = r->points[i].experiment == EXP_TIME ? s->max_s : s->root_s;
    return 0;
}

static int keep_sentinel(struct reader *r, const struct sample *s)
{
    if (grow(&r->sentinel, &r->cap_sentinel, r->n_sentinel) < 0)
        return -1;
    r->sentinel[r->n_sentinel++] = s->max_s;
    return 0;
}

/* Takes the current row. */
static int take_row(struct reader *r, const struct csv *csv, const int *column, struct err *err)
{
    struct sample s;
    uint64_t id = 0;
    int sentinel = strcmp(csv_text(csv, column[S_POINT]), "sentinel") == 0;
    if ((!sentinel && read_id(csv, column[S_POINT], &id, err) < 0) ||
        read_sample(csv, column, &s, err) < 0)
        return -1;
    r->out->rows++;
    int counts = s.valid && !s.warmup, kept = 0;
    if (sentinel) {
        kept = counts ? keep_sentinel(r, &s) : 0;
    } else {
        size_t i = index_find(&r->index, id);
        if (i == nowhere) {
            r->out->foreign++;
            return 0;
        }
        touch(r, i);
        r->rows[i]++;
        kept = counts && r->state[i] & HAS_OUTCOME ? keep(r, i, &s) : 0;
    }
    return kept < 0 ? err_set(err, "%s: out of memory", csv_path(csv)) : 0;
}

static int read_rows(struct reader *r, const char *path, struct err *err)
{
    int column[S_COLUMNS], got;
    if (!fs_exists(path))
        return 0;
    struct csv *csv = csv_open(path, sample_columns, err);
    if (!csv)
        return -1;
    map_columns(csv, sample_columns, column);
    while ((got = csv_next(csv, err)) == 1)
        if (take_row(r, csv, column, err) < 0)
            break;
    csv_close(csv);
    return got == 0 ? 0 : -1;
}

/* ---- finished points ---- */

static int succeeded(const struct outcome *o)
{
    return o->status == POINT_OK || o->status == POINT_SUBSTITUTED;
}

static size_t launch_index(struct samples *s, const char *launch)
{
    if (s->n_launches && strcmp(s->launches[s->n_launches - 1], launch) == 0)
        return s->n_launches - 1; /* files come in order of launch */
    char **more = realloc(s->launches, (s->n_launches + 1) * sizeof *more);
    if (!more)
        return nowhere;
    s->launches = more;
    if (!(more[s->n_launches] = strdup(launch)))
        return nowhere;
    return s->n_launches++;
}

/* Drops the values of the present file again. */
static void drop(struct reader *r, size_t i)
{
    r->out->series[i].n = r->begin[i];
}

/* Moves the present file's values over those of the last part, which they replace. */
static void replace_last(struct series *s, size_t begin)
{
    size_t from = s->n_parts > 1 ? s->parts[s->n_parts - 2].end : 0;
    memmove(s->value + from, s->value + begin, (s->n - begin) * sizeof *s->value);
    s->n -= begin - from;
    s->n_parts--;
}

static int commit(struct reader *r, size_t i, size_t launch, int drift)
{
    struct series *s = &r->out->series[i];
    struct outcome *o = &r->outcome[i];
    struct part *last = s->n_parts ? &s->parts[s->n_parts - 1] : NULL;
    if (last && last->launch == launch) {
        if (succeeded(&last->outcome)) {
            drop(r, i);
            return 0;
        }
        replace_last(s, r->begin[i]);
    }
    struct part *parts = realloc(s->parts, (s->n_parts + 1) * sizeof *parts);
    if (!parts)
        return -1;
    s->parts = parts;
    if (!succeeded(o) && o->status != POINT_INVALID)
        s->n = s->n_parts ? parts[s->n_parts - 1].end : 0; /* what a failed point timed */
    parts[s->n_parts++] =
        (struct part){ .launch = launch, .end = s->n, .drift = drift, .outcome = *o };
    return 0;
}

/* Decides about every point of the present file. */
static int finish_file(struct reader *r, const char *launch, struct err *err)
{
    size_t l = launch_index(r->out, launch);
    int drift = stats_drift(r->sentinel, r->n_sentinel, NULL), failed = l == nowhere;
    for (size_t k = 0; k < r->n_touched && !failed; k++) {
        size_t i = r->touched[k];
        if (r->state[i] & HAS_OUTCOME && r->rows[i] == r->outcome[i].n_rows) {
            failed = commit(r, i, l, drift) < 0;
        } else {
            r->out->unfinished += r->rows[i];
            drop(r, i);
        }
        r->state[i] = 0;
    }
    r->n_touched = r->n_sentinel = 0;
    return failed ? err_set(err, "out of memory") : 0;
}

/* ---- the directory ---- */

static const char outcomes_suffix[] = ".outcomes.csv";

static int ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static int is_outcomes(const struct dirent *entry)
{
    return ends_with(entry->d_name, outcomes_suffix);
}

/* Takes a file name apart; -1 when it is not one of ours. */
static int split_name(const char *name, struct file_name *f)
{
    char stem[256];
    int end = 0;
    size_t len = strlen(name) - strlen(outcomes_suffix);
    if (len < 12 || len >= sizeof stem || name[len - 9] != '-')
        return -1;
    snprintf(stem, sizeof stem, "%.*s", (int)(len - 9), name);
    snprintf(f->digest, sizeof f->digest, "%.8s", name + len - 8);
    char *attempt = strrchr(stem, '.');
    if (!attempt || sscanf(attempt, ".a%9d%n", &f->attempt, &end) != 1 || attempt[end])
        return -1;
    *attempt = '\0';
    return snprintf(f->launch, sizeof f->launch, "%s", stem) < (int)sizeof f->launch ? 0 : -1;
}

/* By launch, then attempt: samples are concatenated in this order. */
static int by_attempt(const struct dirent **a, const struct dirent **b)
{
    struct file_name x = { .attempt = 0 }, y = { .attempt = 0 };
    if (split_name((*a)->d_name, &x) < 0 || split_name((*b)->d_name, &y) < 0)
        return strcmp((*a)->d_name, (*b)->d_name);
    int c = strcmp(x.launch, y.launch);
    if (!c)
        c = (x.attempt > y.attempt) - (x.attempt < y.attempt);
    return c ? c : strcmp(x.digest, y.digest);
}

static int read_launch(struct reader *r, const char *name, const char *digest, struct err *err)
{
    struct file_name f;
    char path[PATH_SIZE];
    if (split_name(name, &f) < 0)
        return err_set(err,
                       "%s/samples/%s: is not named as a samples file (want "
                       "<launch>.a<attempt>-<8 hex digits>.outcomes.csv)",
                       r->dir, name);
    if (digest && *digest && strcmp(digest, f.digest) != 0)
        return 0;
    if (fs_path(path, sizeof path, err, "%s/samples/%s", r->dir, name) < 0 ||
        read_outcomes(r, path, err) < 0)
        return -1;
    if (fs_path(path, sizeof path, err, "%s/samples/%s.a%d-%s.csv", r->dir, f.launch, f.attempt,
                f.digest) < 0 ||
        read_rows(r, path, err) < 0)
        return -1;
    r->out->files++;
    return finish_file(r, f.launch, err);
}

static int read_directory(struct reader *r, const char *digest, struct err *err)
{
    char path[PATH_SIZE];
    struct dirent **names;
    if (fs_path(path, sizeof path, err, "%s/samples", r->dir) < 0)
        return -1;
    int n = scandir(path, &names, is_outcomes, by_attempt), result = 0;
    if (n < 0)
        return errno == ENOENT ? 0 : err_errno(err, "cannot read '%s'", path);
    for (int i = 0; i < n; i++) {
        if (result == 0)
            result = read_launch(r, names[i]->d_name, digest, err);
        free(names[i]);
    }
    free(names);
    return result;
}

static int reader_init(struct reader *r, uint64_t **id, struct err *err)
{
    size_t n = r->out->n + 1;
    *id = calloc(n, sizeof **id);
    r->outcome = calloc(n, sizeof *r->outcome);
    r->rows = calloc(n, sizeof *r->rows);
    r->begin = calloc(n, sizeof *r->begin);
    r->touched = calloc(n, sizeof *r->touched);
    r->state = calloc(n, sizeof *r->state);
    r->out->series = calloc(n, sizeof *r->out->series);
    if (!*id || !r->outcome || !r->rows || !r->begin || !r->touched || !r->state || !r->out->series)
        return err_set(err, "out of memory");
    return index_make(&r->index, *id, r->points, r->out->n, err);
}

static void reader_clear(struct reader *r, uint64_t *id)
{
    free(id);
    free(r->index.slot);
    free(r->outcome);
    free(r->rows);
    free(r->begin);
    free(r->touched);
    free(r->state);
    free(r->sentinel);
}

int samples_read(const char *dir, const char *digest, const struct point *points, size_t n,
                 struct samples *samples, struct err *err)
{
    *samples = (struct samples){ .n = n };
    struct reader r = { .dir = dir, .points = points, .out = samples };
    uint64_t *id = NULL;
    int result = reader_init(&r, &id, err);
    if (result == 0)
        result = read_directory(&r, digest, err);
    reader_clear(&r, id);
    if (result < 0)
        samples_clear(samples);
    return result;
}

struct sample_set series_set(const struct series *series, size_t *launch_end)
{
    size_t launches = 0;
    for (size_t k = 0, begin = 0; k < series->n_parts; begin = series->parts[k++].end)
        if (series->parts[k].end > begin)
            launch_end[launches++] = series->parts[k].end;
    return (struct sample_set){
        .value = series->value, .n = series->n, .launch_end = launch_end, .launches = launches
    };
}

void samples_clear(struct samples *samples)
{
    for (size_t i = 0; samples->series && i < samples->n; i++) {
        free(samples->series[i].value);
        free(samples->series[i].parts);
    }
    free(samples->series);
    for (size_t i = 0; i < samples->n_launches; i++)
        free(samples->launches[i]);
    free(samples->launches);
    *samples = (struct samples){ .n = 0 };
}
