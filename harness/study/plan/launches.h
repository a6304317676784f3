/* SPDX-License-Identifier: BSD-3-Clause */
/* launches.h - deals the points of a plan out to MPI jobs: those that share library, mapping,
 * placement and world, cut in chunks where that is too much for one, and in shuffled order. */
#ifndef HARNESS_STUDY_PLAN_LAUNCHES_H
#define HARNESS_STUDY_PLAN_LAUNCHES_H

#include "harness/study/plan/wanted.h"

/* Fills points and launches of an empty plan with what is wanted, which it sorts. Equal points and
 * seeds give equal plans. */
void launches_deal(struct wanted *w, struct plan *plan);

#endif
