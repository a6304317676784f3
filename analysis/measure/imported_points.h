/* SPDX-License-Identifier: BSD-3-Clause */
/* imported_points.h - points of imported measurements: imported.csv instead of plan and samples
 * (docs/formats.md).
 *
 * One row per point, ordered by first row. A run is one accepted row; repeated rows count once. The
 * time of a run is that of the slowest rank if the source gives it (max_rank), else the mean over
 * ranks (mean_rank); the mean is over runs, with an interval where there are three or more. */
#pragma once

#include "analysis/measure/points.h"

/* Builds the rows of DIR/imported.csv. 0, or -1 with *err and nothing to clear. */
int imported_points(const char *dir, const struct facts *facts, struct points *points,
                    struct err *err);
