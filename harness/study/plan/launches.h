/* SPDX-License-Identifier: BSD-3-Clause */
/* launches.h - distributes the points of a plan over MPI jobs: by library, mapping,
 * placement and world, cut into chunks if too many for one job, in shuffled order. */
#ifndef HARNESS_STUDY_PLAN_LAUNCHES_H
#define HARNESS_STUDY_PLAN_LAUNCHES_H

#include "harness/study/plan/wanted.h"

/* Fills points and launches of an empty plan from w, which it sorts. Equal points and
 * seeds give equal plans. */
void launches_deal(struct wanted *w, struct plan *plan);

#endif
