/* SPDX-License-Identifier: BSD-3-Clause */
/* adaptive.h - what collsel plan says of an adaptive plan. */
#ifndef HARNESS_CMD_ADAPTIVE_H
#define HARNESS_CMD_ADAPTIVE_H

#include "harness/study/prior.h"

/* Prints the launches of the next round, with the points that each has and what these are expected
 * to cost, and what is to be expected of the whole plan; as JSON, with the name of the backend,
 * where json is not 0. Fills the prior. 0, or -1 with *err. */
int adaptive_command(const struct cluster *cluster, const struct study *study, const char *backend,
                     const struct plan *plan, const char *dir, int json, struct prior *prior,
                     struct err *err);

#endif
