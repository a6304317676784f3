/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/judge/conditions.h"

/* The timed candidates of the study, cell after cell; in a cell in the order of the plan. */
struct sorted {
    const struct measured **row;
    size_t n;
};

/* What a default would pick besides is no candidate; what it was measured to take is. */
static int is_candidate(const struct measured *m)
{
    return m->point.experiment == EXP_TIME &&
           (m->point.purpose == FOR_STUDY || algorithm_is_default(m->point.candidate.algorithm));
}

static int by_cell(const void *a, const void *b)
{
    const struct measured *x = *(const struct measured *const *)a;
    const struct measured *y = *(const struct measured *const *)b;
    return by_keys(cell_compare(&x->point.cell, &y->point.cell), ascending(x, y));
}

static void sort_cells(const struct points *all, struct sorted *s)
{
    *s = (struct sorted){ .row = memory_zeros(all->n + 1, sizeof *s->row) };
    for (size_t i = 0; i < all->n; i++)
        if (is_candidate(&all->row[i]))
            s->row[s->n++] = &all->row[i];
    qsort(s->row, s->n, sizeof *s->row, by_cell);
}

/* Where a cell begins; n where there is none. */
static size_t find_cell(const struct sorted *s, const struct cell *cell)
{
    const size_t at = sorted_below(i, s->n, cell_compare(&s->row[i]->point.cell, cell) >= 0);
    return at < s->n && cell_compare(&s->row[at]->point.cell, cell) == 0 ? at : s->n;
}

static int in_cell(const struct sorted *s, size_t i, const struct cell *cell)
{
    return i < s->n && cell_compare(&s->row[i]->point.cell, cell) == 0;
}

/* The fastest of a cell, or NULL. */
static const struct measured *fastest(const struct sorted *s, const struct cell *cell)
{
    const struct measured *best = NULL;
    for (size_t i = find_cell(s, cell); in_cell(s, i, cell); i++)
        if (measured_usable(s->row[i]) && (!best || s->row[i]->time.value < best->time.value))
            best = s->row[i];
    return best;
}

static const struct measured *find_candidate(const struct sorted *s, const struct cell *cell,
                                             const struct candidate *candidate)
{
    for (size_t i = find_cell(s, cell); in_cell(s, i, cell); i++)
        if (candidate_equal(&s->row[i]->point.candidate, candidate))
            return s->row[i];
    return NULL;
}

static int compare(const struct sorted *s, const struct cell *cell, const struct judge *judge,
                   struct condition_loss *r, struct err *err)
{
    const struct cell plain = cell_plain(cell);
    const struct measured *plainest = fastest(s, &plain), *best = fastest(s, cell), *chosen = NULL;
    *r = (struct condition_loss){
        .cell = *cell, .plain_s = NAN, .chosen_s = NAN, .best_s = NAN, .loss = loss_unknown()
    };
    if (plainest) {
        r->chosen = plainest->point.candidate;
        r->plain_s = plainest->time.value;
        chosen = find_candidate(s, cell, &r->chosen);
    }
    if (chosen && measured_usable(chosen))
        r->chosen_s = chosen->time.value;
    if (best) {
        r->best = best->point.candidate;
        r->best_s = best->time.value;
    }
    r->status = !plainest            ? SELECT_NO_CHOICE
                : !best              ? SELECT_NO_BEST
                : isnan(r->chosen_s) ? SELECT_NOT_MEASURED
                                     : SELECT_OK;
    return r->status == SELECT_OK ? judge_loss(judge, chosen, best, &r->loss, err) : 0;
}

int condition_losses_make(const struct points *all, const struct judge *judge,
                          struct condition_losses *out, struct err *err)
{
    struct sorted s;
    *out = (struct condition_losses){ .n = 0 };
    int status = 0;
    sort_cells(all, &s);
    for (size_t i = 0; status == 0 && i < s.n; i++) {
        const struct cell *cell = &s.row[i]->point.cell;
        if (cell_is_plain(cell) || (i > 0 && in_cell(&s, i - 1, cell)))
            continue;
        status = compare(&s, cell, judge, array_add(&out->row, &out->n), err);
    }
    free(s.row);
    if (status < 0)
        condition_losses_clear(out);
    return status;
}

static int has_chosen(const void *row)
{
    return *((const struct condition_loss *)row)->chosen.algorithm != '\0';
}

static int has_best(const void *row)
{
    return *((const struct condition_loss *)row)->best.algorithm != '\0';
}

/* clang-format off */
static const struct schema_column columns[] = {
    CELL_COLUMNS(condition_loss, cell),
    CONDITION_COLUMNS(condition_loss, cell),
    COLUMN(condition_loss, NAME, "chosen_algorithm", chosen.algorithm, "", "the fastest under plain conditions; empty: there is none"),
    COLUMN(condition_loss, COUNT, "chosen_segment_bytes", chosen.segment_bytes, "bytes", "with which segment", .given = has_chosen),
    COLUMN(condition_loss, INT, "chosen_fanout", chosen.fanout, "", "with which fan-out", .given = has_chosen),
    COLUMN(condition_loss, REAL, "plain_s", plain_s, "s", "its time there"),
    COLUMN(condition_loss, REAL, "chosen_s", chosen_s, "s", "its time here"),
    COLUMN(condition_loss, NAME, "best_algorithm", best.algorithm, "", "the fastest here; empty: there is none"),
    COLUMN(condition_loss, COUNT, "best_segment_bytes", best.segment_bytes, "bytes", "with which segment", .given = has_best),
    COLUMN(condition_loss, INT, "best_fanout", best.fanout, "", "with which fan-out", .given = has_best),
    COLUMN(condition_loss, REAL, "best_s", best_s, "s", "its time"),
    COLUMN(condition_loss, REAL, "loss_pct", loss.pct, "%", "100 (chosen_s - best_s) / best_s"),
    LOSS_COLUMNS(condition_loss, loss),
    COLUMN(condition_loss, WORD, "status", status, "", "`no_choice`: nothing was measured under plain conditions; `no_best`: nothing here; `not_measured`: the choice has no time here", .words = select_status_words),
};
/* clang-format on */

SCHEMA(
    conditions_schema, condition_loss, columns, "conditions.csv",
    "One row per cell of the study in which ranks do not arrive together or buffers rotate: what "
    "the choice that is best where neither is so loses there (`analysis/judge/conditions.h`).",
    .backend = 1);

CLEARS(condition_losses_clear, condition_losses, it->row)
