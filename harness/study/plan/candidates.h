/* SPDX-License-Identifier: BSD-3-Clause */
/* candidates.h - the possible answers in a cell: algorithm, segment size and fan-out, as the study
 * lists them, each as a point placed by its processes. */
#ifndef HARNESS_STUDY_PLAN_CANDIDATES_H
#define HARNESS_STUDY_PLAN_CANDIDATES_H

#include "harness/study/plan/wanted.h"

/* Asks for every candidate of the study for the point's cell; the portable ones alone where it is
 * simulated. What the library would refuse to run is skipped, with the reason. Changes the point's
 * candidate and placement. 0, or -1 with *err: an algorithm that there is not. */
int candidates_want(struct wanted *w, struct point *point);

/* Asks for what the library would choose: measured unforced, or the published decision where it
 * does not run. Nothing where the study wants no default. */
void candidates_want_default(struct wanted *w, struct point *point);

#endif
