/* SPDX-License-Identifier: BSD-3-Clause */
/* costs.h - costs.csv: cost of every attempt of every launch, successful or not.
 *
 * Built from events.jsonl (start and end of each attempt, number of cores)
 * and the store (time of its finished points). Events with another manifest
 * digest belong to discarded measurements and are ignored. Owns its rows. */
#pragma once

#include "analysis/measure/points.h"
#include "harness/study/journal.h"

/* One attempt. Seconds; NaN where a time is not known. */
struct attempt_cost {
    struct launch launch;
    int attempt; /* 0: ended in the queue, before it began */
    char job[32];
    char outcome[16]; /* as its last event says; "no_end": it runs or was interrupted */
    char reason[REASON_SIZE];
    char started[32];
    double elapsed_s;
    int cores;       /* cores in use */
    double core_s;   /* elapsed_s x cores; if unknown, the time of its points */
    size_t points;   /* finished */
    double points_s; /* part of elapsed_s in finished points; NaN: their clock differs */
};

extern const struct schema cost_schema;

struct costs {
    struct attempt_cost *row; /* in the order in which they began */
    size_t n;
};

/* What each attempt of a launch cost, from the journal of DIR and the store of its samples. 0, or
 * -1 with *err and nothing to clear. */
int costs_build(const char *dir, const struct facts *facts, const struct store *store,
                struct costs *costs, struct err *err);

void costs_clear(struct costs *costs);

/* Core-seconds of the measurements that a model or a selector uses. */

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
