/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/import/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/fs.h"
#include "harness/base/array.h"

static const char *const status_names[N_ROW_STATUS] = {
    [ROW_OK] = "ok",
    [ROW_REPEATED] = "repeated",
    [ROW_SET_ASIDE] = "set_aside",
};

static const char *const words[N_ASIDE] = {
    [ASIDE_NOT] = "",
    [ASIDE_HEADER] = "header or a fragment of one",
    [ASIDE_FIELDS] = "wrong number of columns",
    [ASIDE_CUT] = "cut last line",
    [ASIDE_UNREADABLE] = "bytes that are no text",
    [ASIDE_MISSING] = "something missing",
    [ASIDE_NUMBER] = "not a number",
    [ASIDE_UNIT] = "wrong unit",
    [ASIDE_IMPOSSIBLE] = "impossible value",
    [ASIDE_ORDER] = "numbers that contradict each other",
    [ASIDE_PLACE] = "does not fit the cluster",
    [ASIDE_NAME] = "unknown name",
    [ASIDE_DATA] = "wrong data arrived",
    [ASIDE_OTHER] = "not a time of a collective or a ping-pong",
};

const char *row_status_name(enum row_status status)
{
    return status_names[status];
}

const char *aside_words(enum aside why)
{
    return words[why];
}

struct imported_row *rows_add(struct imported_rows *rows)
{
    struct imported_row *r = array_add(&rows->row, &rows->n);
    if (!r)
        return NULL;
    r->max_s = r->mean_s = r->min_s = r->median_s = r->p95_s = r->p99_s = NAN;
    return r;
}

/* ---- runs and repeated rows ---- */

struct key {
    const struct imported_row *row;
    size_t at;
};

static int order_of(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(b) - isnan(a);
    return (a > b) - (a < b);
}

static int by_numbers(const struct imported_row *a, const struct imported_row *b)
{
    const double x[] = { a->max_s, a->mean_s, a->min_s, a->median_s, a->p95_s, a->p99_s };
    const double y[] = { b->max_s, b->mean_s, b->min_s, b->median_s, b->p95_s, b->p99_s };
    for (size_t i = 0; i < sizeof x / sizeof *x; i++) {
        const int c = order_of(x[i], y[i]);
        if (c)
            return c;
    }
    return (a->iterations > b->iterations) - (a->iterations < b->iterations);
}

static int same_measurement(const struct imported_row *a, const struct imported_row *b)
{
    return a->series == b->series && strcmp(a->point.id, b->point.id) == 0 && by_numbers(a, b) == 0;
}

static int by_measurement(const void *left, const void *right)
{
    const struct key *a = left, *b = right;
    int c = strcmp(a->row->point.id, b->row->point.id);
    if (!c)
        c = (a->row->series > b->row->series) - (a->row->series < b->row->series);
    if (!c)
        c = by_numbers(a->row, b->row);
    return c ? c : (a->at > b->at) - (a->at < b->at);
}

static int by_point(const void *left, const void *right)
{
    const struct key *a = left, *b = right;
    const int c = strcmp(a->row->point.id, b->row->point.id);
    return c ? c : (a->at > b->at) - (a->at < b->at);
}

/* first[i]: the row whose numbers row i repeats, itself where it repeats none. */
static void mark_repeated(struct imported_rows *rows, struct key *key, size_t n, size_t *first)
{
    qsort(key, n, sizeof *key, by_measurement);
    for (size_t i = 0; i < n; i++) {
        const int again = i > 0 && same_measurement(key[i - 1].row, key[i].row);
        first[key[i].at] = again ? first[key[i - 1].at] : key[i].at;
        if (again)
            rows->row[key[i].at].status = ROW_REPEATED;
    }
}

static void number_runs(struct imported_rows *rows, struct key *key, size_t n, const size_t *first)
{
    int run = 0;
    qsort(key, n, sizeof *key, by_point);
    for (size_t i = 0; i < n; i++) {
        struct imported_row *r = &rows->row[key[i].at];
        if (i == 0 || strcmp(key[i - 1].row->point.id, r->point.id) != 0)
            run = 0;
        r->run = r->status == ROW_REPEATED ? rows->row[first[key[i].at]].run : run++;
    }
}

/* Says which row a repeated one repeats. */
static int tell_repeated(struct imported_rows *rows, const size_t *first)
{
    for (size_t i = 0; i < rows->n; i++) {
        struct imported_row *r = &rows->row[i];
        if (r->status != ROW_REPEATED)
            continue;
        const struct imported_row *f = &rows->row[first[i]];
        const int same = strcmp(f->source, r->source) == 0;
        if (asprintf(&r->reason, "the numbers of line %zu%s%s", f->line, same ? "" : " of ",
                     same ? "" : f->source) < 0) {
            r->reason = NULL;
            return -1;
        }
    }
    return 0;
}

int rows_number(struct imported_rows *rows)
{
    struct key *key = malloc((rows->n + 1) * sizeof *key);
    size_t *first = malloc((rows->n + 1) * sizeof *first), n = 0;
    int status = -1;
    for (size_t i = 0; key && i < rows->n; i++)
        if (rows->row[i].status != ROW_SET_ASIDE)
            key[n++] = (struct key){ &rows->row[i], i };
    if (key && first) {
        mark_repeated(rows, key, n, first);
        number_runs(rows, key, n, first);
        status = tell_repeated(rows, first);
    }
    free(key);
    free(first);
    return status;
}

/* ---- imported.csv ---- */

static void write_header(struct csvw *w)
{
    static const char *const after[] = { "run",   "max_s", "mean_s",     "min_s",  "median_s",
                                         "p95_s", "p99_s", "iterations", "status", "reason" };
    csvw_text(w, "source");
    csvw_text(w, "line");
    for (size_t i = 0; point_columns[i]; i++)
        csvw_text(w, point_columns[i]);
    for (size_t i = 0; i < sizeof after / sizeof *after; i++)
        csvw_text(w, after[i]);
    csvw_end(w);
}

/* Of a row set aside what made sense; a number that does not is 0, or negative. */
static void write_some(struct csvw *w, const struct point *p)
{
    const struct cell *c = &p->cell;
    const int numbers[] = { c->nodes, c->ppn, c->procs };
    csvw_text(w, "");
    csvw_text(w, *c->collective ? experiment_name(p->experiment) : "");
    csvw_text(w, "");
    csvw_text(w, c->collective);
    csvw_text(w, c->mpi);
    csvw_text(w, c->mapping);
    for (size_t i = 0; i < 3; i++)
        if (numbers[i] > 0)
            csvw_i64(w, numbers[i]);
        else
            csvw_text(w, "");
    csvw_text(w, "");
    if (c->bytes)
        csvw_u64(w, c->bytes);
    else
        csvw_text(w, "");
    csvw_text(w, p->candidate.algorithm);
    for (int i = 0; i < 3; i++)
        csvw_text(w, "");
    csvw_text(w, channel_name(p->channel));
}

static void write_row(struct csvw *w, const struct imported_row *r)
{
    const double times[] = { r->max_s, r->mean_s, r->min_s, r->median_s, r->p95_s, r->p99_s };
    const int taken = r->status != ROW_SET_ASIDE;
    csvw_text(w, r->source);
    csvw_u64(w, r->line);
    if (taken) {
        point_write(w, &r->point);
        csvw_i64(w, r->run);
    } else {
        write_some(w, &r->point);
        csvw_text(w, "");
    }
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        csvw_f64(w, times[i]);
    if (r->iterations)
        csvw_u64(w, r->iterations);
    else
        csvw_text(w, "");
    csvw_text(w, status_names[r->status]);
    csvw_text(w, r->reason ? r->reason : "");
    csvw_end(w);
}

int rows_write(const char *dir, const struct imported_rows *rows, struct err *err)
{
    struct whole_file f;
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, err, "%s/imported.csv", dir) < 0 || fs_begin(&f, path, err) < 0)
        return -1;
    struct csvw w = { .file = f.file };
    write_header(&w);
    for (size_t i = 0; i < rows->n; i++)
        write_row(&w, &rows->row[i]);
    return fs_commit(&f, err);
}

void rows_clear(struct imported_rows *rows)
{
    for (size_t i = 0; i < rows->n; i++)
        free(rows->row[i].reason);
    free(rows->row);
    *rows = (struct imported_rows){ .n = 0 };
}
