/* SPDX-License-Identifier: BSD-3-Clause */
/* adaptive_forecast.h - forecast of an adaptive plan before it is measured. */
#pragma once

#include <jansson.h>

#include "harness/study/rounds.h"

enum { ADAPTIVE_FORECAST_SIZE = 1024 };

/* Text on the points of the next round, the expected cost and loss of the plan,
 * and how that was estimated (adaptive_rehearse). 0, or -1 with *err. */
int adaptive_forecast_text(const struct plan *plan, const char *dir, const struct store *store,
                           const struct rounds_rule *rule, uint64_t seed,
                           char buf[ADAPTIVE_FORECAST_SIZE], struct err *err);

/* The same as a JSON object with named numbers. NULL with *err. */
json_t *adaptive_forecast_json(const struct plan *plan, const char *dir, const struct store *store,
                               const struct rounds_rule *rule, uint64_t seed, struct err *err);
