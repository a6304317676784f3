/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/stopping.h"

#include <math.h>

#include "harness/base/robust.h"

void stop_add(struct stop_state *state, double seconds)
{
    const double delta = seconds - state->mean;
    state->n++;
    state->mean += delta / state->n;
    state->m2 += delta * (seconds - state->mean);
}

double stop_relative_width(const struct stop_state *state, double confidence)
{
    if (state->n < 2)
        return INFINITY;
    if (state->m2 <= 0)
        return 0;
    if (state->mean <= 0)
        return INFINITY;
    const double stddev = sqrt(state->m2 / (state->n - 1));
    return student_quantile(confidence, state->n - 1) * stddev / sqrt(state->n) / state->mean;
}

static int clamp(double value, int low, int high)
{
    return value < low ? low : value > high ? high : (int)value;
}

/* Calls still wanted if the deviation stays as seen: the width shrinks as 1/sqrt(n). At most the
 * count so far, so that an early bad estimate cannot run away. */
static int still_wanted(const struct stop_rule *rule, const struct stop_state *state, double width)
{
    const double excess = width / rule->precision;
    return clamp(1.05 * state->n * excess * excess - state->n, 5, state->n > 5 ? state->n : 5);
}

int stop_next(const struct stop_rule *rule, const struct stop_state *state, double elapsed_s,
              int block_max, int *converged)
{
    int least = rule->min_reps < 2 ? 2 : rule->min_reps;
    least = least < rule->max_reps ? least : rule->max_reps;
    *converged = 0;
    if (state->n < least)
        return clamp(least - state->n, 1, block_max);
    const double width = stop_relative_width(state, rule->confidence);
    if ((*converged = width <= rule->precision))
        return 0;
    if (state->n >= rule->max_reps || (rule->budget_s > 0 && elapsed_s >= rule->budget_s))
        return 0;
    int more = still_wanted(rule, state, width);
    if (rule->budget_s > 0)
        more = clamp((rule->budget_s - elapsed_s) * state->n / elapsed_s, 1, more);
    more = clamp(more, 1, rule->max_reps - state->n);
    return clamp(more, 1, block_max);
}
