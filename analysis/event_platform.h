/* SPDX-License-Identifier: BSD-3-Clause */
/* event_platform.h - latency(m), send(m), receive(m) of a platform; event_fit.h says how. */
#ifndef ANALYSIS_EVENT_PLATFORM_H
#define ANALYSIS_EVENT_PLATFORM_H

#include "analysis/event_fit.h"

/* Fills platform->costs for its mpi and mapping; what was not measured stays empty. -1 when out of
 * memory. */
int event_platform_fit(const struct points *points, const struct gamma_models *gammas,
                       struct event_platform *platform);

/* The port's seconds per byte, from the send costs that the platform has. */
void event_platform_port(struct event_platform *platform);

#endif
