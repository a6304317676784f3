/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/measure/agreement.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/measure/stats.h"
#include "harness/base/array.h"
#include "harness/base/memory.h"

/* A point with its times in both studies. */
struct both {
    const struct point *point;
    double here_s, there_s;
};

static int by_cell(const void *a, const void *b)
{
    const struct both *x = a, *y = b;
    const int c = cell_compare_context(&x->point->cell, &y->point->cell);
    return c ? c : cell_compare(&x->point->cell, &y->point->cell);
}

static size_t find_pairs(const struct points *points, const struct compare_studies *against,
                         struct both *pair)
{
    size_t n = 0;
    for (size_t i = 0; i < points->n; i++) {
        const struct comparison c = compare_studies_compare(against, &points->row[i]);
        if (c.status == COMPARE_STUDIES_OK && c.here_s >= 0 && c.there_s > 0)
            pair[n++] = (struct both){ &points->row[i].point, c.here_s, c.there_s };
    }
    qsort(pair, n, sizeof *pair, by_cell);
    return n;
}

static void add_errors(struct agreement *row, const struct both *pair, size_t n)
{
    double *pct = memory_zeros(n, sizeof *pct);
    row->points = n;
    row->worst = *pair[0].point;
    for (size_t i = 0; i < n; i++) {
        pct[i] = fabs(longer_pct(pair[i].here_s, pair[i].there_s));
        if (pct[i] > row->worst_pct) {
            row->worst_pct = pct[i];
            row->worst = *pair[i].point;
        }
    }
    stats_sort(pct, n);
    row->median_pct = stats_quantile(pct, n, 0.5);
    row->p95_pct = stats_quantile(pct, n, 0.95);
    free(pct);
}

/* One cell's pairs: of the candidates of its grid, the fastest here and there. */
static void add_cell(struct agreement *row, const struct both *pair, size_t n)
{
    const struct both *here = NULL, *there = NULL;
    size_t candidates = 0;
    for (size_t i = 0; i < n; i++) {
        if (pair[i].point->experiment != EXP_TIME || pair[i].point->purpose != FOR_STUDY)
            continue;
        candidates++;
        here = !here || pair[i].here_s < here->here_s ? &pair[i] : here;
        there = !there || pair[i].there_s < there->there_s ? &pair[i] : there;
    }
    if (candidates < 2)
        return;
    const double loss_pct = longer_pct(here->there_s, there->there_s);
    row->cells++;
    row->agreed += loss_pct <= 0;
    row->mean_loss_pct += loss_pct;
    if (row->cells == 1 || loss_pct > row->worst_loss_pct) {
        row->worst_loss_pct = loss_pct;
        row->worst_cell = here->point->cell;
    }
}

static void add_cells(struct agreement *row, const struct both *pair, size_t n)
{
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1;
             end < n && cell_compare(&pair[i].point->cell, &pair[end].point->cell) == 0;)
            end++;
        add_cell(row, pair + i, end - i);
    }
    row->mean_loss_pct /= row->cells ? (double)row->cells : 1;
}

void agreements_make(const struct points *points, const struct compare_studies *against,
                     struct agreements *agreements)
{
    struct both *pair = memory_zeros(points->n + 1, sizeof *pair);
    const size_t n = find_pairs(points, against, pair);
    *agreements = (struct agreements){ .n = 0 };
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1;
             end < n && cell_compare_context(&pair[i].point->cell, &pair[end].point->cell) == 0;)
            end++;
        struct agreement *row = array_add(&agreements->row, &agreements->n);
        row->context = pair[i].point->cell;
        add_errors(row, pair + i, end - i);
        add_cells(row, pair + i, end - i);
    }
    free(pair);
}

void agreements_clear(struct agreements *agreements)
{
    free(agreements->row);
    *agreements = (struct agreements){ .n = 0 };
}
