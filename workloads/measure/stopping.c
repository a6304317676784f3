/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/measure/stopping.h"

enum {
    SHORT_REPS = 100,     /* of short calls, at least */
    LEAST_EFFECTIVE = 30, /* what these must be worth: else dependence is seen too poorly */
};

static const double short_share = 0.01; /* of the budget: what those may cost */
static const double least_growth =
    0.1; /* of the calls from look to look, which bounds their cost */
static const double block_s = 0.1;

void stop_init(struct stop_state *state, int most)
{
    const size_t room = (size_t)most;
    *state = (struct stop_state){ .room = most };
    state->value = memory_zeros(4 * room, sizeof *state->value);
    state->disturbed = memory_zeros(2 * room, 1);
    state->scratch = state->value + room;
    state->keep = state->disturbed + room;
}

CLEARS(stop_clear, stop_state, it->value, it->disturbed)

void stop_restart(struct stop_state *state)
{
    state->n = state->kept = state->next_look = 0;
    state->total_s = 0;
}

void stop_add(struct stop_state *state, double seconds, int disturbed)
{
    if (state->n == state->room)
        return;
    state->value[state->n] = seconds;
    state->disturbed[state->n++] = disturbed != 0;
    state->total_s += seconds;
}

static int clamp(double value, int low, int high)
{
    return value < low ? low : value > high ? high : (int)value;
}

int stop_block(double call_s, int most)
{
    return call_s > 0 ? clamp(block_s / call_s, 1, most) : most;
}

/* Statistic and interval of the calls that count. */
static void look(const struct stop_rule *rule, struct stop_state *s)
{
    const size_t n = (size_t)s->n;
    double *kept = s->scratch + 2 * n;
    size_t m = 0;
    steady_state_keep(s->value, s->disturbed, n, s->scratch, s->keep);
    for (size_t i = 0; i < n; i++)
        if (s->keep[i])
            kept[m++] = s->value[i];
    s->kept = (int)m;
    s->effective = robust_effective(rule->statistic, kept, m, s->scratch);
    s->interval = robust_interval(rule->statistic, kept, m, s->effective, rule->confidence);
}

static int is_precise(const struct stop_rule *rule, const struct stop_state *s)
{
    const int least =
        rule->statistic != STATISTIC_MEAN && s->kept >= SHORT_REPS ? LEAST_EFFECTIVE : 0;
    return interval_relative(&s->interval) <= rule->precision && s->effective >= least;
}

/* Calls still wanted if the deviation stays as seen: the width shrinks as 1/sqrt(n). At most the
 * count so far, so that an early bad estimate cannot run away. */
static int still_wanted(const struct stop_rule *rule, const struct stop_state *s, int least)
{
    const double excess = fmax(interval_relative(&s->interval) / rule->precision, 1);
    const double grown = fmax(5, least_growth * s->n);
    const double wanted = fmax(1.05 * s->kept * excess * excess, least) - s->kept;
    return clamp(fmax(wanted, grown), 1, s->n > 5 ? s->n : 5);
}

/* Fewest calls before the first look. */
static int first_look(const struct stop_rule *rule, const struct stop_state *s, int least)
{
    const int is_short = rule->budget_s <= 0 || s->total_s < short_share * rule->budget_s;
    return is_short && least < SHORT_REPS ? SHORT_REPS : least;
}

int stop_next(const struct stop_rule *rule, struct stop_state *s, double elapsed_s, int block_max,
              int *converged)
{
    const int spent = rule->budget_s > 0 && elapsed_s >= rule->budget_s;
    const int least = clamp(rule->min_reps < 2 ? 2 : rule->min_reps, 1, rule->max_reps);
    *converged = 0;
    if (s->n < least)
        return clamp(least - s->n, 1, block_max);
    const int next = clamp(first_look(rule, s, least), least, rule->max_reps);
    if (!spent && s->n < next)
        return clamp(next - s->n, 1, block_max);
    if (!spent && s->n < s->next_look)
        return clamp(s->next_look - s->n, 1, block_max);
    look(rule, s);
    if ((*converged = s->kept >= least && is_precise(rule, s)))
        return 0;
    if (s->n >= rule->max_reps || spent)
        return 0;
    int more = still_wanted(rule, s, least);
    if (rule->budget_s > 0)
        more = clamp((rule->budget_s - elapsed_s) * s->n / elapsed_s, 1, more);
    more = clamp(more, 1, rule->max_reps - s->n);
    s->next_look = s->n + more;
    return clamp(more, 1, block_max);
}
