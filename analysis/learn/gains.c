/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/learn/gains.h"

#include <math.h>
#include <stdlib.h>

static void keep_low(struct about *a, double value)
{
    for (int i = 0; i < 3; i++) {
        if (value == a->low[i])
            return;
        if (!(value < a->low[i])) { /* above it, or nothing is there */
            for (int k = 2; k > i; k--)
                a->low[k] = a->low[k - 1];
            a->low[i] = value;
            return;
        }
    }
}

static void look_at(struct about *a, double value, double of)
{
    if (value <= of)
        keep_low(a, value);
    if (value >= of && !(value >= a->high))
        a->high = value;
}

static int is_used(const struct lesson *lesson, int inner)
{
    return !(inner && lesson->apart);
}

struct about gains_bytes(const struct subject *subject, double bytes, int inner)
{
    struct about a = { { NAN, NAN, NAN }, NAN };
    for (size_t i = 0; i < subject->n; i++)
        if (is_used(&subject->lesson[i], inner))
            look_at(&a, (double)subject->lesson[i].cell.bytes, bytes);
    return a;
}

struct about gains_procs(const struct subject *subject, double procs, double bytes, int inner)
{
    struct about a = { { NAN, NAN, NAN }, NAN };
    for (size_t i = 0; i < subject->n; i++) {
        const struct lesson *l = &subject->lesson[i];
        if (is_used(l, inner) && (double)l->cell.bytes == bytes)
            look_at(&a, l->cell.procs, procs);
    }
    return a;
}

/* The lesson of so many processes and bytes whose nodes are nearest; NULL: there is none. */
static const struct lesson *lesson_at(const struct subject *s, double procs, double bytes,
                                      int nodes, int inner)
{
    const struct lesson *best = NULL;
    for (size_t i = 0; i < s->n; i++) {
        const struct lesson *l = &s->lesson[i];
        if (is_used(l, inner) && l->cell.procs == procs && (double)l->cell.bytes == bytes &&
            (!best || abs(l->cell.nodes - nodes) < abs(best->cell.nodes - nodes)))
            best = l;
    }
    return best;
}

double gains_at(const struct subject *subject, size_t kind, const struct cell *cell, double procs,
                double bytes, int inner)
{
    const struct lesson *l =
        isnan(procs) || isnan(bytes) ? NULL : lesson_at(subject, procs, bytes, cell->nodes, inner);
    return l ? lesson_log(l, l->by_default) - lesson_log(l, kind) : NAN;
}

int gains_cross_network(const struct subject *subject, const struct cell *cell)
{
    int most = 0;
    for (size_t i = 0; i < subject->n; i++)
        if (subject->lesson[i].cell.nodes > most)
            most = subject->lesson[i].cell.nodes;
    return most <= 1 && cell->nodes > 1;
}

double gains_far(double gain, double at, double last)
{
    /* a size of 0 is as far from 1 byte as that from 2 */
    return gain > 0 ? gain / (1 + fabs(log2(fmax(at, 0.5) / fmax(last, 0.5)))) : gain;
}

double gains_fall(double last, double before, const struct about *procs, double at)
{
    if (!(last < before))
        return 0;
    return (before - last) * log(at / procs->low[0]) / log(procs->low[0] / procs->low[1]);
}
