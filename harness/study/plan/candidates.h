/* SPDX-License-Identifier: BSD-3-Clause */
/* candidates.h - the possible choices in a cell: algorithm, segment size and fan-out, as the study
 * lists them, each as a point placed by its processes. */
#pragma once

#include "harness/study/plan/wanted.h"

/* Adds every candidate of the study for the point's cell; only the portable ones in a
 * simulation. Candidates that the library would refuse are skipped with the reason. Changes
 * the point's candidate and placement. 0, or -1 with *err: an unknown algorithm. */
int candidates_want(struct wanted *w, struct point *point);

/* Adds the library's own choice: measured unforced, or the published
 * decision without a library. Nothing if the study wants no default. */
void candidates_want_default(struct wanted *w, struct point *point);
