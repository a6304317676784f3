/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/store.h"

#include <dirent.h>

#include "harness/base/id_set.h"
#include "harness/base/parallel.h"
#include "harness/study/journal.h"

int store_parse_name(const char *name, struct launch *launch, int *attempt, char digest[16])
{
    char base[LAUNCH_SIZE];
    const char *dot = NULL;
    char *end;
    for (const char *p = strstr(name, ".a"); p; p = strstr(p + 1, ".a"))
        dot = p; /* the last: an entry's name may have one */
    if (!dot || dot == name || (size_t)(dot - name) >= sizeof base)
        return 0;
    memcpy(base, name, (size_t)(dot - name));
    base[dot - name] = '\0';
    long n = strtol(dot + 2, &end, 10);
    if (end == dot + 2 || n < 1 || n > 1000000 || *end != '-' ||
        strspn(end + 1, "0123456789abcdef") != 8)
        return 0;
    if (strcmp(end + 9, ".csv") != 0 || launch_parse(base, launch, NULL) < 0)
        return 0;
    *attempt = (int)n;
    snprintf(digest, 16, "%.8s", end + 1);
    return 1;
}

/* 1 when the file has a whole header line, 0 when it is not there or has less, as a job that is
 * killed at once leaves it, -1 with *err when it cannot be read. */
static int has_header(const char *path, struct err *err)
{
    char *line = NULL;
    size_t cap = 0;
    ssize_t n;
    int found = 0;
    FILE *f;
    const int there = fs_open(path, &f, err);
    if (there <= 0)
        return there;
    while (!found && (n = getline(&line, &cap, f)) > 0)
        found = line[0] != '#' && line[n - 1] == '\n';
    if (ferror(f))
        found = err_errno(err, "cannot read '%s'", path);
    fclose(f);
    free(line);
    return found;
}

static int by_id(const void *left, const void *right)
{
    const struct sample_span *a = left, *b = right;
    return by_keys(ascending(a->id, b->id), ascending(a->place.byte, b->place.byte));
}

/* Of an id that was checked: "sentinel", or 16 hex digits. */
static uint64_t number_of(const char *id)
{
    uint64_t number = 0;
    if (*id == 's')
        return SENTINEL_ID;
    for (; *id; id++)
        number = number << 4 | (uint64_t)(*id <= '9' ? *id - '0' : *id - 'a' + 10);
    return number;
}

/* Adds a row to the span that it goes on with, or begins one. */
static void add_row(struct sample_file *file, uint64_t id, struct csv_place place)
{
    struct sample_span *last = file->n_spans ? &file->spans[file->n_spans - 1] : NULL;
    if (!last || last->id != id) {
        last = array_add(&file->spans, &file->n_spans);
        *last = (struct sample_span){ .id = id, .place = place };
    }
    last->rows++;
    file->n++;
}

static int read_rows(struct schema_reader *in, struct sample_file *file, struct err *err)
{
    struct sample_row r;
    int got;
    while ((got = schema_next(in, &r, err)) == 1)
        add_row(file, number_of(r.point), csv_place(in->csv));
    return got;
}

static int read_samples(struct sample_file *file, struct err *err)
{
    struct schema_reader in;
    const int header = has_header(file->path, err);
    if (header < 0)
        return -1;
    if (!header) {
        file->truncated = 1;
        return 0;
    }
    if (schema_open(&in, &sample_schema, file->path, err) < 0)
        return -1;
    const int status = read_rows(&in, file, err);
    file->truncated = csv_truncated(in.csv);
    schema_close(&in);
    if (status == 0 && file->n_spans)
        qsort(file->spans, file->n_spans, sizeof *file->spans, by_id);
    return status;
}

/* The spans of an id: the first, how many, and how many rows they have together. */
static const struct sample_span *spans_of(const struct sample_file *file, uint64_t id,
                                          size_t *spans, size_t *rows)
{
    const size_t first = sorted_below(i, file->n_spans, file->spans[i].id >= id);
    *rows = 0;
    for (*spans = 0; first + *spans < file->n_spans && file->spans[first + *spans].id == id;
         ++*spans)
        *rows += file->spans[first + *spans].rows;
    return file->spans + first;
}

/* The files that were read last stay open: the points of a launch are asked for one after the
 * other, and those of several launches in turns. */
enum { MOST_OPEN = 16 };

struct store_readers {
    struct {
        int open;
        size_t file;
        struct schema_reader in;
    } slot[MOST_OPEN];
    size_t next; /* slot to give up next */
};

static void readers_free(struct store_readers *readers)
{
    for (size_t i = 0; readers && i < MOST_OPEN; i++)
        if (readers->slot[i].open)
            schema_close(&readers->slot[i].in);
    free(readers);
}

static struct schema_reader *reader_of(const struct store *store, size_t file, struct err *err)
{
    struct store_readers *r = store->readers;
    for (size_t i = 0; i < MOST_OPEN; i++)
        if (r->slot[i].open && r->slot[i].file == file)
            return &r->slot[i].in;
    const size_t k = r->next;
    r->next = (k + 1) % MOST_OPEN;
    if (r->slot[k].open)
        schema_close(&r->slot[k].in);
    r->slot[k].file = file;
    r->slot[k].open =
        schema_open(&r->slot[k].in, &sample_schema, store->files[file].path, err) == 0;
    return r->slot[k].open ? &r->slot[k].in : NULL;
}

static int read_span(struct schema_reader *in, const struct sample_span *span, struct sample *v,
                     struct err *err)
{
    struct sample_row row;
    if (csv_go(in->csv, span->place, err) < 0)
        return -1;
    for (size_t i = 0; i < span->rows; i++) {
        const int got = schema_next(in, &row, err);
        if (got < 0)
            return -1;
        if (got == 0 || number_of(row.point) != span->id)
            return err_set(err, "'%s' has changed while it was read", csv_path(in->csv));
        v[i] = row.sample;
    }
    return 0;
}

static struct sample *read_again(const struct store *store, size_t file, uint64_t id, size_t *n,
                                 struct err *err)
{
    size_t spans, rows;
    const struct sample_span *span = spans_of(&store->files[file], id, &spans, &rows);
    struct schema_reader *in = rows ? reader_of(store, file, err) : NULL;
    struct sample *v = memory_zeros(rows + 1, sizeof *v);
    *n = rows;
    int status = rows && !in ? -1 : 0;
    for (size_t i = 0, at = 0; status == 0 && i < spans; at += span[i++].rows)
        status = read_span(in, &span[i], v + at, err);
    if (status == 0)
        return v;
    free(v);
    *n = 0;
    return NULL;
}

/* Under which id its samples stand. */
static uint64_t samples_of(const struct outcome *o)
{
    return number_of(*o->same_as ? o->same_as : o->point);
}

struct sample *store_samples(const struct store *store, const struct outcome *outcome, size_t *n,
                             struct err *err)
{
    return read_again(store, outcome->file, samples_of(outcome), n, err);
}

struct sample *store_sentinels(const struct store *store, size_t file, size_t *n, struct err *err)
{
    return read_again(store, file, SENTINEL_ID, n, err);
}

/* A file that is being read, and what is in it. */
struct reading {
    struct sample_file *file;
    struct outcome *outcomes;
    size_t n_outcomes;
    int status;
    struct err err;
};

static int read_outcome_rows(struct reading *of, struct schema_reader *in, struct err *err)
{
    size_t spans, rows;
    struct outcome o;
    struct id_set seen = { 0 };
    int got;
    while ((got = schema_next(in, &o, err)) == 1) {
        spans_of(of->file, samples_of(&o), &spans, &rows);
        o.repeat = of->file->launch.repeat;
        if (!id_set_add(&seen, number_of(o.point))) {
            got = csv_fail(in->csv, err, "point: '%s' has two outcomes", o.point);
            break;
        }
        if (rows == o.n_rows)
            *array_add(&of->outcomes, &of->n_outcomes) = o;
    }
    id_set_clear(&seen);
    return got;
}

/* "X.csv" -> "X.outcomes.csv". */
static int outcomes_path(const struct sample_file *file, char *path, size_t size, struct err *err)
{
    return fs_path(path, size, err, "%.*s.outcomes.csv", (int)strlen(file->path) - 4, file->path);
}

static int read_outcomes(struct reading *of, struct err *err)
{
    char path[PATH_SIZE];
    if (outcomes_path(of->file, path, sizeof path, err) < 0)
        return -1;
    struct schema_reader in;
    const int header = has_header(path, err);
    if (header <= 0)
        return header;
    if (schema_open(&in, &outcome_schema, path, err) < 0)
        return -1;
    int status = read_outcome_rows(of, &in, err);
    schema_close(&in);
    return status;
}

static int by_point(const void *left, const void *right)
{
    const struct outcome *a = left, *b = right;
    return by_keys(strcmp(a->point, b->point), ascending(a->repeat, b->repeat),
                   ascending(a->file, b->file));
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

struct failure_reader {
    struct store *store;
    const char *digest;
};

static struct failure *failure_of(struct failure_reader *r, const struct event *e, int repeat)
{
    struct store *s = r->store;
    struct failure *f = (struct failure *)(uintptr_t)store_failure(s, e->point, e->launch, repeat);
    if (f)
        return f;
    f = array_add(&s->failures, &s->n_failures);
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
    f->timeout = timeout;
    f->count++;
    f->in_job = strcmp(f->job, e->job) == 0 ? f->in_job + 1 : 1;
    memcpy(f->job, e->job, sizeof f->job);
    memcpy(f->reason, e->reason, sizeof f->reason);
    return 0;
}

static int is_samples(const struct dirent *d)
{
    struct launch launch;
    int attempt;
    char digest[16];
    return store_parse_name(d->d_name, &launch, &attempt, digest);
}

/* Adds a file, unread, unless it is of another digest. */
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
    return 0;
}

static void read_file(size_t i, void *user)
{
    struct reading *of = (struct reading *)user + i;
    of->status = read_samples(of->file, &of->err);
    if (of->status == 0)
        of->status = read_outcomes(of, &of->err);
}

/* Takes over the outcomes of a file. */
static void take_outcomes(struct store *store, size_t file, const struct reading *of)
{
    if (of->n_outcomes == 0)
        return;
    struct outcome *added = array_more(&store->outcomes, &store->n_outcomes, of->n_outcomes);
    memcpy(added, of->outcomes, of->n_outcomes * sizeof *added);
    for (size_t i = 0; i < of->n_outcomes; i++)
        added[i].file = file;
}

/* Reads all files, several at a time. What is wrong with the first of them is told. */
static int read_files(struct store *store, struct err *err)
{
    struct reading *reading = memory_zeros(store->n_files + 1, sizeof *reading);
    int status = 0;
    for (size_t i = 0; i < store->n_files; i++)
        reading[i].file = &store->files[i];
    parallel_for(store->n_files, read_file, reading);
    for (size_t i = 0; i < store->n_files; i++) {
        if (status == 0 && reading[i].status < 0) {
            status = -1;
            if (err)
                *err = reading[i].err;
        }
        take_outcomes(store, i, &reading[i]);
        free(reading[i].outcomes);
    }
    free(reading);
    sort_outcomes(store);
    return status;
}

int store_open(const char *dir, const char *digest, struct store *store, struct err *err)
{
    char samples[PATH_SIZE];
    struct dirent **names;
    struct err unnamed;
    *store = (struct store){ 0 };
    if (fs_path(samples, sizeof samples, err, "%s/samples", dir) < 0)
        return -1;
    int n = scandir(samples, &names, is_samples, versionsort);
    if (n < 0 && errno != ENOENT)
        return err_errno(err, "cannot read '%s'", samples);
    int named = 0;
    store->files = memory_zeros(n > 0 ? (size_t)n : 1, sizeof *store->files);
    store->readers = memory_zeros(1, sizeof *store->readers);
    for (int i = 0; i < n; i++) {
        if (named == 0)
            named = add_file(store, samples, names[i]->d_name, digest, &unnamed);
        free(names[i]);
    }
    if (n >= 0)
        free(names);
    int status = read_files(store, err);
    if (status == 0 && named < 0)
        status = err_set(err, "%s", unnamed.text);
    struct failure_reader r = { .store = store, .digest = digest };
    if (status == 0 && journal_read(dir, on_event, &r, err) < 0)
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
    store->files = memory_zeros(1, sizeof *store->files);
    store->readers = memory_zeros(1, sizeof *store->readers);
    if (fs_path(samples, sizeof samples, err, "%s/samples", dir) < 0 ||
        add_file(store, samples, name, digest, err) < 0 || read_files(store, err) < 0) {
        store_free(store);
        return -1;
    }
    return 0;
}

void store_lend(const struct store *store, struct store *lent)
{
    *lent = *store;
    lent->readers = memory_zeros(1, sizeof *lent->readers);
}

void store_give_back(struct store *lent)
{
    readers_free(lent->readers);
    *lent = (struct store){ 0 };
}

const struct outcome *store_all(const struct store *store, const char *point, size_t *n)
{
    const size_t first =
        sorted_below(i, store->n_outcomes, strcmp(store->outcomes[i].point, point) >= 0);
    size_t end = first;
    while (end < store->n_outcomes && strcmp(store->outcomes[end].point, point) == 0)
        end++;
    *n = end - first;
    return *n ? &store->outcomes[first] : NULL;
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
    return find_below(first, i, n, first[i].repeat == repeat);
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
    for (size_t i = 0; i < store->n_files; i++)
        free(store->files[i].spans);
    readers_free(store->readers);
    memory_free(store->files, store->outcomes, store->failures);
    *store = (struct store){ 0 };
}
