/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/adaptive_forecast.h"

#include <math.h>

#include "harness/base/json_print.h"
#include "harness/base/number.h"

static void describe(const struct adaptive *a, int round, const struct adaptive_outlook *o,
                     char buf[ADAPTIVE_FORECAST_SIZE])
{
    char cost[32], low[32], high[32], full[32], budget[32];
    size_t used = (size_t)snprintf(
        buf, ADAPTIVE_FORECAST_SIZE,
        "adaptive plan: round %d has %zu of %zu point%s; expected to cost %s (%s to %s), where all "
        "points cost %s, and to choose times %.2g %% longer in the mean over cells (%.2g to "
        "%.2g)\n",
        round, o->first, COUNTED(o->points), format_core_seconds(o->core_s, cost, sizeof cost),
        format_core_seconds(o->core_low, low, sizeof low),
        format_core_seconds(o->core_high, high, sizeof high),
        format_core_seconds(o->full_core_s, full, sizeof full), o->loss_pct, o->loss_low,
        o->loss_high);
    if (a->exact)
        used +=
            (size_t)snprintf(buf + used, ADAPTIVE_FORECAST_SIZE - used,
                             "costs are those of measuring, %d launches of %d calls a point: to "
                             "compute the points takes none of it\n",
                             a->rule.repeats, a->rule.calls);
    if (isfinite(a->rule.core_budget_s))
        used += (size_t)snprintf(buf + used, ADAPTIVE_FORECAST_SIZE - used,
                                 "budget: %s, which leaves %.0f %% of the cells without any "
                                 "measurement\n",
                                 format_core_seconds(a->rule.core_budget_s, budget, sizeof budget),
                                 o->left_pct);
    snprintf(buf + used, ADAPTIVE_FORECAST_SIZE - used,
             "estimated by measuring in thought %d times what the cluster file predicts, with the "
             "prediction's error %s: %.0f %% per doubling from the nearest measured point\n",
             o->draws, o->learnt ? "as the points measured so far tell it" : "assumed",
             100 * expm1(o->error));
}

void adaptive_forecast_text(struct rounds *rounds, uint64_t seed, char buf[ADAPTIVE_FORECAST_SIZE])
{
    struct adaptive_outlook outlook;
    adaptive_rehearse(&rounds->adaptive, rounds->decided, seed, &outlook);
    describe(&rounds->adaptive, rounds->decided, &outlook, buf);
}

json_t *adaptive_forecast_json(struct rounds *rounds, uint64_t seed)
{
    struct adaptive_outlook o;
    adaptive_rehearse(&rounds->adaptive, rounds->decided, seed, &o);
    return json_pack(
        "{s:i, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:i}",
        "round", rounds->decided, "points", (json_int_t)o.points, "points_of_round",
        (json_int_t)o.first, "spent_core_s", json_number(adaptive_spent(&rounds->adaptive)),
        "budget_core_s", json_number(rounds->adaptive.rule.core_budget_s), "all_points_core_s",
        json_number(o.full_core_s), "expected_core_s", json_number(o.core_s), "least_core_s",
        json_number(o.core_low), "largest_core_s", json_number(o.core_high), "expected_loss_pct",
        json_number(o.loss_pct), "least_loss_pct", json_number(o.loss_low), "largest_loss_pct",
        json_number(o.loss_high), "cells_without_points_pct", json_number(o.left_pct),
        "error_per_doubling", json_number(o.error), "error_is_learnt", o.learnt,
        "costs_as_if_measured", rounds->adaptive.exact, "draws", o.draws);
}
