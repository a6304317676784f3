/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/import/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/fs.h"
#include "harness/base/array.h"

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
    csvw_text(w, row_status_name(r->status));
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
