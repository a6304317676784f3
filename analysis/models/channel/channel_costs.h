/* SPDX-License-Identifier: BSD-3-Clause */
/* channel_costs.h - inside channel_fit: the costs of the walk from ping-pongs, fan-outs and
 * fan-ins (method: channel_fit.h). */
#pragma once

#include "analysis/models/channel/channel_platform.h"

/* Process counts from <= P < to. */
struct range {
    int from, to;
};

/* Fills costs[N_CHANNEL_USES], which is empty, from the platform's samples and fan-out lines;
 * between nodes what one more message costs comes from the fan-outs and fan-ins in the range. */
void channel_costs_fit(const struct channel_platform *platform, struct range range,
                       struct seat_costs *costs);
