/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/advise/one_order.h"

#include "analysis/measure/equivalent.h"
#include "workloads/schedules/order.h"

enum { ALL_APART = 32 }; /* beyond, order.c looks at what stands for 2^n, even and odd */

/* The order of a candidate; 0: it has none, or more than one. */
struct known {
    struct candidate candidate;
    uint64_t order;
};

struct orders {
    const char *collective;
    int procs;
    struct known *v; /* owned */
    size_t n;
};

static uint64_t find_order(const char *collective, int procs, const struct candidate *c)
{
    uint64_t tree;
    order_find(equivalent_find(collective, c->algorithm), procs, c->fanout, &tree);
    return tree;
}

static uint64_t order_of(struct orders *o, const struct candidate *c)
{
    for (size_t i = 0; i < o->n; i++)
        if (candidate_equal(&o->v[i].candidate, c))
            return o->v[i].order;
    struct known *k = array_add(&o->v, &o->n);
    *k = (struct known){ *c, find_order(o->collective, o->procs, c) };
    return k->order;
}

/* The fastest of a cell in this order; NULL: there is none. */
static const struct advice_near *find_fastest(struct orders *o, const struct advice *cell,
                                              uint64_t order)
{
    return find_below(cell->near, i, cell->n_near, order_of(o, &cell->near[i].candidate) == order);
}

/* The sum of the logarithms of what they take longer; INFINITY: a cell has none. */
static double price_of(struct orders *o, const struct advice *row, size_t n, uint64_t order)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        const struct advice_near *near = find_fastest(o, &row[i], order);
        sum += near ? log1p(near->longer_pct / 100) : INFINITY;
    }
    return sum;
}

/* 0: nothing will do. */
static uint64_t find_best(struct orders *o, const struct advice *row, size_t n)
{
    double least = INFINITY;
    uint64_t best = 0;
    for (size_t i = 0; i < row[0].n_near; i++) {
        const uint64_t order = order_of(o, &row[0].near[i].candidate);
        const double price = order ? price_of(o, row, n, order) : INFINITY;
        if (price < least) {
            least = price;
            best = order;
        }
    }
    return best;
}

static int is_one_among(const char *collective, int procs, const struct advice_near *chosen,
                        size_t n)
{
    const uint64_t order = find_order(collective, procs, &chosen[0].candidate);
    for (size_t i = 1; i < n; i++)
        if (!candidate_equal(&chosen[i].candidate, &chosen[i - 1].candidate) &&
            find_order(collective, procs, &chosen[i].candidate) != order)
            return 0;
    return order != 0;
}

static int is_one_behind(const struct advice *cell, int last, const struct advice_near *chosen,
                         size_t n)
{
    int seen[3] = { 0 };
    for (int procs = cell->cell.procs + 1; procs <= last; procs++) {
        /* What stands for processes in order.c. */
        const int kind = procs <= ALL_APART ? procs : procs & (procs - 1) ? -1 - procs % 2 : -3;
        if (kind < 0 && seen[-1 - kind]++)
            continue;
        if (!is_one_among(cell->cell.collective, procs, chosen, n))
            return 0;
    }
    return 1;
}

int one_order(const struct advice *row, size_t n, int last, struct advice_near *chosen, int *alone)
{
    struct orders o = { .collective = row[0].cell.collective, .procs = row[0].cell.procs };
    const uint64_t best = find_best(&o, row, n);
    for (size_t i = 0; i < n && best; i++)
        chosen[i] = *find_fastest(&o, &row[i], best);
    *alone = best && !is_one_behind(&row[0], last, chosen, n);
    free(o.v);
    return best ? 0 : -1;
}
