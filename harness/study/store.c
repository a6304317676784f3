/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/store.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/fs.h"
#include "harness/base/array.h"
#include "harness/base/text.h"
#include "harness/study/journal.h"

/* ---- names ---- */

static int is_hex8(const char *text)
{
    return strspn(text, "0123456789abcdef") == 8;
}

int store_parse_name(const char *name, struct launch *launch, int *attempt, char digest[16])
{
    char base[LAUNCH_SIZE];
    const char *dot = strchr(name, '.');
    char *end;
    if (!dot || dot == name || (size_t)(dot - name) >= sizeof base || strncmp(dot, ".a", 2) != 0)
        return 0;
    memcpy(base, name, (size_t)(dot - name));
    base[dot - name] = '\0';
    long n = strtol(dot + 2, &end, 10);
    if (end == dot + 2 || n < 1 || n > 1000000 || *end != '-' || !is_hex8(end + 1))
        return 0;
    if (strcmp(end + 9, ".csv") != 0 || launch_parse(base, launch, NULL) < 0)
        return 0;
    *attempt = (int)n;
    snprintf(digest, 16, "%.8s", end + 1);
    return 1;
}

/* ---- rows ---- */

/* A sample row with its point, before they are sorted. */
struct row {
    uint64_t id;
    size_t order;
    struct sample sample;
};

struct rows {
    struct row *v;
    size_t n;
};

static int by_id(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

/* 1 when the file has a whole header line, 0 when it is not there or has less, as a job that is
 * killed at once leaves it, -1 with *err when it cannot be read. */
static int has_header(const char *path, struct err *err)
{
    char *line = NULL;
    size_t cap = 0;
    ssize_t n;
    int found = 0;
    FILE *f = fopen(path, "re");
    if (!f)
        return errno == ENOENT ? 0 : err_errno(err, "cannot open '%s'", path);
    while (!found && (n = getline(&line, &cap, f)) > 0)
        found = line[0] != '#' && line[n - 1] == '\n';
    if (ferror(f))
        found = err_errno(err, "cannot read '%s'", path);
    fclose(f);
    free(line);
    return found;
}

/* Copies the sorted rows into the file's own arrays. */
static int keep_rows(struct rows *rows, struct sample_file *file, struct err *err)
{
    size_t n = rows->n;
    if (n)
        qsort(rows->v, n, sizeof *rows->v, by_id);
    file->ids = malloc((n + 1) * sizeof *file->ids);
    file->samples = malloc((n + 1) * sizeof *file->samples);
    if (!file->ids || !file->samples)
        return err_set(err, "out of memory");
    for (size_t i = 0; i < n; i++) {
        file->ids[i] = rows->v[i].id;
        file->samples[i] = rows->v[i].sample;
    }
    file->n = n;
    return 0;
}

static uint64_t number_of(const char *id)
{
    return strcmp(id, "sentinel") == 0 ? SENTINEL_ID : strtoull(id, NULL, 16);
}

static int read_rows(struct schema_reader *in, struct rows *rows, struct err *err)
{
    struct sample_row r;
    int got;
    while ((got = schema_next(in, &r, err)) == 1) {
        struct row *row = array_add(&rows->v, &rows->n);
        if (!row)
            return err_set(err, "out of memory");
        *row = (struct row){ number_of(r.point), rows->n - 1, r.sample };
    }
    return got;
}

static int read_samples(struct sample_file *file, struct err *err)
{
    struct rows rows = { 0 };
    struct schema_reader in;
    const int header = has_header(file->path, err);
    if (header < 0)
        return -1;
    if (!header) {
        file->truncated = 1;
        return keep_rows(&rows, file, err);
    }
    if (schema_open(&in, &sample_schema, file->path, err) < 0)
        return -1;
    int status = read_rows(&in, &rows, err);
    file->truncated = csv_truncated(in.csv);
    schema_close(&in);
    if (status == 0)
        status = keep_rows(&rows, file, err);
    free(rows.v);
    return status;
}

/* ---- outcomes ---- */

/* Index of the first row of an id, and how many there are. */
static size_t rows_of(const struct sample_file *file, uint64_t id, size_t *count)
{
    size_t low = 0, high = file->n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (file->ids[mid] < id)
            low = mid + 1;
        else
            high = mid;
    }
    size_t end = low;
    while (end < file->n && file->ids[end] == id)
        end++;
    *count = end - low;
    return low;
}

static int add_outcome(struct store *store, const struct outcome *o, struct err *err)
{
    struct outcome *added = array_add(&store->outcomes, &store->n_outcomes);
    if (!added)
        return err_set(err, "out of memory");
    *added = *o;
    return 0;
}

static int doubled(const struct store *store, size_t first, const char *point)
{
    for (size_t i = first; i < store->n_outcomes; i++)
        if (strcmp(store->outcomes[i].point, point) == 0)
            return 1;
    return 0;
}

static int read_outcome_rows(struct store *store, size_t file, struct schema_reader *in,
                             struct err *err)
{
    size_t first = store->n_outcomes, rows;
    struct outcome o;
    int got;
    while ((got = schema_next(in, &o, err)) == 1) {
        if (doubled(store, first, o.point))
            return csv_fail(in->csv, err, "point: '%s' has two outcomes", o.point);
        rows_of(&store->files[file], number_of(o.point), &rows);
        o.file = file;
        o.repeat = store->files[file].launch.repeat;
        if (rows == o.n_rows && add_outcome(store, &o, err) < 0)
            return -1;
    }
    return got;
}

/* "X.csv" -> "X.outcomes.csv". */
static int outcomes_path(const struct sample_file *file, char *path, size_t size, struct err *err)
{
    return fs_path(path, size, err, "%.*s.outcomes.csv", (int)strlen(file->path) - 4, file->path);
}

static int read_outcomes(struct store *store, size_t file, struct err *err)
{
    char path[PATH_SIZE];
    if (outcomes_path(&store->files[file], path, sizeof path, err) < 0)
        return -1;
    struct schema_reader in;
    const int header = has_header(path, err);
    if (header <= 0)
        return header;
    if (schema_open(&in, &outcome_schema, path, err) < 0)
        return -1;
    int status = read_outcome_rows(store, file, &in, err);
    schema_close(&in);
    return status;
}

static int by_point(const void *left, const void *right)
{
    const struct outcome *a = left, *b = right;
    int c = strcmp(a->point, b->point);
    if (!c)
        c = (a->repeat > b->repeat) - (a->repeat < b->repeat);
    return c ? c : (a->file > b->file) - (a->file < b->file);
}

/* Sorts, and keeps the first of a point and repeat. */
static void sort_outcomes(struct store *store)
{
    size_t kept = 0;
    if (store->n_outcomes)
        qsort(store->outcomes, store->n_outcomes, sizeof *store->outcomes, by_point);
    for (size_t i = 0; i < store->n_outcomes; i++) {
        struct outcome *last = kept ? &store->outcomes[kept - 1] : NULL;
        if (last && strcmp(last->point, store->outcomes[i].point) == 0 &&
            last->repeat == store->outcomes[i].repeat)
            continue;
        store->outcomes[kept++] = store->outcomes[i];
    }
    store->n_outcomes = kept;
}

/* ---- failures ---- */

struct failure_reader {
    struct store *store;
    const char *digest;
    struct err *err;
    int bad;
};

static struct failure *failure_of(struct failure_reader *r, const struct event *e, int repeat)
{
    struct store *s = r->store;
    struct failure *f = (struct failure *)(uintptr_t)store_failure(s, e->point, e->launch, repeat);
    if (f)
        return f;
    f = array_add(&s->failures, &s->n_failures);
    if (!f)
        return NULL;
    *f = (struct failure){ .repeat = repeat };
    memcpy(f->point, e->point, sizeof f->point);
    memcpy(f->launch, e->launch, sizeof f->launch);
    return f;
}

/* A node broke the task: what failed in it before was the node's fault, only noticed later. */
static void absolve(struct store *s, const struct event *e)
{
    for (size_t i = 0; i < s->n_failures; i++) {
        struct failure *f = &s->failures[i];
        if (!*e->job || strcmp(f->job, e->job) != 0 || strcmp(f->launch, e->launch) != 0)
            continue;
        f->count -= f->in_job;
        f->in_job = 0;
    }
}

static int on_event(const struct event *e, void *user)
{
    struct failure_reader *r = user;
    struct launch launch;
    int timeout = strcmp(e->event, "timeout") == 0;
    if (strcmp(e->event, "node_failed") == 0)
        absolve(r->store, e);
    if (!timeout && strcmp(e->event, "failed") != 0)
        return 0;
    if (timeout && *e->job && !*e->point) /* the task's time limit: no fault of the launch */
        return 0;
    if ((r->digest && strcmp(r->digest, e->digest) != 0) ||
        launch_parse(e->launch, &launch, NULL) < 0)
        return 0;
    struct failure *f = failure_of(r, e, launch.repeat);
    if (!f) {
        r->bad = err_set(r->err, "out of memory");
        return 1;
    }
    f->timeout = timeout;
    f->count++;
    f->in_job = strcmp(f->job, e->job) == 0 ? f->in_job + 1 : 1;
    memcpy(f->job, e->job, sizeof f->job);
    memcpy(f->reason, e->reason, sizeof f->reason);
    return 0;
}

/* ---- the store ---- */

static int is_samples(const struct dirent *d)
{
    struct launch launch;
    int attempt;
    char digest[16];
    return store_parse_name(d->d_name, &launch, &attempt, digest);
}

static int add_file(struct store *store, const char *dir, const char *name, const char *digest,
                    struct err *err)
{
    struct sample_file *f = &store->files[store->n_files];
    *f = (struct sample_file){ 0 };
    store_parse_name(name, &f->launch, &f->attempt, f->digest);
    if (digest && strcmp(digest, f->digest) != 0) {
        store->n_other++;
        return 0;
    }
    if (fs_path(f->path, sizeof f->path, err, "%s/%s", dir, name) < 0)
        return -1;
    store->n_files++;
    if (read_samples(f, err) < 0)
        return -1;
    return read_outcomes(store, store->n_files - 1, err);
}

int store_open(const char *dir, const char *digest, struct store *store, struct err *err)
{
    char samples[PATH_SIZE];
    struct dirent **names;
    *store = (struct store){ 0 };
    if (fs_path(samples, sizeof samples, err, "%s/samples", dir) < 0)
        return -1;
    int n = scandir(samples, &names, is_samples, versionsort);
    if (n < 0 && errno != ENOENT)
        return err_errno(err, "cannot read '%s'", samples);
    store->files = calloc(n > 0 ? (size_t)n : 1, sizeof *store->files);
    int status = store->files ? 0 : err_set(err, "out of memory");
    for (int i = 0; i < n; i++) {
        if (status == 0)
            status = add_file(store, samples, names[i]->d_name, digest, err);
        free(names[i]);
    }
    if (n >= 0)
        free(names);
    sort_outcomes(store);
    struct failure_reader r = { .store = store, .digest = digest, .err = err };
    if (status == 0 && (journal_read(dir, on_event, &r, err) < 0 || r.bad))
        status = -1;
    if (status < 0)
        store_free(store);
    return status;
}

int store_open_attempt(const char *dir, const char *launch, int attempt, const char *digest,
                       struct store *store, struct err *err)
{
    char samples[PATH_SIZE], name[2 * LAUNCH_SIZE];
    *store = (struct store){ 0 };
    snprintf(name, sizeof name, "%s.a%d-%s.csv", launch, attempt, digest);
    store->files = calloc(1, sizeof *store->files);
    if (!store->files)
        return err_set(err, "out of memory");
    if (fs_path(samples, sizeof samples, err, "%s/samples", dir) < 0 ||
        add_file(store, samples, name, digest, err) < 0) {
        store_free(store);
        return -1;
    }
    sort_outcomes(store);
    return 0;
}

const struct outcome *store_all(const struct store *store, const char *point, size_t *n)
{
    size_t low = 0, high = store->n_outcomes;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (strcmp(store->outcomes[mid].point, point) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    size_t end = low;
    while (end < store->n_outcomes && strcmp(store->outcomes[end].point, point) == 0)
        end++;
    *n = end - low;
    return *n ? &store->outcomes[low] : NULL;
}

int outcome_usable(const struct outcome *o)
{
    return strcmp(o->status, "ok") == 0 || strcmp(o->status, "substituted") == 0;
}

void outcome_describe(const struct outcome *o, char buf[REASON_SIZE])
{
    snprintf(buf, REASON_SIZE, "%s%s%.140s", o->status, *o->reason ? ": " : "", o->reason);
}

const struct outcome *store_find(const struct store *store, const char *point, int repeat)
{
    size_t n;
    const struct outcome *first = store_all(store, point, &n);
    for (size_t i = 0; i < n; i++)
        if (first[i].repeat == repeat)
            return &first[i];
    return NULL;
}

const struct sample *store_samples(const struct store *store, const struct outcome *outcome,
                                   size_t *n)
{
    const struct sample_file *file = &store->files[outcome->file];
    return file->samples + rows_of(file, strtoull(outcome->point, NULL, 16), n);
}

const struct sample *store_sentinels(const struct sample_file *file, size_t *n)
{
    return file->samples + rows_of(file, SENTINEL_ID, n);
}

const struct failure *store_failure(const struct store *store, const char *point,
                                    const char *launch, int repeat)
{
    for (size_t i = 0; i < store->n_failures; i++) {
        const struct failure *f = &store->failures[i];
        if (strcmp(f->point, point) == 0 && f->repeat == repeat &&
            (*point || strcmp(f->launch, launch) == 0))
            return f;
    }
    return NULL;
}

/* The largest attempt of a launch that a directory has files of, and most; -1 with *err. */
static int most_attempts(const char *dir, const char *launch, int most, struct err *err)
{
    const size_t len = strlen(launch);
    struct dirent *e;
    DIR *d = opendir(dir);
    if (!d)
        return errno == ENOENT ? most : err_errno(err, "cannot read '%s'", dir);
    while (errno = 0, (e = readdir(d))) {
        if (strncmp(e->d_name, launch, len) != 0 || strncmp(e->d_name + len, ".a", 2) != 0)
            continue;
        const long n = strtol(e->d_name + len + 2, NULL, 10);
        most = n > most && n < 1000000 ? (int)n : most;
    }
    if (errno)
        most = err_errno(err, "cannot read '%s'", dir);
    closedir(d);
    return most;
}

int store_attempts(const char *dir, const char *launch, struct err *err)
{
    static const char *const parts[] = { "samples", "launches" };
    int most = 0;
    for (size_t i = 0; i < 2 && most >= 0; i++) {
        char path[PATH_SIZE];
        if (fs_path(path, sizeof path, err, "%s/%s", dir, parts[i]) < 0)
            return -1;
        most = most_attempts(path, launch, most, err);
    }
    return most;
}

void store_free(struct store *store)
{
    for (size_t i = 0; i < store->n_files; i++) {
        free(store->files[i].ids);
        free(store->files[i].samples);
    }
    free(store->files);
    free(store->outcomes);
    free(store->failures);
    *store = (struct store){ 0 };
}
