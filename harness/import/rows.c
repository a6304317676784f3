/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/import/rows.h"

#include <math.h>
#include <string.h>

#include "harness/base/array.h"
#include "harness/base/memory.h"

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
    r->max_s = r->mean_s = r->min_s = r->median_s = r->p95_s = r->p99_s = NAN;
    return r;
}

/* ---- imported.csv ---- */

static void write_row(struct csvw *w, const struct imported_row *r)
{
    struct imported row = { .point = r->point,
                            .line = r->line,
                            .run = r->run,
                            .max_s = r->max_s,
                            .mean_s = r->mean_s,
                            .min_s = r->min_s,
                            .median_s = r->median_s,
                            .p95_s = r->p95_s,
                            .p99_s = r->p99_s,
                            .iterations = r->iterations,
                            .status = r->status };
    snprintf(row.source, sizeof row.source, "%s", r->source);
    snprintf(row.reason, sizeof row.reason, "%s", r->reason ? r->reason : "");
    schema_row(w, &imported_schema, &row);
}

int rows_write(const char *dir, const struct imported_rows *rows, struct err *err)
{
    struct whole_file f;
    struct csvw w;
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, err, "%s/%s", dir, imported_schema.path) < 0 ||
        schema_begin(&imported_schema, path, NULL, &f, &w, err) < 0)
        return -1;
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
