/* SPDX-License-Identifier: BSD-3-Clause */
/* select_conditions.c - measurements of one point under several conditions (dates, buffers on a GPU
 * or not): which are meant is the user's to say, by --where. */
#include <fnmatch.h>

#include "harness/import/import.h"

static int is_decided(const struct import_options *o, const char *column)
{
    return any_below(i, o->n_where, same_word(o->where[i].column, column));
}

int import_wanted(struct import *job, const char *column, const char *value)
{
    const struct import_options *o = job->options;
    int asked = 0, matches = 0;
    for (size_t i = 0; i < o->n_where; i++)
        if (same_word(o->where[i].column, column)) {
            job->where_known[i] = asked = 1;
            matches |= fnmatch(o->where[i].value, value ? value : "", 0) == 0;
        }
    return !asked || matches;
}

static const char *keep(struct names *names, const char *text)
{
    for (size_t i = names->n; i-- > 0;)
        if (strcmp(names->text[i], text) == 0)
            return names->text[i];
    char *copy = memory_text(text);
    *array_add(&names->text, &names->n) = copy;
    return copy;
}

void import_condition(struct import *job, const char *const *names, const char *const *values)
{
    struct imported_row *r = &job->rows.row[job->rows.n - 1];
    r->conditions = names;
    for (size_t i = 0; names[i]; i++)
        r->condition[i] = values[i] ? keep(&job->kept, values[i]) : NULL;
}

/* Rows of one format, which have the same conditions, stand together. */
static int by_point(const void *left, const void *right)
{
    const struct imported_row *const *a = left, *const *b = right;
    if ((*a)->conditions != (*b)->conditions)
        return strcmp(*(*a)->conditions, *(*b)->conditions);
    return by_keys(strcmp((*a)->point.id, (*b)->point.id), ascending(*a, *b));
}

enum { MAX_VALUES = 6 };

/* The values of a condition in the order of the rows, and how many rows have each. */
static void list_values(const struct import *job, const char *column, size_t k, char *buf,
                        size_t size)
{
    const char *value[MAX_VALUES];
    size_t rows[MAX_VALUES] = { 0 }, n = 0, used = 0, more = 0;
    for (size_t i = 0; i < job->rows.n; i++) {
        const struct imported_row *r = &job->rows.row[i];
        const char *text = r->condition[k];
        size_t at = 0;
        if (!text || r->status == ROW_SET_ASIDE || r->conditions[k] != column)
            continue;
        while (at < n && strcmp(value[at], text) != 0)
            at++;
        if (at == n && n < MAX_VALUES)
            value[n++] = text;
        if (at < n)
            rows[at]++;
        else
            more++;
    }
    for (size_t i = 0; i < n && used < size; i++)
        used += (size_t)snprintf(buf + used, size - used, "%s'%.24s' (%zu row%s)", i ? ", " : "",
                                 value[i], rows[i], plural(rows[i]));
    if (more && used < size)
        snprintf(buf + used, size - used, " and others (%zu)", more);
}

/* How many points have rows of several values of a condition. */
static size_t points_of_several(const struct imported_row *const *row, size_t n, size_t k)
{
    size_t points = 0;
    for (size_t i = 0, end; i < n; i = end) {
        int differ = 0;
        for (end = i + 1; end < n && strcmp(row[i]->point.id, row[end]->point.id) == 0; end++)
            differ |= row[i]->condition[k] && row[end]->condition[k] &&
                      strcmp(row[i]->condition[k], row[end]->condition[k]) != 0;
        points += (size_t)differ;
    }
    return points;
}

static int refuse(const struct import *job, const char *column, size_t k, size_t points,
                  struct err *err)
{
    char values[300] = "";
    list_values(job, column, k, values, sizeof values);
    return err_usage(
        err,
        "--where: want %s=VALUE (* and ? match; '%s=*' takes all as runs of one point): %zu "
        "point%s "
        "%s rows of several values of '%s', and a mean over these would be of none: %s",
        column, column, COUNTED(points), of_number(points, "has", "have"), column, values);
}

int import_conditions(const struct import *job, struct err *err)
{
    const struct imported_row **row = memory_zeros(job->rows.n + 1, sizeof *row);
    size_t n = 0;
    int status = 0;
    for (size_t i = 0; i < job->rows.n; i++)
        if (job->rows.row[i].status != ROW_SET_ASIDE && job->rows.row[i].conditions)
            row[n++] = &job->rows.row[i];
    if (n)
        qsort(row, n, sizeof *row, by_point);
    for (size_t i = 0, end = 0; i < n && status == 0; i = end) {
        const char *const *names = row[i]->conditions;
        while (end < n && row[end]->conditions == names)
            end++;
        for (size_t k = 0; k < MAX_CONDITIONS && names[k] && status == 0; k++) {
            const size_t points =
                is_decided(job->options, names[k]) ? 0 : points_of_several(row + i, end - i, k);
            if (points)
                status = refuse(job, names[k], k, points, err);
        }
    }
    free(row);
    return status;
}
