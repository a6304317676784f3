/* SPDX-License-Identifier: BSD-3-Clause */
/* repeats.c - which rows came before and count once, and which run of its point each row is. */
#include "harness/import/rows.h"

static int order_of(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(b) - isnan(a);
    return ascending(a, b);
}

static int order_of_numbers(size_t a, size_t b)
{
    return ascending(a, b);
}

enum { TIMES = 6 };

static void times_of(const struct imported_row *r, double *x)
{
    const double times[TIMES] = { r->max_s, r->mean_s, r->min_s, r->median_s, r->p95_s, r->p99_s };
    memcpy(x, times, sizeof times);
}

/* Rows that follow each other: of one file, or of one block. */
struct stretch {
    size_t from, n, counted; /* counted: not set aside */
    uint64_t digest;         /* of points, series and numbers of these */
};

static uint64_t digest_of(uint64_t before, const struct imported_row *r)
{
    struct {
        uint64_t before, point, series, iterations;
        double times[TIMES];
    } key = {
        before, fs_digest(r->point.id, strlen(r->point.id)), r->series, r->iterations, { 0 }
    };
    times_of(r, key.times);
    for (int i = 0; i < TIMES; i++)
        key.times[i] = isnan(key.times[i]) ? -1 : key.times[i];
    return fs_digest(&key, sizeof key);
}

static int of_one_file(const struct imported_row *a, const struct imported_row *b)
{
    return a->source == b->source;
}

static int of_one_block(const struct imported_row *a, const struct imported_row *b)
{
    return a->batch == b->batch;
}

static size_t find_stretches(const struct imported_rows *rows,
                             int (*together)(const struct imported_row *,
                                             const struct imported_row *),
                             struct stretch *s)
{
    size_t n = 0;
    for (size_t i = 0; i < rows->n; i++) {
        const struct imported_row *r = &rows->row[i];
        if (i == 0 || !together(&rows->row[i - 1], r))
            s[n++] = (struct stretch){ .from = i };
        s[n - 1].n++;
        if (r->status == ROW_SET_ASIDE)
            continue;
        s[n - 1].counted++;
        s[n - 1].digest = digest_of(s[n - 1].digest, r);
    }
    return n;
}

static int by_digest(const void *left, const void *right)
{
    const struct stretch *a = left, *b = right;
    return by_keys(ascending(a->digest, b->digest), order_of_numbers(a->counted, b->counted),
                   order_of_numbers(a->from, b->from));
}

/* Row by row: those of b repeat those of a. */
static void mark_copy(struct imported_rows *rows, const struct stretch *a, const struct stretch *b,
                      size_t *first)
{
    size_t k = a->from;
    for (size_t i = b->from; i < b->from + b->n; i++) {
        struct imported_row *r = &rows->row[i];
        if (r->status == ROW_SET_ASIDE)
            continue;
        while (rows->row[k].status == ROW_SET_ASIDE)
            k++;
        r->status = ROW_REPEATED;
        r->copy = 1;
        first[i] = first[k++];
    }
}

/* A single row proves nothing: its few digits may be equal by chance. */
static void mark_copies(struct imported_rows *rows,
                        int (*together)(const struct imported_row *, const struct imported_row *),
                        struct stretch *s, size_t *first)
{
    const size_t n = find_stretches(rows, together, s);
    qsort(s, n, sizeof *s, by_digest);
    for (size_t i = 1, of = 0; i < n; i++)
        if (s[i].digest != s[of].digest || s[i].counted != s[of].counted)
            of = i;
        else if (s[i].counted > 1)
            mark_copy(rows, &s[of], &s[i], first);
}

struct key {
    const struct imported_row *row;
    size_t at;
};

static int by_numbers(const struct imported_row *a, const struct imported_row *b)
{
    double x[TIMES], y[TIMES];
    times_of(a, x);
    times_of(b, y);
    for (int i = 0; i < TIMES; i++) {
        const int c = order_of(x[i], y[i]);
        if (c)
            return c;
    }
    return ascending(a->iterations, b->iterations);
}

/* Where a row may repeat another: within its block, or anywhere (0). */
static size_t reach(const struct imported_row *r)
{
    return r->once && r->series ? 0 : r->batch + 1;
}

static int order_of_measurements(const struct imported_row *a, const struct imported_row *b)
{
    return by_keys(strcmp(a->point.id, b->point.id), ascending(a->series, b->series),
                   by_numbers(a, b), order_of_numbers(reach(a), reach(b)));
}

static int by_measurement(const void *left, const void *right)
{
    const struct key *a = left, *b = right;
    return by_keys(order_of_measurements(a->row, b->row), order_of_numbers(a->at, b->at));
}

static int by_point(const void *left, const void *right)
{
    const struct key *a = left, *b = right;
    return by_keys(strcmp(a->row->point.id, b->row->point.id), order_of_numbers(a->at, b->at));
}

static void mark_repeated(struct imported_rows *rows, struct key *key, size_t n, size_t *first)
{
    qsort(key, n, sizeof *key, by_measurement);
    for (size_t i = 1; i < n; i++) {
        const size_t at = key[i].at;
        if (order_of_measurements(key[i - 1].row, key[i].row) != 0 || rows->row[at].copy)
            continue;
        first[at] = first[key[i - 1].at];
        rows->row[at].status = ROW_REPEATED;
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
static void tell_repeated(struct imported_rows *rows, const size_t *first)
{
    for (size_t i = 0; i < rows->n; i++) {
        struct imported_row *r = &rows->row[i];
        if (r->status != ROW_REPEATED)
            continue;
        const struct imported_row *f = &rows->row[first[i]];
        const int same = f->source == r->source;
        r->reason = memory_text_of("the numbers of line %zu%s%s%s", f->line, same ? "" : " of ",
                                   same ? "" : f->source,
                                   r->copy ? ", and so is all of this file or block" : "");
    }
}

void rows_number(struct imported_rows *rows)
{
    struct stretch *s = memory_zeros(rows->n + 1, sizeof *s);
    struct key *key = memory_zeros(rows->n + 1, sizeof *key);
    size_t *first = memory_zeros(rows->n + 1, sizeof *first), n = 0;
    for (size_t i = 0; i < rows->n; i++) {
        first[i] = i;
        if (rows->row[i].status != ROW_SET_ASIDE)
            key[n++] = (struct key){ &rows->row[i], i };
    }
    mark_copies(rows, of_one_file, s, first);
    mark_copies(rows, of_one_block, s, first);
    mark_repeated(rows, key, n, first);
    number_runs(rows, key, n, first);
    tell_repeated(rows, first);
    memory_free(s, key, first);
}
