/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/estimate.h"

#include <math.h>

/* Nominal costs, for a first guess only; the progress line replaces them by what is seen. */
static const double sim_message_s = 6e-6;  /* SMPI on one core of 2023 */
static const double real_message_s = 3e-6; /* start of a message */
static const double real_byte_s = 2e-10;   /* a copy through memory */
static const double launch_s = 0.5;

static double real_point(const struct point *p, const struct study *s)
{
    double call = point_messages(p, s->inner) * real_message_s +
                  (double)p->cell.bytes * p->cell.procs * real_byte_s;
    double samples = s->warmup + 2.0 * s->min_reps;
    return fmin(samples * call + call, s->budget);
}

double estimate_launch(const struct plan *plan, const struct launch *launch,
                       const struct study *study, int deterministic)
{
    double t = launch_s;
    if (deterministic)
        return t + launch->messages * sim_message_s;
    for (size_t i = launch->first; i < launch->first + launch->n; i++)
        t += real_point(&plan->points[i], study);
    return t;
}

const char *format_duration(double seconds, char *buf, size_t size)
{
    long s = lround(seconds);
    if (s < 60)
        snprintf(buf, size, "%ld s", s);
    else if (s < 3600)
        snprintf(buf, size, "%ld min %02ld s", s / 60, s % 60);
    else
        snprintf(buf, size, "%ld h %02ld min", s / 3600, s % 3600 / 60);
    return buf;
}
