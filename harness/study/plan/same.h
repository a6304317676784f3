/* SPDX-License-Identifier: BSD-3-Clause */
/* same.h - finds points of a launch that run the same as another one, by
 * their schedules: by substitution or in effect. The launch times such
 * points once (workloads/measure/shared_samples.h), so they cost less. */
#pragma once

#include "harness/study/cluster.h"
#include "harness/study/point.h"

/* For each of n points of one launch, the index of the first that runs the same;
 * its own index if it is the first, or if that is not known. todo (NULL: all)
 * marks the points to measure; the others are compared with none. To be freed. */
size_t *same_find(const struct cluster *cluster, const struct point *points, size_t n,
                  const char *todo);
