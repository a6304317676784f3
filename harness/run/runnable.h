/* SPDX-License-Identifier: BSD-3-Clause */
/* runnable.h - the part of a study that can be measured here; shared by plan, sweep and submit. */
#pragma once

#include "harness/run/backends/backend.h"

/* plan_build without the libraries that cannot run here; their points are skipped with the
 * reason. Prints a line for each on chatter (NULL: none). It is an error if none is left.
 * build: directory of the measuring programs. 0, or -1 with *err and nothing to free. */
int runnable_plan(const struct cluster *cluster, const struct study *study,
                  const struct backend *backend, const char *build, FILE *chatter,
                  struct plan *plan, struct err *err);

/* Checks that the plan can be measured. Errors: none of its points is in the study's grid; on this
 * machine alone a launch has several nodes, or more ranks than cores without oversubscribe in the
 * study. `dry` 1: called by a dry run, so the message does not suggest one. 0, or -1 with *err. */
int runnable_check(const struct plan *plan, const struct cluster *cluster,
                   const struct study *study, const struct backend *backend, int dry,
                   struct err *err);
