/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/learn/trend.h"

#include <math.h>

#include "analysis/learn/gains.h"

/* Between two places along a logarithm, where they differ. */
static double between(double low, double at_low, double high, double at_high, double at)
{
    return at_low == at_high ? low : low + (high - low) * log(at / at_low) / log(at_high / at_low);
}

/* With one of the measured sizes. */
static double gain_with(const struct subject *s, size_t kind, const struct cell *cell, double bytes)
{
    const double p = cell->procs;
    const struct about procs = gains_procs(s, p, bytes, 0);
    const double last = gains_at(s, kind, cell, procs.low[0], bytes, 0),
                 above = gains_at(s, kind, cell, procs.high, bytes, 0);
    if (isnan(procs.low[0]))
        return gains_far(above, p, procs.high);
    if (!isnan(procs.high))
        return between(last, procs.low[0], above, procs.high, p);
    const double before = gains_at(s, kind, cell, procs.low[1], bytes, 0);
    if (isnan(last) || isnan(before))
        return NAN;
    return gains_far(last - gains_fall(last, before, &procs, p), p, procs.low[0]);
}

double trend_gain(const struct subject *subject, const struct candidate *runs,
                  const struct cell *cell)
{
    const size_t kind = subject_kind(subject, runs);
    const double bytes = (double)cell->bytes;
    if (kind == subject->n_kinds || gains_cross_network(subject, cell))
        return NAN;
    const struct about sizes = gains_bytes(subject, bytes, 0);
    if (isnan(sizes.low[0]) || isnan(sizes.high)) {
        const double last = isnan(sizes.high) ? sizes.low[0] : sizes.high;
        return gains_far(gain_with(subject, kind, cell, last), bytes, last);
    }
    const double low = gain_with(subject, kind, cell, sizes.low[0]);
    return sizes.low[0] == sizes.high
               ? low
               : between(low, fmax(sizes.low[0], 0.5), gain_with(subject, kind, cell, sizes.high),
                         sizes.high, fmax(bytes, 0.5));
}
