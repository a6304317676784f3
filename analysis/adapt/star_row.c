/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/adapt/star_row.h"

#include "analysis/measure/stats.h"

const char *const star_scheme_words[] = { "basic", "enhanced", NULL };

/* clang-format off */
static const struct schema_column columns[] = {
    COLUMN(star_row, NAME, "collective", collective, "", "the MPI collective"),
    COLUMN(star_row, INT, "procs", procs, "", "ranks", .least = 1, .most = SCHEDULE_MOST_PROCS),
    COLUMN(star_row, COUNT, "bytes", bytes, "bytes", "per process, as the MPI call sees it"),
    COLUMN(star_row, WORD, "repository", repository, "", "what was tried (docs/libcollsel.md)", .words = repository_words),
    COLUMN(star_row, WORD, "scheme", scheme, "", "`basic`: candidates one after the other; `enhanced`: in groups", .words = star_scheme_words),
    COLUMN(star_row, INT, "candidates", candidates, "", "of the repository, for this call"),
    COLUMN(star_row, INT, "groups", groups, "", "of these"),
    COLUMN(star_row, INT, "expected", expected, "", "calls of Measure_Select where `algorithm` wins: 10 for each candidate, or 10 × (groups + size of its group − 1)", COLUMN_NONE(0)),
    COLUMN(star_row, INT, "measured", measured, "", "calls that tried candidates"),
    COLUMN(star_row, INT, "monitored", monitored, "", "calls that watched the chosen one"),
    COLUMN(star_row, TEXT, "algorithm", algorithm, "", "that the last call ran"),
    COLUMN(star_row, REAL, "measure_s", measure_s, "s", "of all calls of Measure_Select, mean over ranks"),
    COLUMN(star_row, REAL, "measure_call_s", measure_call_s, "s", "of a call then, with what the library adds"),
    COLUMN(star_row, REAL, "monitor_call_s", monitor_call_s, "s", "of a call of Monitor_Adapt, likewise"),
    COLUMN(star_row, REAL, "o_ms_a_s", o_ms_a_s, "s", "of a call: the library's own work in Measure_Select; walked: the allreduce that agrees alone"),
    COLUMN(star_row, REAL, "o_ms_c_s", o_ms_c_s, "s", "of a call: the collective itself then"),
    COLUMN(star_row, REAL, "o_ma_s", o_ma_s, "s", "of a call: the library's own work in Monitor_Adapt; walked as above"),
    COLUMN(star_row, REAL, "default_s", default_s, "s", "of a call by the library's own choice, without star"),
    COLUMN(star_row, TEXT, "default_algorithm", default_algorithm, "", "what that ran; `LIBRARY:default`: not known"),
    COLUMN(star_row, TEXT, "static_algorithm", static_algorithm, "", "the candidate that is fastest where all ranks call together; empty: not known"),
    COLUMN(star_row, REAL, "static_s", static_s, "s", "of a call by that one, without star"),
    COLUMN(star_row, REAL, "gain_pct", saved_pct, "%", "of the default's time that a call of Monitor_Adapt saves: in percent of the longer time, as the paper has it (losses and gains elsewhere are of the shorter)"),
    COLUMN(star_row, REAL, "own_pct", own_pct, "%", "`o_ma_s` of `monitor_call_s`"),
    COLUMN(star_row, REAL, "speedup_pct", speedup_pct, "%", "by so much the default takes longer over 500 calls, Measure_Select with them, reckoned from the means of both stages"),
    COLUMN(star_row, INT, "agreements", agreements, "", "of the ranks"),
    COLUMN(star_row, INT, "changes", changes, "", "how often another candidate took over"),
    COLUMN(star_row, REAL, "compute_s", compute_s, "s", "between two calls, of every rank alike"),
    COLUMN(star_row, REAL, "late_s", late_s, "s", "the last rank comes later to every call by so much"),
    COLUMN(star_row, NAME, "backend", backend, "", "`walk`: simulated, `emulated`, `real`"),
};
/* clang-format on */

SCHEMA(star_schema, star_row, columns, "star.csv",
       "One row per cell and scheme of STAR-MPI's micro-benchmark (`collsel star`).");

const char *star_repository(const struct star_row *row)
{
    return repository_words[row->repository];
}

uint64_t star_element_bytes(const struct collective *collective)
{
    return collective->combines ? sizeof(double) : 1;
}

static int is_first_of_group(const struct repository *r, int candidate)
{
    int i = 0;
    while (r->group[i] != r->group[candidate])
        i++;
    return i == candidate;
}

static int count_groups(const struct repository *r)
{
    int n = 0;
    for (int i = 0; i < r->n; i++)
        n += is_first_of_group(r, i);
    return n;
}

static int size_of_group(const struct repository *r, int of)
{
    int n = 0;
    for (int i = 0; i < r->n; i++)
        n += r->group[i] == r->group[of];
    return n;
}

int star_calls(const struct repository *r, enum star_scheme scheme, int winner)
{
    return star_usual.iterations *
           (scheme == STAR_BASIC ? r->n : count_groups(r) + size_of_group(r, winner) - 1);
}

int star_most_calls(const struct repository *r, const struct star_row *row)
{
    int most = 0;
    for (int i = 0; i < r->n; i++) {
        const int calls = star_calls(r, row->scheme, i);
        most = calls > most ? calls : most;
    }
    return most;
}

void star_row_expect(struct star_row *row, const struct repository *r, int winner)
{
    row->candidates = r->n;
    row->groups = count_groups(r);
    row->expected = winner < 0 ? 0 : star_calls(r, row->scheme, winner);
}

double star_whole_call(const struct star_row *row)
{
    const int measured = row->measured < STAR_WHOLE ? row->measured : STAR_WHOLE;
    return (measured * row->measure_call_s + (STAR_WHOLE - measured) * row->monitor_call_s) /
           STAR_WHOLE;
}

void star_row_finish(struct star_row *row)
{
    row->saved_pct = 100 * (1 - row->monitor_call_s / row->default_s);
    row->own_pct = 100 * row->o_ma_s / row->monitor_call_s;
    row->speedup_pct = longer_pct(row->default_s, star_whole_call(row));
}

double star_pays_after(const struct star_row *row)
{
    const double lost_s = row->measured * (row->measure_call_s - row->default_s),
                 gain_s = row->default_s - row->monitor_call_s;
    if (isnan(lost_s) || isnan(gain_s))
        return NAN;
    if (lost_s <= 0)
        return gain_s >= 0 ? 0 : INFINITY;
    return gain_s > 0 ? row->measured + lost_s / gain_s : INFINITY;
}

static int is_same(const struct star_row *a, const struct star_row *b)
{
    return a->procs == b->procs && a->bytes == b->bytes && a->repository == b->repository &&
           a->scheme == b->scheme && a->late_s == b->late_s &&
           strcmp(a->collective, b->collective) == 0;
}

void star_rows_put(struct star_row **rows, size_t *n, const struct star_row *row)
{
    for (size_t i = 0; i < *n; i++)
        if (is_same(&(*rows)[i], row)) {
            (*rows)[i] = *row;
            return;
        }
    *array_add(rows, n) = *row;
}

int star_rows_write(const char *dir, const struct star_row *rows, size_t n, struct err *err)
{
    char path[PATH_SIZE];
    return fs_path(path, sizeof path, err, "%s/%s", dir, star_schema.path) < 0
               ? -1
               : schema_write(&star_schema, path, rows, n, err);
}
