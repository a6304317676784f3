/* SPDX-License-Identifier: BSD-3-Clause */
/* Choices along a row: noise makes no stripes, nothing that is slower is taken, and no other row of
 * choices is better (all of them tried). */
#include "analysis/advise/smooth.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/rng.h"
#include "tests/tap.h"

enum { MOST_CELLS = 5, MOST_NEAR = 3, ROWS = 400 };

struct row {
    struct advice_near near[MOST_CELLS][MOST_NEAR];
    struct candidate above[MOST_CELLS];
    struct smooth_cell cell[MOST_CELLS];
    size_t n;
};

static struct candidate named(size_t k)
{
    static const char *const names[] = { "ring", "chain", "linear", "binary" };
    struct candidate c = { .fanout = 0 };
    snprintf(c.algorithm, NAME_SIZE, "%s", names[k]);
    return c;
}

/* Changes, cells unlike those above, and losses, in one number each. */
static void price_of(const struct row *row, const size_t *chosen, size_t price[2], double *lost)
{
    price[0] = price[1] = 0;
    *lost = 0;
    for (size_t i = 0; i < row->n; i++) {
        const struct advice_near *own = &row->cell[i].near[chosen[i]];
        price[0] +=
            i && !candidate_equal(&row->cell[i - 1].near[chosen[i - 1]].candidate, &own->candidate);
        price[1] += row->cell[i].above && !candidate_equal(row->cell[i].above, &own->candidate);
        *lost += own->longer_pct;
    }
}

static int is_better(const struct row *row, const size_t *a, const size_t *b)
{
    size_t x[2], y[2];
    double xl, yl;
    price_of(row, a, x, &xl);
    price_of(row, b, y, &yl);
    if (x[0] != y[0])
        return x[0] < y[0];
    return x[1] != y[1] ? x[1] < y[1] : xl < yl - 1e-9;
}

/* The next of all rows of choices; 0 behind the last. */
static int advance(const struct row *row, size_t *chosen)
{
    for (size_t i = 0; i < row->n; i++) {
        if (++chosen[i] < row->cell[i].n)
            return 1;
        chosen[i] = 0;
    }
    return 0;
}

static void make_row(struct rng *rng, struct row *row)
{
    *row = (struct row){ .n = 1 + rng_below(rng, MOST_CELLS) };
    const int first = rng_below(rng, 3) == 0;
    for (size_t i = 0; i < row->n; i++) {
        const size_t from = rng_below(rng, 4);
        row->cell[i].n = 1 + rng_below(rng, MOST_NEAR);
        row->cell[i].near = row->near[i];
        row->above[i] = named(rng_below(rng, 4));
        row->cell[i].above = first ? NULL : &row->above[i];
        for (size_t k = 0; k < row->cell[i].n; k++)
            row->near[i][k] =
                (struct advice_near){ named((from + k) % 4),
                                      k ? (double)rng_below(rng, 250) / 100 : 0, NAN, NAN };
    }
}

static void against_all(void)
{
    struct rng rng;
    int worse = 0;
    rng_init(&rng, 7);
    for (int r = 0; r < ROWS; r++) {
        struct row row;
        size_t seen[MOST_CELLS], other[MOST_CELLS] = { 0 };
        make_row(&rng, &row);
        smooth_row(row.cell, row.n);
        for (size_t i = 0; i < row.n; i++)
            seen[i] = row.cell[i].chosen;
        do
            worse += is_better(&row, other, seen);
        while (advance(&row, other));
    }
    is_int(0, worse, "of %d rows none has better choices", ROWS);
}

/* Two algorithms that noise puts before each other in turn; a third is the only one in one cell. */
static void stripes(void)
{
    struct row row = { .n = MOST_CELLS };
    for (size_t i = 0; i < row.n; i++) {
        row.near[i][0] = (struct advice_near){ named(i % 2), 0, NAN, NAN };
        row.near[i][1] = (struct advice_near){ named((i + 1) % 2), 1, NAN, NAN };
        row.cell[i].near = row.near[i];
        row.cell[i].n = 2;
    }
    smooth_row(row.cell, row.n);
    size_t rings = 0;
    for (size_t i = 0; i < row.n; i++)
        rings += strcmp(row.near[i][row.cell[i].chosen].candidate.algorithm, "ring") == 0;
    is_int(MOST_CELLS, (long long)rings, "what is the fastest in most cells is in all of them");
    row.near[4][0].candidate = named(2);
    row.cell[4].n = 1;
    smooth_row(row.cell, row.n);
    is_str("linear", row.near[4][row.cell[4].chosen].candidate.algorithm,
           "where it is much slower it is not");
    smooth_row(NULL, 0);
    ok(1, "of no cells nothing is chosen");
}

int main(void)
{
    against_all();
    stripes();
    return tap_done();
}
