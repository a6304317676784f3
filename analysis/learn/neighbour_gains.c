/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/learn/neighbour_gains.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct example *example_in(const struct subject *s, size_t i)
{
    return &s->example[s->order[i]];
}

/* The first example in order that has more bytes, or as many and more processes; at_least: or as
 * many of these, too. */
static size_t first_after(const struct subject *s, double bytes, double procs, int at_least)
{
    size_t low = 0, high = s->n;
    while (low < high) {
        const size_t i = low + (high - low) / 2;
        const struct cell *c = &example_in(s, i)->cell;
        const double b = (double)c->bytes, p = c->procs;
        if (b > bytes || (b == bytes && (at_least ? p >= procs : p > procs)))
            high = i;
        else
            low = i + 1;
    }
    return low;
}

/* The example in a place, and the one before it, where it has so many bytes; any number of bytes
 * where that is NaN. NULL: there is none. */
static const struct example *example_with(const struct subject *s, size_t i, double bytes)
{
    const struct example *l = i < s->n ? example_in(s, i) : NULL;
    return l && (isnan(bytes) || (double)l->cell.bytes == bytes) ? l : NULL;
}

static const struct example *before(const struct subject *s, size_t end, double bytes)
{
    return end ? example_with(s, end - 1, bytes) : NULL;
}

struct sizes_about neighbour_gains_bytes(const struct subject *subject, double bytes)
{
    const struct example *low = before(subject, first_after(subject, bytes, INFINITY, 0), NAN),
                         *high = example_with(subject, first_after(subject, bytes, 0, 1), NAN);
    return (struct sizes_about){ low ? (double)low->cell.bytes : NAN,
                                 high ? (double)high->cell.bytes : NAN };
}

struct procs_about neighbour_gains_procs(const struct subject *subject, double procs, double bytes)
{
    struct procs_about a = { { NAN, NAN, NAN }, NAN };
    const struct example *l = example_with(subject, first_after(subject, bytes, procs, 1), bytes);
    double most = procs;
    a.high = l ? l->cell.procs : NAN;
    for (int i = 0; i < 3; i++, most = floor(a.low[i - 1] / 2)) {
        l = before(subject, first_after(subject, bytes, most, 0), bytes);
        if (!l)
            break;
        a.low[i] = l->cell.procs;
    }
    return a;
}

/* 1 when two defaults run the same, or one of them is not known. here may be NULL. */
static int same_default(const struct candidate *there, const struct candidate *here)
{
    return !here || !*here->algorithm || !*there->algorithm ||
           (strcmp(there->algorithm, here->algorithm) == 0 && there->fanout == here->fanout);
}

int neighbour_gains_same_default(const struct subject *subject, const struct cell *cell,
                                 const struct candidate *default_runs)
{
    const struct sizes_about bytes = neighbour_gains_bytes(subject, (double)cell->bytes);
    const double at[] = { bytes.low, bytes.high };
    for (size_t i = 0; i < 2; i++) {
        const struct example *l =
            before(subject, first_after(subject, at[i], cell->procs, 0), at[i]);
        if (!isnan(at[i]) && l && !same_default(&l->default_runs, default_runs))
            return 0;
    }
    return 1;
}

/* What the default of the cell asked about takes in an example; NaN: not known. */
static double default_log(const struct neighbour_gains_of *of, const struct example *l)
{
    return same_default(&l->default_runs, of->default_runs)
               ? example_log(l, l->by_default)
               : example_log(l, subject_kind(of->subject, of->default_runs));
}

/* Of the examples from one place on to another: the least gain on the number of nodes that is
 * nearest to the cell's; those that lack the kind say nothing. */
static double least_of(const struct neighbour_gains_of *of, size_t i, size_t end)
{
    int nearest = INT_MAX;
    double least = NAN;
    for (; i < end; i++) {
        const struct example *l = example_in(of->subject, i);
        const int off = abs(l->cell.nodes - of->cell->nodes);
        if (off > nearest)
            continue;
        const double gain = default_log(of, l) - example_log(l, of->kind);
        least = off < nearest ? gain : fmin(least, gain);
        nearest = off;
    }
    return least;
}

double neighbour_gains_at(const struct neighbour_gains_of *of, double procs, double bytes)
{
    if (isnan(procs) || isnan(bytes))
        return NAN;
    return least_of(of, first_after(of->subject, bytes, procs, 1),
                    first_after(of->subject, bytes, procs, 0));
}

double neighbour_gains_least(const struct neighbour_gains_of *of, const struct procs_about *procs,
                             double bytes)
{
    const double first = isnan(procs->low[2]) ? procs->low[1] : procs->low[2];
    double least = INFINITY;
    for (double p = first; p <= procs->low[0];) {
        const double gain = neighbour_gains_at(of, p, bytes);
        const struct example *next =
            example_with(of->subject, first_after(of->subject, bytes, p, 0), bytes);
        least = isnan(gain) ? least : fmin(least, gain);
        p = next ? next->cell.procs : INFINITY;
    }
    return least;
}

int neighbour_gains_cross_network(const struct subject *subject, const struct cell *cell)
{
    int most = 0;
    for (size_t i = 0; i < subject->n; i++)
        if (subject->example[i].cell.nodes > most)
            most = subject->example[i].cell.nodes;
    return most <= 1 && cell->nodes > 1;
}

double neighbour_gains_far(double gain, double at, double last)
{
    /* a size of 0 is as far from 1 byte as that from 2 */
    return gain > 0 ? gain / (1 + fabs(log2(fmax(at, 0.5) / fmax(last, 0.5)))) : gain;
}

double neighbour_gains_fall(double last, double before, const struct procs_about *procs, double at)
{
    if (!(last < before))
        return 0;
    return (before - last) * log(at / procs->low[0]) / log(procs->low[0] / procs->low[1]);
}
