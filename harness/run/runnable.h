/* SPDX-License-Identifier: BSD-3-Clause */
/* runnable.h - what of a study can be measured here. The same for all that plan, sweep or submit.
 */
#ifndef HARNESS_RUN_RUNNABLE_H
#define HARNESS_RUN_RUNNABLE_H

#include <stdio.h>

#include "harness/run/backends/backend.h"

/* plan_build, less the libraries that cannot run here, whose points are skipped with the reason. A
 * line for each goes to chatter (NULL: none). None left is an error. build: directory of the
 * measuring programs. 0, or -1 with *err and nothing to free. */
int runnable_plan(const struct cluster *cluster, const struct study *study,
                  const struct backend *backend, const char *build, FILE *chatter,
                  struct plan *plan, struct err *err);

/* Is the plan worth measuring? No where no cell of the study's grid is among its points; and on
 * this machine alone where a launch has several nodes, or more ranks than there are cores though
 * the study does not say oversubscribe. `dry` 1: who asks is a dry run of plan, and is not sent to
 * one. 0, or -1 with *err. */
int runnable_check(const struct plan *plan, const struct cluster *cluster,
                   const struct study *study, const struct backend *backend, int dry,
                   struct err *err);

#endif
