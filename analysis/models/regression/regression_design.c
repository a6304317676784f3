/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/models/regression/regression_design.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *regression_x_name(const struct regression_design *d)
{
    return d->log2_x ? "log2_procs" : "procs";
}

const char *regression_unit_name(enum regression_unit unit)
{
    static const char *const names[] = {
        [REGRESSION_NONE] = "none", [REGRESSION_SOCKETS] = "sockets", [REGRESSION_NODES] = "nodes"
    };
    return names[unit];
}

int regression_uses_log2(const char *algorithm)
{
    static const char *const trees[] = { "binary_tree", "binary", "in-order_binary", "binomial",
                                         "knomial" };
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++)
        if (strcmp(algorithm_base_name(algorithm), trees[i]) == 0)
            return 1;
    return 0;
}

double regression_x(const struct regression_design *d, const struct cell *cell)
{
    return d->log2_x ? log2(cell->procs) : cell->procs;
}

static int known_sockets(const struct facts *facts)
{
    return facts->sockets > 0 && facts->cores > 0 ? facts->sockets : 1;
}

/* 1 when the i-th socket or node (from 0, node by node) holds a rank. */
static int in_use(const struct regression_design *d, const struct facts *facts,
                  const struct cell *cell, int i)
{
    const struct seating s = facts_seating(facts, cell);
    if (d->unit == REGRESSION_NODES)
        return i < cell->nodes && seat_count(&s, i) > 0;
    const int sockets = known_sockets(facts), node = i / sockets;
    return node < cell->nodes && seat_count(&s, node) > i % sockets * facts->cores;
}

unsigned regression_pattern(const struct regression_design *d, const struct facts *facts,
                            const struct cell *cell)
{
    unsigned pattern = 0;
    for (int i = 0; i < d->n_z; i++)
        if (in_use(d, facts, cell, i + 1))
            pattern |= 1u << i;
    return pattern;
}

/* What the dummies tell apart, and how many of them there could be. Returns 0 where there are too
 * many. */
static int choose_unit(struct regression_design *d, const struct facts *facts,
                       const struct cell *const *cell, size_t n)
{
    int nodes = 1;
    for (size_t i = 0; i < n; i++)
        nodes = cell[i]->nodes > nodes ? cell[i]->nodes : nodes;
    if (n == 0 || strcmp(cell[0]->mapping, "node") == 0)
        return 1;
    d->n_z = nodes * known_sockets(facts) - 1;
    d->unit = REGRESSION_SOCKETS;
    if (strcmp(cell[0]->mapping, "socket") == 0 || known_sockets(facts) == 1 ||
        d->n_z > REGRESSION_MOST) {
        d->n_z = nodes - 1;
        d->unit = REGRESSION_NODES;
    }
    if (d->n_z > 0 && d->n_z <= REGRESSION_MOST)
        return 1;
    const int too_many = d->n_z > 0;
    d->n_z = 0;
    d->unit = REGRESSION_NONE;
    return !too_many;
}

/* The different process counts at which z_(i+1) is the last of the kept dummies, and 1. */
static int own_procs(const unsigned *pattern, const struct cell *const *cell, size_t n,
                     unsigned kept, int i)
{
    int count = 0, last = -1;
    for (size_t k = 0; k < n; k++) { /* ascending P */
        if (!(pattern[k] >> i & 1) || (pattern[k] & kept) >> (i + 1) || cell[k]->procs == last)
            continue;
        last = cell[k]->procs;
        count++;
    }
    return count;
}

/* 1 when z_(i+1) is the same at all points, or the same as a kept one before it. */
static int says_nothing(const unsigned *pattern, size_t n, unsigned kept, int i)
{
    unsigned equal = kept & ((1u << i) - 1); /* kept ones that have not differed yet */
    int ones = 0;
    for (size_t k = 0; k < n; k++) {
        const unsigned z = pattern[k] >> i & 1;
        ones += (int)z;
        equal &= z ? pattern[k] : ~pattern[k];
    }
    return ones == 0 || (size_t)ones == n || equal;
}

/* Fills level and slope; returns how many dummies that say something had too few points. */
static int choose_columns(struct regression_design *d, const unsigned *pattern,
                          const struct cell *const *cell, size_t n)
{
    unsigned kept = 0;
    int poor = 0;
    for (int i = 0; i < d->n_z; i++)
        if (!says_nothing(pattern, n, kept, i))
            kept |= 1u << i;
    for (int i = d->n_z - 1; i >= 0; i--) {
        if (!(kept >> i & 1))
            continue;
        const int own = own_procs(pattern, cell, n, kept, i);
        d->level[i] = own >= REGRESSION_LEVEL_POINTS;
        d->slope[i] = own >= REGRESSION_SLOPE_POINTS;
        d->columns += (size_t)d->level[i] + d->slope[i];
        poor += !d->slope[i];
        if (!d->level[i])
            kept &= ~(1u << i);
    }
    return poor;
}

void regression_design_make(struct regression_design *d, const struct facts *facts,
                            const char *algorithm, const struct cell *const *cell, size_t n,
                            unsigned *pattern, char *reason, size_t size)
{
    *d = (struct regression_design){ .log2_x = regression_uses_log2(algorithm), .columns = 2 };
    snprintf(reason, size, "%s", "");
    if (!choose_unit(d, facts, cell, n))
        snprintf(reason, size, "too many nodes to tell apart: no dummies");
    for (size_t k = 0; k < n; k++) {
        pattern[k] = regression_pattern(d, facts, cell[k]);
        d->seen |= pattern[k];
    }
    const int poor = choose_columns(d, pattern, cell, n);
    if (poor)
        snprintf(reason, size,
                 "%d of %d dummies with fewer than %d process counts of their own: without a slope "
                 "or left out",
                 poor, d->n_z, REGRESSION_SLOPE_POINTS);
}

int regression_design_reduce(struct regression_design *d)
{
    for (int i = d->n_z - 1; i >= 0; i--) {
        unsigned char *column = d->slope[i] ? &d->slope[i] : &d->level[i];
        if (!*column)
            continue;
        *column = 0;
        d->columns--;
        return 1;
    }
    return 0;
}

void regression_row(const struct regression_design *d, const struct facts *facts,
                    const struct cell *cell, double *row)
{
    const unsigned pattern = regression_pattern(d, facts, cell);
    const double x = regression_x(d, cell);
    size_t k = 0;
    row[k++] = 1;
    row[k++] = x;
    for (int i = 0; i < d->n_z; i++) {
        const int z = pattern >> i & 1;
        if (d->level[i])
            row[k++] = z;
        if (d->slope[i])
            row[k++] = z * x;
    }
}

const char *regression_column_name(const struct regression_design *d, size_t k, char *buf,
                                   size_t size)
{
    snprintf(buf, size, "%s", k == 0 ? "intercept" : "x");
    size_t at = 2;
    for (int i = 0; i < d->n_z; i++) {
        if (d->level[i] && at++ == k)
            snprintf(buf, size, "z%d", i + 1);
        if (d->slope[i] && at++ == k)
            snprintf(buf, size, "x:z%d", i + 1);
    }
    return buf;
}
