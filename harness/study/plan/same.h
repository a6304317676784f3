/* SPDX-License-Identifier: BSD-3-Clause */
/* same.h - which points of a launch run, by their schedules, what another one of it runs in place
 * of what was asked for, or in effect: the launch times such points once
 * (workloads/measure/shared_samples.h), so they cost less. */
#ifndef HARNESS_STUDY_PLAN_SAME_H
#define HARNESS_STUDY_PLAN_SAME_H

#include "harness/study/cluster.h"
#include "harness/study/point.h"

/* For each of n points of one launch the index of the first that runs the same; its own where it is
 * the first, or where that is not known. todo (NULL: all) says which of them are measured; the
 * others stand alone. To be freed. */
size_t *same_find(const struct cluster *cluster, const struct point *points, size_t n,
                  const char *todo);

#endif
