/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/judge/selectors/external.h"

/* clang-format off */
static const struct schema_column choices[] = {
    CELL_COLUMNS(external_row, cell),
    CANDIDATE_COLUMNS(external_row, candidate),
    COLUMN(external_row, INT, "trained", trained, "", "1: the program was shown times of this cell, and has no choice there", .most = 1),
    CONDITION_COLUMNS(external_row, cell),
};
static const struct schema_column predictions[] = {
    CELL_COLUMNS(external_row, cell),
    CANDIDATE_COLUMNS(external_row, candidate),
    COLUMN(external_row, REAL, "seconds", seconds, "s", "predicted time of a call", COLUMN_SECONDS),
    COLUMN(external_row, INT, "trained", trained, "", "1: the program was shown times of this cell, and has no choice there", .most = 1),
    CONDITION_COLUMNS(external_row, cell),
};
/* clang-format on */

SCHEMA(external_choices_schema, external_row, choices, "CHOICES.csv",
       "One row per cell: what a program that is not ours chooses (`analysis/judge/selectors/"
       "external.h`).");
SCHEMA(external_predictions_schema, external_row, predictions, "PREDICTIONS.csv",
       "One row per cell and candidate: how long a program that is not ours thinks that a call "
       "takes (`analysis/judge/selectors/external.h`).");

static int by_cell(const void *a, const void *b)
{
    const struct external_row *x = a, *y = b;
    return by_keys(cell_compare(&x->cell, &y->cell),
                   candidate_compare(&x->candidate, &y->candidate));
}

/* The selector's name, which tables and pages print. */
static int take_name(const char *path, struct external *e, struct err *err)
{
    size_t n;
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const size_t length = strcspn(base, ".");
    snprintf(e->name, sizeof e->name, "%.*s", (int)length, base);
    if (strlen(e->name) != length || !text_is_name(e->name))
        return err_usage(err, "%s: rename it: it names the selector: %s", path, TEXT_WANT_NAME);
    struct selector *all = selectors_all(NULL, 0, &n);
    int taken = learner_find(e->name) != NULL;
    for (size_t i = 0; i < n; i++)
        taken |= strcmp(all[i].name, e->name) == 0;
    free(all);
    return taken ? err_usage(err, "%s: rename it: a selector of collsel has the name '%s'", path,
                             e->name)
                 : 0;
}

static int wrong(const struct external *e, const struct external_row *row, struct err *err)
{
    return err_prefix(err, "%s:%zu", e->path, row->line + 2);
}

/* Rows of one cell, next to each other, must agree. */
static int check_pair(const struct external *e, const struct external_row *a,
                      const struct external_row *b, struct err *err)
{
    if (cell_compare(&a->cell, &b->cell) != 0)
        return 0;
    const struct external_row *first = a->line < b->line ? a : b, *second = first == a ? b : a;
    if (a->trained != b->trained)
        err_set(err, "trained differs from line %zu, of the same cell", first->line + 2);
    else if (!e->predicts)
        err_set(err, "line %zu has a choice for this cell already", first->line + 2);
    else if (candidate_equal(&a->candidate, &b->candidate))
        err_set(err, "line %zu has a prediction for this candidate already", first->line + 2);
    else
        return 0;
    return wrong(e, second, err);
}

static int read_rows(struct external *e, struct err *err)
{
    const struct schema *schema =
        e->predicts ? &external_predictions_schema : &external_choices_schema;
    struct schema_reader reader;
    struct external_row row;
    int more;
    if (schema_open(&reader, schema, e->path, err) < 0)
        return -1;
    while ((more = schema_next(&reader, &row, err)) > 0) {
        row.line = e->n;
        if (!e->predicts)
            row.seconds = NAN;
        else if (!(row.seconds > 0)) {
            err_set(err, "seconds: want a number above 0");
            more = schema_fail(&reader, err);
            break;
        }
        *(struct external_row *)array_add(&e->row, &e->n) = row;
    }
    schema_close(&reader);
    return more;
}

int external_read(const char *path, int predicts, struct external *e, struct err *err)
{
    *e = (struct external){ .predicts = predicts };
    if (take_name(path, e, err) < 0 || fs_path(e->path, sizeof e->path, err, "%s", path) < 0)
        return -1;
    int status = read_rows(e, err);
    if (status == 0 && e->n == 0)
        status = err_set(err, "%s: it has no row", path);
    if (status == 0)
        qsort(e->row, e->n, sizeof *e->row, by_cell);
    for (size_t i = 1; i < e->n && status == 0; i++)
        status = check_pair(e, &e->row[i - 1], &e->row[i], err);
    if (status < 0)
        external_clear(e);
    return status;
}

CLEARS(external_clear, external, it->row)

static int is_of(const void *cell, const void *row)
{
    return cell_compare(cell, &((const struct external_row *)row)->cell);
}

/* The first row of a cell, *end behind its last one; NULL: there is none. */
static const struct external_row *find(const struct external *e, const struct cell *cell,
                                       const struct external_row **end)
{
    const struct external_row *first = bsearch(cell, e->row, e->n, sizeof *e->row, is_of);
    if (!first)
        return NULL;
    for (*end = first + 1; *end < e->row + e->n && is_of(cell, *end) == 0; ++*end)
        continue;
    while (first > e->row && is_of(cell, first - 1) == 0)
        first--;
    return first;
}

int external_check(const struct external *e, const struct points *points, struct err *err)
{
    const struct external_row *end;
    for (size_t i = 0; i < points->n; i++)
        if (find(e, &points->row[i].point.cell, &end))
            return 0;
    return err_set(err,
                   "%s: none of its %zu rows is of a cell of this study: want collective, mpi, "
                   "mapping, nodes, ppn, procs, root and bytes as in points.csv",
                   e->path, e->n);
}

static int choose(const struct selector *self, const struct cell_view *view,
                  struct selected *choice)
{
    const struct external *e = self->external;
    const struct external_row *end, *row = find(e, &view->cell, &end), *best = NULL;
    if (!row)
        snprintf(choice->reason, sizeof choice->reason, "%.60s.csv has no row of this cell",
                 e->name);
    else if (row->trained)
        snprintf(choice->reason, sizeof choice->reason,
                 "it was shown times of this cell, which is no test");
    if (!row || row->trained)
        return 0;
    for (; row < end; row++) {
        const struct measured *m = pool_find(view, &row->candidate);
        if (e->predicts && !m)
            continue;
        choice->compared += (size_t)e->predicts;
        if (!best || row->seconds < best->seconds)
            best = row;
    }
    if (!best) {
        snprintf(choice->reason, sizeof choice->reason, "%.60s.csv predicts none of the candidates",
                 e->name);
        return 0;
    }
    choice->predicted_s = best->seconds;
    choice->measured = pool_find(view, &best->candidate);
    choice->candidate = best->candidate;
    return 1;
}

struct selector selector_of_external(const struct external *e)
{
    return (struct selector){ .name = e->name,
                              .label = e->name,
                              .help = "a program that is not ours, by its file",
                              .external = e,
                              .choose = choose };
}
