/* SPDX-License-Identifier: BSD-3-Clause */
/* loggp_platform.h - latency(m), send(m), receive(m) of a platform (method: loggp_fit.h). */
#ifndef ANALYSIS_MODELS_LOGGP_LOGGP_PLATFORM_H
#define ANALYSIS_MODELS_LOGGP_LOGGP_PLATFORM_H

#include "analysis/measure/points.h"
#include "analysis/models/gamma/gamma_fit.h"
#include "analysis/walk/loggp.h"

struct loggp_platform {
    char mpi[NAME_SIZE], mapping[NAME_SIZE];
    struct loggp_costs costs;
    int has_pipeline; /* receive(m) was measured */
};

/* 1 when a timed point is used to fit its algorithm's scales: it lies in a cell in which the
 * algorithm's alpha and beta are measured too. */
int loggp_is_experiment(const struct points *points, const struct measured *m);

/* 1 when the costs can be evaluated. */
int loggp_platform_usable(const struct loggp_platform *platform);

/* Fills platform->costs for its mpi and mapping; what was not measured stays empty. */
void loggp_platform_fit(const struct points *points, const struct gamma_models *gammas,
                        struct loggp_platform *platform);

#endif
