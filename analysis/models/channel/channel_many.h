/* SPDX-License-Identifier: BSD-3-Clause */
/* channel_many.h - inside channel_fit: separate costs for many ranks (method:
 * channel_fit.h). */
#pragma once

#include "analysis/measure/study_facts.h"
#include "analysis/models/channel/channel_platform.h"

/* Fills platform->costs, has_costs, many_procs and many. 0, or -1 with *err: a fan-out cannot
 * be walked. */
int channel_many_fit(struct channel_platform *platform, const struct facts *facts, struct err *err);
