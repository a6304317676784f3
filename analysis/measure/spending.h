/* SPDX-License-Identifier: BSD-3-Clause */
/* spending.h - core-seconds of the measurements that a model or a selector uses. */
#pragma once

#include "analysis/measure/points.h"

/* The subject of a sum of measuring costs. */
struct spending {
    const char *collective, *mpi, *mapping;
};

/* 1 when a selection uses a measurement: of its library, and of its mapping or, for channels,
 * of any mapping (a channel between two cores does not depend on the mapping). Times of a
 * collective serve only that collective; all other measurements serve the machine. */
int measured_for(const struct spending *of, const struct measured *m);

/* Sum of core_s of the points of an experiment that serve, those on channels left out. */
double spent_on(const struct points *points, const struct spending *of, enum experiment experiment);

/* The same of everything that was measured of the study's candidates, held-out cells apart. */
double spent_on_grid(const struct points *points, const struct spending *of);

/* Sum of core_s of what was measured over channels: ping-pongs, fan-outs and, but for a broadcast,
 * fan-ins. */
double spent_on_channels(const struct points *points, const struct spending *of);
