/* SPDX-License-Identifier: BSD-3-Clause */
/* grid.h - the cells of a study: every process count, size and root of its grid, and
 * those held out from the fits, each with all candidates and the library's default. */
#ifndef HARNESS_STUDY_PLAN_GRID_H
#define HARNESS_STUDY_PLAN_GRID_H

#include "harness/study/plan/wanted.h"

/* Adds the cells of one collective, library and mapping; other fields of *like are common to all
 * points. 0, or -1 with *err: a root that is no rank, or as candidates_want. */
int grid_want(struct wanted *w, const struct point *like);

#endif
