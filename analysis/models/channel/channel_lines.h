/* SPDX-License-Identifier: BSD-3-Clause */
/* channel_lines.h - inside channel_fit: straight lines through the measurements over channels. */
#pragma once

#include "analysis/models/channel/channel_platform.h"

/* Fills platform->lines from its samples. */
void channel_lines_fit(struct channel_platform *platform, double confidence);

/* Huber's slope of the slowest rank's time in P over the samples of one experiment, channel and
 * size with from <= P < to. NaN where there are too few. */
double channel_slope(const struct channel_platform *p, enum experiment experiment,
                     enum channel channel, uint64_t bytes, int from, int to);
