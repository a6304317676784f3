/* SPDX-License-Identifier: BSD-3-Clause */
/* adaptive_forecast.h - what is to be expected of an adaptive plan, said before it is measured. */
#ifndef HARNESS_RUN_ADAPTIVE_FORECAST_H
#define HARNESS_RUN_ADAPTIVE_FORECAST_H

#include <jansson.h>

#include "harness/study/rounds.h"

enum { ADAPTIVE_FORECAST_SIZE = 1024 };

/* Lines about how many points the next round has, what the plan is expected to cost and to lose,
 * and how that was estimated (adaptive_rehearse). 0, or -1 with *err. */
int adaptive_forecast_text(const struct plan *plan, const char *dir, const struct store *store,
                           const struct rounds_rule *rule, uint64_t seed,
                           char buf[ADAPTIVE_FORECAST_SIZE], struct err *err);

/* The same as an object: what each number is says its name. NULL with *err. */
json_t *adaptive_forecast_json(const struct plan *plan, const char *dir, const struct store *store,
                               const struct rounds_rule *rule, uint64_t seed, struct err *err);

#endif
