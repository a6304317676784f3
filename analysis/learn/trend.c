/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/learn/trend.h"

#include <math.h>

#include "analysis/learn/neighbour_gains.h"

/* Between two places along a logarithm, where they differ. */
static double between(double low, double at_low, double high, double at_high, double at)
{
    return at_low == at_high ? low : low + (high - low) * log(at / at_low) / log(at_high / at_low);
}

/* With one of the measured sizes. */
static double gain_with(const struct neighbour_gains_of *of, double bytes)
{
    const double p = of->cell->procs;
    const struct procs_about procs = neighbour_gains_procs(of->subject, p, bytes);
    const double last = neighbour_gains_at(of, procs.low[0], bytes),
                 above = neighbour_gains_at(of, procs.high, bytes);
    if (isnan(procs.low[0]))
        return neighbour_gains_far(above, p, procs.high);
    if (!isnan(procs.high))
        return between(last, procs.low[0], above, procs.high, p);
    const double before = neighbour_gains_at(of, procs.low[1], bytes);
    if (isnan(last) || isnan(before))
        return NAN;
    return neighbour_gains_far(last - neighbour_gains_fall(last, before, &procs, p), p,
                               procs.low[0]);
}

double trend_gain(const struct subject *subject, const struct candidate *runs,
                  const struct cell *cell, const struct candidate *default_runs)
{
    const struct neighbour_gains_of of = { subject, subject_kind(subject, runs), cell,
                                           default_runs };
    const double bytes = (double)cell->bytes;
    if (of.kind == subject->n_kinds || neighbour_gains_cross_network(subject, cell))
        return NAN;
    const struct sizes_about sizes = neighbour_gains_bytes(subject, bytes);
    if (isnan(sizes.low) || isnan(sizes.high)) {
        const double last = isnan(sizes.high) ? sizes.low : sizes.high;
        return neighbour_gains_far(gain_with(&of, last), bytes, last);
    }
    const double low = gain_with(&of, sizes.low);
    return sizes.low == sizes.high ? low
                                   : between(low, fmax(sizes.low, 0.5), gain_with(&of, sizes.high),
                                             sizes.high, fmax(bytes, 0.5));
}
