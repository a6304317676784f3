/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/heldout/heldout.h"

#include "analysis/judge/degrade.h"
#include "harness/base/rng.h"

enum { DRAWS = 1000 };

static int has_cells(const void *row)
{
    return ((const struct heldout_row *)row)->cells > 0;
}

#define LOW_HIGH(name, member)                                                                     \
    COLUMN(heldout_row, REAL, name "_low_pct", member.low, "%", "interval of it"),                 \
        COLUMN(heldout_row, REAL, name "_high_pct", member.high, "%", "its other end")

/* clang-format off */
static const struct schema_column columns[] = {
    COLUMN(heldout_row, NAME, "selector", selector, "", "what chooses"),
    COLUMN(heldout_row, WORD, "purpose", purpose, "", "of the cells' points", .words = purpose_words),
    COLUMN(heldout_row, NAME, "collective", collective, "", "the MPI collective; `all`: of all cells of the purpose together, where they differ in what follows"),
    COLUMN(heldout_row, NAME, "mpi", mpi, "", "the MPI library, or `all`"),
    COLUMN(heldout_row, NAME, "mapping", mapping, "", "how ranks are laid on nodes, or `all`"),
    COLUMN(heldout_row, COUNT, "cells", cells, "", "compared: status `ok`, and it is known what the choice loses (selection.csv `counted_pct`)"),
    COLUMN(heldout_row, COUNT, "one_launch", one_launch, "", "further cells of status `ok`: one launch alone says what is lost", .optional = 1),
    COLUMN(heldout_row, COUNT, "undecided", undecided, "", "cells whose status is neither `ok` nor `alone`"),
    COLUMN(heldout_row, COUNT, "alone", alone, "", "cells in which it knows of one candidate only: neither of the two"),
    COLUMN(heldout_row, REAL, "geomean_pct", geomean_pct.value, "%", "of the geometric mean of chosen over best: 100 (that - 1)"),
    LOW_HIGH("geomean", geomean_pct),
    COLUMN(heldout_row, REAL, "mean_pct", mean_pct.value, "%", "the arithmetic mean of the losses"),
    LOW_HIGH("mean", mean_pct),
    COLUMN(heldout_row, REAL, "median_pct", median_pct.value, "%", "median"),
    LOW_HIGH("median", median_pct),
    COLUMN(heldout_row, REAL, "p95_pct", p95_pct.value, "%", "95th percentile"),
    LOW_HIGH("p95", p95_pct),
    COLUMN(heldout_row, REAL, "worst_pct", worst_pct, "%", "the largest"),
    COLUMN(heldout_row, INT, "worst_procs", worst_procs, "", "ranks of that cell", .given = has_cells),
    COLUMN(heldout_row, COUNT, "worst_bytes", worst_bytes, "bytes", "size of that cell", .given = has_cells),
    COLUMN(heldout_row, REAL, "tied_pct", tied_pct.value, "%", "share of the cells whose choice is the best or tied with it"),
    LOW_HIGH("tied", tied_pct),
    COLUMN(heldout_row, TEXT, "holdout", holdout, "", "what was held out, as `collsel select --holdout` takes it"),
    COLUMN(heldout_row, COUNT, "trained", trained, "", "timed points that there were to learn from"),
};
/* clang-format on */

SCHEMA(heldout_schema, heldout_row, columns, "heldout.csv",
       "In `holdout/NAME/`: one row per selector, purpose, collective, library and mapping, over "
       "cells that were kept from what learns (`analysis/measure/holdout_cells.h`).",
       .backend = 1);

SCHEMA(
    learning_schema, heldout_row, columns, "learning.csv",
    "In `holdout/model/`, of `select --model --budget`: the rows of heldout.csv for each budget, "
    "with how many timed points (`trained`) it measured.",
    .backend = 1);

/* 1 when a selection counts in a row. */
static int counts_in(const struct heldout_row *r, const struct selection *s)
{
    if (r->purpose != s->purpose || strcmp(r->selector, s->name) != 0)
        return 0;
    return strcmp(r->collective, "all") == 0 ||
           (strcmp(r->collective, s->cell.collective) == 0 && strcmp(r->mpi, s->cell.mpi) == 0 &&
            strcmp(r->mapping, s->cell.mapping) == 0);
}

static struct heldout_row *add_row(struct heldout_table *out, const struct selection *s, int all)
{
    struct heldout_row *r = array_add(&out->row, &out->n);
    r->purpose = s->purpose;
    memcpy(r->selector, s->name, sizeof r->selector);
    snprintf(r->collective, sizeof r->collective, "%s", all ? "all" : s->cell.collective);
    snprintf(r->mpi, sizeof r->mpi, "%s", all ? "all" : s->cell.mpi);
    snprintf(r->mapping, sizeof r->mapping, "%s", all ? "all" : s->cell.mapping);
    return r;
}

/* Makes the rows of one selector and purpose, which are those from `first` on: selections are in
 * the order of selectors, then purposes, then cells. Returns where the next begin. */
static size_t add_rows(const struct selection_table *t, size_t first, struct heldout_table *out)
{
    const size_t had = out->n;
    size_t i = first;
    for (; i < t->n && t->row[i].selector == t->row[first].selector &&
           t->row[i].purpose == t->row[first].purpose;
         i++) {
        size_t k = had;
        while (k < out->n && !counts_in(&out->row[k], &t->row[i]))
            k++;
        if (k == out->n)
            add_row(out, &t->row[i], 0);
    }
    if (out->n > had + 1)
        add_row(out, &t->row[first], 1);
    return i;
}

/* In the order of the members of a row: geometric mean, mean, median, p95, tied. */
enum { N_TOLD = 5 };

/* Of the n rows at; NULL: of all. */
static void tell(const struct selection *const *row, const size_t *at, size_t n,
                 double told[N_TOLD])
{
    struct losses l = { .cells = 0 };
    for (size_t i = 0; i < n; i++)
        losses_add(&l, row[at ? at[i] : i]);
    told[0] = losses_geomean(&l);
    told[1] = losses_mean(&l);
    told[2] = losses_quantile(&l, 0.5);
    told[3] = losses_quantile(&l, 0.95);
    told[4] = 100 * (double)l.tied / (double)l.cells;
    losses_clear(&l);
}

static struct heldout_number number(double value, double *drawn, double confidence)
{
    stats_sort(drawn, DRAWS);
    return (struct heldout_number){ value, stats_quantile(drawn, DRAWS, 0.5 - confidence / 2),
                                    stats_quantile(drawn, DRAWS, 0.5 + confidence / 2) };
}

/* Every number with its interval. */
static void bootstrap(struct heldout_row *r, const struct selection *const *row, size_t n,
                      const struct facts *facts)
{
    struct heldout_number *const to[N_TOLD] = { &r->geomean_pct, &r->mean_pct, &r->median_pct,
                                                &r->p95_pct, &r->tied_pct };
    double(*drawn)[DRAWS] = memory_zeros(N_TOLD, sizeof *drawn), told[N_TOLD];
    size_t *at = memory_zeros(n, sizeof *at);
    struct rng rng;
    rng_init(&rng, facts->seed);
    for (size_t k = 0; k < DRAWS; k++) {
        for (size_t i = 0; i < n; i++)
            at[i] = (size_t)rng_below(&rng, n);
        tell(row, at, n, told);
        for (int j = 0; j < N_TOLD; j++)
            drawn[j][k] = told[j];
    }
    tell(row, NULL, n, told);
    for (int j = 0; j < N_TOLD; j++)
        *to[j] = number(told[j], drawn[j], facts->confidence);
    memory_free(at, drawn);
}

static void sum_up(struct heldout_row *r, const struct selection_table *t,
                   const struct facts *facts)
{
    const struct selection **row = memory_zeros(t->n + 1, sizeof *row);
    struct losses l = { .cells = 0 };
    const struct heldout_number none = { NAN, NAN, NAN };
    r->worst_pct = NAN;
    r->geomean_pct = r->mean_pct = r->median_pct = r->p95_pct = r->tied_pct = none;
    for (size_t i = 0; i < t->n; i++) {
        const struct selection *s = &t->row[i];
        if (!counts_in(r, s))
            continue;
        r->alone += s->status == SELECT_ALONE;
        r->undecided += s->status != SELECT_ALONE && s->status != SELECT_OK;
        losses_add(&l, s);
        if (l.cells > r->cells)
            row[r->cells++] = s;
    }
    r->one_launch = l.one_launch;
    if (r->cells) {
        bootstrap(r, row, r->cells, facts);
        r->worst_pct = l.worst_pct;
        r->worst_procs = l.worst->cell.procs;
        r->worst_bytes = l.worst->cell.bytes;
    }
    losses_clear(&l);
    free(row);
}

void heldout_make(const struct selection_table *selections, const struct holdout *holdout,
                  size_t trained, const struct facts *facts, struct heldout_table *out)
{
    *out = (struct heldout_table){ .n = 0 };
    for (size_t first = 0; first < selections->n;)
        first = add_rows(selections, first, out);
    for (size_t i = 0; i < out->n; i++) {
        struct heldout_row *r = &out->row[i];
        sum_up(r, selections, facts);
        memcpy(r->holdout, holdout->text, sizeof r->holdout);
        r->trained = trained;
    }
}

CLEARS(heldout_clear, heldout_table, it->row)
