/* SPDX-License-Identifier: BSD-3-Clause */
/* adaptive_forecast.h - forecast of an adaptive plan before it is measured. */
#pragma once

#include <jansson.h>

#include "harness/study/rounds.h"

enum { ADAPTIVE_FORECAST_SIZE = 1024 };

/* Text on the points of the next round, the expected cost and loss of the plan, and how that was
 * estimated (adaptive_rehearse). */
void adaptive_forecast_text(struct rounds *rounds, uint64_t seed, char buf[ADAPTIVE_FORECAST_SIZE]);

/* The same as a JSON object with named numbers. */
json_t *adaptive_forecast_json(struct rounds *rounds, uint64_t seed);
