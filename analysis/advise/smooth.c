/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/advise/smooth.h"

/* What a row costs up to a cell, the first number before the second before the third. */
struct price {
    size_t changes, unlike;
    double longer_pct;
};

/* The cheapest way to end in a cell with one of its choices. */
struct way {
    struct price price;
    size_t from; /* the choice of the cell before */
};

static int is_cheaper(const struct price *a, const struct price *b)
{
    if (a->changes != b->changes)
        return a->changes < b->changes;
    if (a->unlike != b->unlike)
        return a->unlike < b->unlike;
    return a->longer_pct < b->longer_pct;
}

/* The way to choice k of a cell: from the one before, whose ways are known; NULL: it is the first.
 */
static struct way find_way(const struct smooth_cell *before, const struct way *known,
                           const struct smooth_cell *cell, size_t k)
{
    const struct candidate *own = &cell->near[k].candidate;
    struct way best = { .from = 0 };
    for (size_t i = 0; before && i < before->n; i++) {
        struct way way = { known[i].price, i };
        way.price.changes += !candidate_equal(&before->near[i].candidate, own);
        if (i == 0 || is_cheaper(&way.price, &best.price))
            best = way;
    }
    best.price.unlike += cell->above && !candidate_equal(cell->above, own);
    best.price.longer_pct += cell->near[k].longer_pct;
    return best;
}

static size_t find_cheapest(const struct way *way, size_t n)
{
    size_t best = 0;
    for (size_t k = 1; k < n; k++)
        if (is_cheaper(&way[k].price, &way[best].price))
            best = k;
    return best;
}

void smooth_row(struct smooth_cell *cell, size_t n)
{
    struct way **way = memory_zeros(n + 1, sizeof *way);
    for (size_t i = 0; i < n; i++) {
        way[i] = memory_zeros(cell[i].n, sizeof **way);
        for (size_t k = 0; k < cell[i].n; k++)
            way[i][k] = find_way(i ? &cell[i - 1] : NULL, i ? way[i - 1] : NULL, &cell[i], k);
    }
    if (n)
        cell[n - 1].chosen = find_cheapest(way[n - 1], cell[n - 1].n);
    for (size_t i = n; i-- > 1;)
        cell[i - 1].chosen = way[i][cell[i].chosen].from;
    for (size_t i = 0; i < n; i++)
        free(way[i]);
    free(way);
}
