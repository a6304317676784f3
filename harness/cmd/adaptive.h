/* SPDX-License-Identifier: BSD-3-Clause */
/* adaptive.h - output of collsel measure plan for an adaptive plan. */
#pragma once

#include "harness/study/prior.h"

/* Prints the launches of the next round with their points and expected
 * costs, and the expected result of the whole plan; with json not 0 as JSON,
 * with the name of the backend. Fills the prior. 0, or -1 with *err. */
int adaptive_command(const struct cluster *cluster, const struct study *study, const char *backend,
                     const struct plan *plan, const char *dir, int json, struct prior *prior,
                     struct err *err);
