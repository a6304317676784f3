/* SPDX-License-Identifier: BSD-3-Clause */
/* channel_costs.h - inside channel_fit: the costs of the event walk from ping-pongs, fan-outs and
 * fan-ins (method: channel_fit.h). */
#ifndef ANALYSIS_CHANNEL_COSTS_H
#define ANALYSIS_CHANNEL_COSTS_H

#include "analysis/channel_fit.h"

/* Fills platform->costs and has_costs from its samples and fan-out lines. -1 when out of memory. */
int channel_costs_fit(struct channel_platform *platform);

#endif
