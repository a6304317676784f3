/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/imported_rows.h"

const char *const row_status_words[N_ROW_STATUS + 1] = {
    [ROW_OK] = "ok",
    [ROW_REPEATED] = "repeated",
    [ROW_SET_ASIDE] = "set_aside",
};

/* clang-format off */
static const struct schema_column columns[] = {
    COLUMN(imported, TEXT, "source", source, "", "the file as it was named"),
    COLUMN(imported, COUNT, "line", line, "", "in that file, from 1"),
    POINT_COLUMNS(imported, point),
    COLUMN(imported, INT, "run", run, "", "from 0: which repetition of the point", .most = INT_MAX),
    COLUMN(imported, REAL, "max_s", max_s, "s", "largest over ranks, each the mean over iterations (what OSU prints); empty: not given"),
    COLUMN(imported, REAL, "mean_s", mean_s, "s", "mean over ranks of the same; of a ping-pong the only one"),
    COLUMN(imported, REAL, "min_s", min_s, "s", "least over ranks of the same"),
    COLUMN(imported, REAL, "median_s", median_s, "s", "over iterations, where given"),
    COLUMN(imported, REAL, "p95_s", p95_s, "s", "over iterations: the 95th percentile"),
    COLUMN(imported, REAL, "p99_s", p99_s, "s", "over iterations: the 99th percentile"),
    COLUMN(imported, COUNT, "iterations", iterations, "", "calls that the times are of; empty: not given"),
    COLUMN(imported, WORD, "status", status, "", "`repeated`: it came before, in the same file or as one of a whole file that did, and counts once ([import.md](import.md#what-is-set-aside)); `set_aside`: not taken, for the `reason`, and then columns that make no sense are empty", .words = row_status_words),
    COLUMN(imported, TEXT, "reason", reason, "", "empty for ok"),
};
/* clang-format on */

/* Of a row set aside what made sense; a number that does not is 0, or negative. */
static int is_given(const void *row, const struct schema_column *c)
{
    const struct imported *r = row;
    if (c->offset == offsetof(struct imported, iterations))
        return r->iterations > 0;
    if (r->status != ROW_SET_ASIDE)
        return 1;
    switch (c->offset) {
    case offsetof(struct imported, point.id):
    case offsetof(struct imported, point.purpose):
    case offsetof(struct imported, point.cell.root):
    case offsetof(struct imported, point.candidate.segment_bytes):
    case offsetof(struct imported, point.candidate.fanout):
    case offsetof(struct imported, point.gather_bytes):
    case offsetof(struct imported, run):
        return 0;
    case offsetof(struct imported, point.experiment):
        return *r->point.cell.collective != 0;
    case offsetof(struct imported, point.cell.nodes):
        return r->point.cell.nodes > 0;
    case offsetof(struct imported, point.cell.ppn):
        return r->point.cell.ppn > 0;
    case offsetof(struct imported, point.cell.procs):
        return r->point.cell.procs > 0;
    case offsetof(struct imported, point.cell.bytes):
        return r->point.cell.bytes > 0;
    default:
        return 1;
    }
}

/* Rounded to one digit a mean may be nearly twice the maximum (0.9 and 0.5 are 1 and 0.5), not
 * more. Import, which knows the digits, is stricter. */
enum { MOST_BY_ROUNDING = 2 };

static int check(void *row, struct err *err)
{
    const struct imported *r = row;
    const double times[] = { r->max_s, r->mean_s, r->median_s };
    static const char *const names[] = { "max_s", "mean_s", "median_s" };
    if (r->status != ROW_OK)
        return 0;
    if (point_check(&r->point, err) < 0)
        return -1;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (times[i] <= 0)
            return err_set(err, "%s: '%g' is no time (want seconds above 0)", names[i], times[i]);
    if (isnan(r->max_s) && isnan(r->mean_s))
        return err_set(err, "has no time (want max_s or mean_s where the status is ok)");
    if (r->mean_s > MOST_BY_ROUNDING * r->max_s)
        return err_set(err, "mean_s: %g s is above max_s (%g s)", r->mean_s, r->max_s);
    return 0;
}

SCHEMA(imported_schema, imported, columns, "imported.csv",
       "One row per row of a source, in the order of the sources, but for those that `--where` "
       "leaves out.",
       .check = check, .given = is_given);
