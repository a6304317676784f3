/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/import/rows.h"

#include "harness/import/source_text.h"

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

static const char *const names[N_ROLES] = {
    [ROLE_NONE] = "",
    [ROLE_EXPERIMENT] = "experiment",
    [ROLE_COLLECTIVE] = "collective",
    [ROLE_MPI] = "mpi",
    [ROLE_VERSION] = "mpi_version",
    [ROLE_MAPPING] = "mapping",
    [ROLE_NODES] = "nodes",
    [ROLE_PPN] = "ppn",
    [ROLE_PROCS] = "procs",
    [ROLE_ROOT] = "root",
    [ROLE_BYTES] = "bytes",
    [ROLE_ALGORITHM] = "algorithm",
    [ROLE_SEGMENT] = "segment_bytes",
    [ROLE_FANOUT] = "fanout",
    [ROLE_CHANNEL] = "channel",
    [ROLE_SERIES] = "series",
    [ROLE_MAX] = "max_s",
    [ROLE_MEAN] = "mean_s",
    [ROLE_MIN] = "min_s",
    [ROLE_MEDIAN] = "median_s",
    [ROLE_P95] = "p95_s",
    [ROLE_P99] = "p99_s",
    [ROLE_LEAST] = "least_s",
    [ROLE_MOST] = "most_s",
    [ROLE_ITERATIONS] = "iterations",
};

struct unit {
    const char *name;
    double factor;
};

const char *role_name(enum role role)
{
    return names[role];
}

enum role role_find(const char *name)
{
    for (int r = ROLE_NONE + 1; r < N_ROLES; r++)
        if (strcmp(names[r], name) == 0)
            return (enum role)r;
    return ROLE_NONE;
}

int role_is_time(enum role role)
{
    return role >= ROLE_MAX && role <= ROLE_MOST;
}

static double factor_of(const struct unit *unit, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (same_word(unit[i].name, name))
            return unit[i].factor;
    return 0;
}

double unit_seconds(const char *unit)
{
    static const struct unit known[] = { { "ns", 1e-9 },   { "nsec", 1e-9 },  { "us", 1e-6 },
                                         { "usec", 1e-6 }, { "usecs", 1e-6 }, { "ms", 1e-3 },
                                         { "msec", 1e-3 }, { "s", 1 },        { "sec", 1 },
                                         { "secs", 1 },    { "seconds", 1 } };
    return factor_of(known, sizeof known / sizeof *known, unit);
}

double unit_bytes(const char *unit)
{
    static const struct unit known[] = {
        { "B", 1 },    { "bytes", 1 }, { "KiB", 1024 },        { "MiB", 1024 * 1024 },
        { "kB", 1e3 }, { "MB", 1e6 },  { "GiB", 1073741824.0 }
    };
    return factor_of(known, sizeof known / sizeof *known, unit);
}

void source_row_complete(struct source_row *told, const struct source_row *otherwise)
{
    for (int r = 0; r < N_ROLES; r++)
        if (!told->text[r]) {
            told->text[r] = otherwise->text[r];
            told->scale[r] = otherwise->scale[r];
        }
}
