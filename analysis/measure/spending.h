/* SPDX-License-Identifier: BSD-3-Clause */
/* spending.h - core-seconds of measuring that a model or a selector rests on. */
#ifndef ANALYSIS_MEASURE_SPENDING_H
#define ANALYSIS_MEASURE_SPENDING_H

#include "analysis/measure/points.h"

/* What a sum of measuring is for. */
struct spending {
    const char *collective, *mpi, *mapping;
};

/* 1 when a measurement serves a selection: of its library, and of its mapping or, on a channel, of
 * any (what is between two cores is so however ranks are mapped); times of a collective serve that
 * one, all else is the machine's. */
int spent_for(const struct spending *of, const struct measured *m);

/* Sum of core_s of the points of an experiment that serve, those on channels left out. */
double spent_on(const struct points *points, const struct spending *of, enum experiment experiment);

/* The same of everything that was measured of the study's candidates, held-out cells apart. */
double spent_on_grid(const struct points *points, const struct spending *of);

/* Sum of core_s of what was measured over channels: ping-pongs, fan-outs and, but for a broadcast,
 * fan-ins. */
double spent_on_channels(const struct points *points, const struct spending *of);

#endif
