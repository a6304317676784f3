/* SPDX-License-Identifier: BSD-3-Clause */
/* estimate.h - how long work will take: rough beforehand, from what was done while it runs. */
#ifndef HARNESS_ESTIMATE_H
#define HARNESS_ESTIMATE_H

#include <stddef.h>

#include "harness/plan.h"

/* Seconds that a launch is expected to take, before anything was measured: simulated messages at
 * the rate of an ordinary core; on a real machine the least number of samples at a nominal speed.
 */
double estimate_launch(const struct plan *plan, const struct launch *launch,
                       const struct study *study, int deterministic);

/* "4 s", "2 min 05 s", "1 h 10 min". Returns buf. */
const char *format_duration(double seconds, char *buf, size_t size);

#endif
