/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/verify/guidelines.h"

#include "analysis/measure/published_default.h"
#include "analysis/measure/welch.h"
#include "workloads/schedules/collectives.h"

enum { MOST_PADDING = 4 };

/* "holds", "unsure", "violated", "untested". */
static const char *const guideline_words[] = { "holds", "unsure", "violated", "untested", NULL };

/* So many bytes an allreduce combines in the messages of a barrier. */
enum { MOST_FEW = 64 };

/* Of the cells by collective, library, mapping, nodes and so on (cell_compare). */
struct times {
    const struct measured **at;
    size_t n;
    const struct facts *facts;
};

static void find_defaults(const struct points *points, const struct facts *facts, struct times *out,
                          size_t *doubted)
{
    *out = (struct times){ .at = memory_zeros(points->n + 1, sizeof *out->at), .facts = facts };
    for (size_t i = 0; i < points->n; i++) {
        const struct measured *m = &points->row[i];
        if (m->point.experiment != EXP_TIME || !cell_is_plain(&m->point.cell) ||
            !point_is_default(facts, &m->point))
            continue;
        *doubted += (size_t)measured_doubted(m);
        if (measured_usable(m) && m->time.value > 0)
            out->at[out->n++] = m;
    }
    qsort(out->at, out->n, sizeof *out->at, measured_by_cell);
}

/* The cell, or the same with the next larger size that there is, up to most bytes; NULL: there is
 * none. */
static const struct measured *find(const struct times *t, const struct cell *cell, uint64_t most)
{
    const struct measured *best = NULL;
    for (size_t i = 0; i < t->n; i++) {
        struct cell like = *cell;
        const uint64_t bytes = t->at[i]->point.cell.bytes;
        like.bytes = bytes;
        if (bytes < cell->bytes || bytes > most || cell_compare(&t->at[i]->point.cell, &like) != 0)
            continue;
        if (!best || bytes < best->point.cell.bytes)
            best = t->at[i];
    }
    return best;
}

static struct guideline_row *add_row(struct guidelines *g, const char *name,
                                     const struct measured *left, const struct welch *right,
                                     const struct facts *facts)
{
    struct guideline_row *row = array_add(&g->row, &g->n);
    struct welch own = WELCH_NOTHING;
    welch_add(&own, left, facts->statistic);
    *row = (struct guideline_row){ .cell = left->point.cell,
                                   .other_procs = left->point.cell.procs,
                                   .left_s = own.seconds,
                                   .right_s = right->seconds,
                                   .longer_pct = longer_pct(own.seconds, right->seconds),
                                   .p = welch_longer(&own, right),
                                   .p_holm = NAN };
    snprintf(row->guideline, sizeof row->guideline, "%s", name);
    return row;
}

static int by_p(const void *left, const void *right)
{
    const struct guideline_row *const *a = left, *const *b = right;
    return ((*a)->p > (*b)->p) - ((*a)->p < (*b)->p);
}

/* Holm (1979): the k-th smallest of n is multiplied by n - k + 1, and none is below an earlier one.
 */
static void correct(struct guidelines *g)
{
    double least = 0;
    struct guideline_row **row = memory_zeros(g->n + 1, sizeof *row);
    for (size_t i = 0; i < g->n; i++)
        if (!isnan(g->row[i].p))
            row[g->tests++] = &g->row[i];
    qsort(row, g->tests, sizeof *row, by_p);
    for (size_t k = 0; k < g->tests; k++) {
        least = fmax(least, fmin(1, row[k]->p * (double)(g->tests - k)));
        row[k]->p_holm = least;
    }
    free(row);
}

static enum guideline_verdict judge(const struct guideline_row *row, const struct facts *facts)
{
    if (facts->deterministic)
        return row->longer_pct > facts->tie_pct ? GUIDELINE_VIOLATED : GUIDELINE_HOLDS;
    if (!(row->longer_pct > 0))
        return GUIDELINE_HOLDS;
    if (isnan(row->p))
        return GUIDELINE_UNTESTED;
    return row->p_holm < 1 - facts->confidence ? GUIDELINE_VIOLATED : GUIDELINE_UNSURE;
}

/* The product; the largest number there is where that is more. */
static uint64_t times_at_most(uint64_t a, uint64_t b)
{
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint64_t scaled(uint64_t bytes, int procs, enum guideline_scale scale)
{
    const uint64_t p = (uint64_t)procs;
    if (scale == SCALE_FEW)
        return 1;
    if (scale == SCALE_TIMES)
        return times_at_most(bytes, p);
    return scale == SCALE_OVER ? (bytes + p - 1) / p : bytes;
}

static void try_one(const struct guideline *of, const struct measured *left, const struct times *t,
                    struct guidelines *out)
{
    char name[GUIDELINE_TEXT];
    struct welch right = WELCH_NOTHING;
    uint64_t bytes[GUIDELINE_SIDES] = { 0 };
    int means = 0;
    snprintf(name, sizeof name, "%s <=", of->collective);
    for (int k = 0; k < GUIDELINE_SIDES && of->part[k].collective; k++) {
        struct cell cell = left->point.cell;
        snprintf(cell.collective, sizeof cell.collective, "%s", of->part[k].collective);
        const enum guideline_scale scale = of->part[k].scale;
        cell.bytes = scaled(cell.bytes, cell.procs, scale);
        const uint64_t most =
            scale == SCALE_FEW ? MOST_FEW : times_at_most(cell.bytes, MOST_PADDING);
        const struct measured *m = find(t, &cell, most);
        if (!m)
            return;
        welch_add(&right, m, t->facts->statistic);
        bytes[k] = m->point.cell.bytes;
        means |= collective_of(cell.collective)->rooted && strcmp(m->statistic, "mean_rank") == 0;
        snprintf(name + strlen(name), sizeof name - strlen(name), "%s %s", k ? " +" : "",
                 cell.collective);
    }
    struct guideline_row *row = add_row(out, name, left, &right, t->facts);
    row->other_bytes = bytes[0];
    row->third_bytes = bytes[1];
    out->means += (size_t)means;
}

/* No longer than the next larger size, or than among the next larger number of processes. */
static void try_next(const char *what, const struct measured *left, const struct measured *right,
                     const struct facts *facts, struct guidelines *out)
{
    char name[GUIDELINE_TEXT];
    struct welch other = WELCH_NOTHING;
    welch_add(&other, right, facts->statistic);
    snprintf(name, sizeof name, "%s grows with %s", left->point.cell.collective, what);
    struct guideline_row *row = add_row(out, name, left, &other, facts);
    row->other_procs = right->point.cell.procs;
    row->other_bytes = right->point.cell.bytes;
}

static const struct measured *next_bytes(const struct times *t, const struct measured *m)
{
    struct cell more = m->point.cell;
    more.bytes++;
    return find(t, &more, UINT64_MAX);
}

/* Of the same root, size and mapping, with no fewer nodes. */
static const struct measured *next_procs(const struct times *t, const struct measured *m)
{
    const struct cell *own = &m->point.cell;
    const struct measured *best = NULL;
    for (size_t i = 0; i < t->n; i++) {
        const struct cell *c = &t->at[i]->point.cell;
        if (c->procs > own->procs && c->nodes >= own->nodes && c->root == own->root &&
            c->bytes == own->bytes && cell_compare_context(c, own) == 0 &&
            (!best || c->procs < best->point.cell.procs))
            best = t->at[i];
    }
    return best;
}

void guidelines_make(const struct points *points, const struct facts *facts, struct guidelines *out)
{
    struct times t;
    *out = (struct guidelines){ .n = 0 };
    find_defaults(points, facts, &t, &out->doubted);
    for (const struct guideline *g = collective_guidelines; g->collective; g++)
        for (size_t i = 0; i < t.n; i++)
            if (strcmp(t.at[i]->point.cell.collective, g->collective) == 0 &&
                t.at[i]->point.cell.procs > 1)
                try_one(g, t.at[i], &t, out);
    for (size_t i = 0; i < t.n; i++) {
        const struct measured *next = next_bytes(&t, t.at[i]);
        if (next)
            try_next("bytes", t.at[i], next, facts, out);
    }
    for (size_t i = 0; i < t.n; i++) {
        const struct measured *next = next_procs(&t, t.at[i]);
        if (next)
            try_next("processes", t.at[i], next, facts, out);
    }
    free(t.at);
    correct(out);
    for (size_t i = 0; i < out->n; i++) {
        out->row[i].verdict = judge(&out->row[i], facts);
        out->verdicts[out->row[i].verdict]++;
    }
}

/* clang-format off */
static const struct schema_column columns[] = {
    COLUMN(guideline_row, TEXT, "guideline", guideline, "", "what takes no longer than what"),
    CELL_COLUMNS(guideline_row, cell),
    COLUMN(guideline_row, INT, "other_procs", other_procs, "", "ranks of the right side", .least = 1, .most = INT_MAX),
    COLUMN(guideline_row, COUNT, "other_bytes", other_bytes, "bytes", "of the right side's call; where that size was not measured the next larger one, up to four times"),
    COLUMN(guideline_row, COUNT, "third_bytes", third_bytes, "bytes", "of its second call; 0: there is none"),
    COLUMN(guideline_row, REAL, "left_s", left_s, "s", "what the call takes: the library's default", COLUMN_SECONDS),
    COLUMN(guideline_row, REAL, "right_s", right_s, "s", "what the right side takes, its calls added", COLUMN_SECONDS),
    COLUMN(guideline_row, REAL, "longer_pct", longer_pct, "%", "by how much longer the left side takes; below 0: it is faster"),
    COLUMN(guideline_row, REAL, "p", p, "", "how likely it would seem so much longer, if it were not: Welch's t over launches, one-sided; empty: one launch, or a simulation"),
    COLUMN(guideline_row, REAL, "p_holm", p_holm, "", "after Holm's correction for all tests of the file"),
    COLUMN(guideline_row, WORD, "verdict", verdict, "", "`holds`; `violated`; `unsure`: longer, not significantly; `untested`: longer, and one launch does not tell", .words = guideline_words),
};
/* clang-format on */

SCHEMA(guidelines_schema, guideline_row, columns, "guidelines.csv",
       "One row per performance guideline and cell that has times of the library's default for "
       "both sides (`collsel guidelines`).",
       .backend = 1);

CLEARS(guidelines_clear, guidelines, it->row)
