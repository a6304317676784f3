/* SPDX-License-Identifier: BSD-3-Clause */
/* loggp_platform.h - latency(m), send(m), receive(m) of a platform; loggp_fit.h says how. */
#ifndef ANALYSIS_MODELS_LOGGP_LOGGP_PLATFORM_H
#define ANALYSIS_MODELS_LOGGP_LOGGP_PLATFORM_H

#include "analysis/models/loggp/loggp_fit.h"

/* Fills platform->costs for its mpi and mapping; what was not measured stays empty. -1 when out of
 * memory. */
int loggp_platform_fit(const struct points *points, const struct gamma_models *gammas,
                       struct loggp_platform *platform);

/* The port's seconds per byte, from the send costs that the platform has. */
void loggp_platform_port(struct loggp_platform *platform);

#endif
