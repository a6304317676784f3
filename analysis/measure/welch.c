/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/measure/welch.h"

#include <gsl/gsl_cdf.h>

void welch_add(struct welch *s, const struct measured *m, enum statistic statistic)
{
    const double error_s = m->time.launches > 1 ? measured_stderr(m, statistic) : NAN;
    s->seconds += m->time.value;
    s->variance += error_s * error_s;
    s->weight += pow(error_s, 4) / ((double)m->time.launches - 1);
    s->known &= isfinite(error_s);
}

double welch_longer(const struct welch *left, const struct welch *right)
{
    const double variance = left->variance + right->variance;
    const double difference = left->seconds - right->seconds;
    if (!left->known || !right->known)
        return NAN;
    if (!(variance > 0))
        return difference > 0 ? 0 : 1;
    return gsl_cdf_tdist_Q(difference / sqrt(variance),
                           variance * variance / (left->weight + right->weight));
}
