/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/judge/degrade.h"

static int has_cells(const void *row)
{
    return ((const struct degradation *)row)->cells > 0;
}

/* clang-format off */
static const struct schema_column columns[] = {
    COLUMN(degradation, NAME, "selector", name, "", "what chooses"),
    COLUMN(degradation, WORD, "purpose", purpose, "", "of the cells' points", .words = purpose_words),
    PLATFORM_COLUMNS(degradation, mpi, mapping),
    COLUMN(degradation, COUNT, "cells", cells, "", "compared: status `ok`, and it is known what the choice loses (selection.csv `counted_pct`)"),
    COLUMN(degradation, COUNT, "one_launch", one_launch, "", "further cells of status `ok`: one launch alone says what is lost", .optional = 1),
    COLUMN(degradation, COUNT, "untold", untold, "", "cells compared whose loss counts as none, as the launches do not tell it", .optional = 1),
    COLUMN(degradation, COUNT, "undecided", undecided, "", "cells whose status is neither `ok` nor `alone`"),
    COLUMN(degradation, COUNT, "alone", alone, "", "cells in which it knows of one candidate only: neither of the two", .optional = 1),
    COLUMN(degradation, REAL, "mean_pct", mean_pct, "%", "of `counted_pct` over the cells compared, as all that follow"),
    COLUMN(degradation, REAL, "geomean_pct", geomean_pct, "%", "of the geometric mean of chosen over best: 100 (that - 1)", .optional = 1),
    COLUMN(degradation, REAL, "median_pct", median_pct, "%", "median"),
    COLUMN(degradation, REAL, "p95_pct", p95_pct, "%", "95th percentile"),
    COLUMN(degradation, REAL, "worst_pct", worst_pct, "%", "the largest"),
    COLUMN(degradation, INT, "worst_procs", worst_procs, "", "ranks of that cell", .given = has_cells),
    COLUMN(degradation, COUNT, "worst_bytes", worst_bytes, "bytes", "size of that cell", .given = has_cells),
    COLUMN(degradation, COUNT, "substituted", substituted, "", "cells at which something else ran than a name says"),
    COLUMN(degradation, REAL, "worst_unsubstituted_pct", worst_unsubstituted_pct, "%", "the largest over the other cells"),
    COLUMN(degradation, COUNT, "optimal_or_tied", optimal_or_tied, "", "cells whose choice is not significantly slower than the best"),
    COLUMN(degradation, REAL, "core_s", core_s, "s", "core-seconds of the measurements that it rests on, of its library, mapping and collective (experiments on channels count in every mapping, those of the machine for every collective); in a simulation simulated time x ranks, one sample of each; empty: not known"),
    COLUMN(degradation, NAME, "collective", collective, "", "the MPI collective"),
    COLUMN(degradation, COUNT, "poor_fits", poor_fits, "", "cells compared in which it chose by a prediction whose status is `poor_fit`", .optional = 1),
};
/* clang-format on */

SCHEMA(degradation_schema, degradation, columns, "degradation.csv",
       "One row per selector, purpose, collective, library and mapping.", .backend = 1);

/* 1 when the row is that of the selection. */
static int is_row_of(const struct degradation *r, const struct selection *s)
{
    return r->selector == s->selector && r->purpose == s->purpose &&
           strcmp(r->collective, s->cell.collective) == 0 && strcmp(r->mpi, s->cell.mpi) == 0 &&
           strcmp(r->mapping, s->cell.mapping) == 0;
}

static void add_row_of(struct degradations *d, const struct selection *s)
{
    for (size_t i = 0; i < d->n; i++)
        if (is_row_of(&d->row[i], s))
            return;
    struct degradation *r = array_add(&d->row, &d->n);
    *r = (struct degradation){ .selector = s->selector,
                               .purpose = s->purpose,
                               .worst_pct = NAN,
                               .worst_unsubstituted_pct = NAN };
    memcpy(r->name, s->name, sizeof r->name);
    memcpy(r->collective, s->cell.collective, sizeof r->collective);
    memcpy(r->mpi, s->cell.mpi, sizeof r->mpi);
    memcpy(r->mapping, s->cell.mapping, sizeof r->mapping);
}

void losses_add(struct losses *l, const struct selection *s)
{
    if (s->status != SELECT_OK)
        return;
    if (isnan(s->counted_pct)) {
        l->one_launch++;
        return;
    }
    if (!l->cells || s->counted_pct > l->worst_pct) {
        l->worst_pct = s->counted_pct;
        l->worst = s;
    }
    *array_add(&l->pct, &l->cells) = s->counted_pct;
    l->sum += s->counted_pct;
    l->logs += log1p(s->counted_pct / 100);
    l->untold += s->counted_pct < s->degradation_pct;
    l->tied += s->tied == 1;
    l->much += s->counted_pct > LOSS_MUCH_PCT;
    l->much_tied += s->counted_pct > LOSS_MUCH_PCT && s->tied == 1;
}

double losses_mean(const struct losses *l)
{
    return l->cells ? l->sum / (double)l->cells : NAN;
}

double losses_geomean(const struct losses *l)
{
    return mean_longer_pct(l->logs, l->cells);
}

double losses_quantile(const struct losses *l, double q)
{
    stats_sort(l->pct, l->cells);
    return stats_quantile(l->pct, l->cells, q);
}

CLEARS(losses_clear, losses, it->pct)

static void take(struct degradation *r, struct losses *l, const struct selection *s)
{
    const size_t cells = l->cells;
    losses_add(l, s);
    r->alone += s->status == SELECT_ALONE;
    if (!r->undecided && s->status != SELECT_ALONE && s->status != SELECT_OK)
        r->why = s->reason;
    r->undecided += s->status != SELECT_ALONE && s->status != SELECT_OK;
    if (l->cells == cells)
        return;
    r->poor_fits += (size_t)s->by_poor_fit;
    r->substituted += (size_t)s->substituted;
    if (!s->substituted)
        r->worst_unsubstituted_pct = fmax(r->worst_unsubstituted_pct, s->counted_pct);
}

/* Fills the row by its selections. */
static void sum_up(struct degradation *r, const struct selection_table *table)
{
    struct losses l = { .cells = 0 };
    for (size_t i = 0; i < table->n; i++)
        if (is_row_of(r, &table->row[i]))
            take(r, &l, &table->row[i]);
    r->cells = l.cells;
    r->one_launch = l.one_launch;
    r->untold = l.untold;
    r->optimal_or_tied = l.tied;
    r->mean_pct = losses_mean(&l);
    r->geomean_pct = losses_geomean(&l);
    r->median_pct = losses_quantile(&l, 0.5);
    r->p95_pct = losses_quantile(&l, 0.95);
    if (l.worst) {
        r->worst_pct = l.worst_pct;
        r->worst_procs = l.worst->cell.procs;
        r->worst_bytes = l.worst->cell.bytes;
    }
    losses_clear(&l);
}

void degradations_make(const struct selection_table *table, const struct points *points,
                       struct degradations *out)
{
    *out = (struct degradations){ .n = 0 };
    for (size_t i = 0; i < table->n; i++)
        add_row_of(out, &table->row[i]);
    for (size_t i = 0; i < out->n; i++) {
        struct degradation *r = &out->row[i];
        sum_up(r, table);
        const struct spending of = { r->collective, r->mpi, r->mapping };
        r->standing = selector_standing(r->selector, r->purpose, points->backend);
        r->core_s = r->selector->core_s ? r->selector->core_s(points, &of) : 0;
        if (r->selector->core_s && !(r->core_s > 0))
            r->core_s = NAN; /* times have no cost that is known: none was free */
    }
}

CLEARS(degradations_clear, degradations, it->row)
