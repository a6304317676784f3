/* SPDX-License-Identifier: BSD-3-Clause */
/* channel_models.h - the models channel_stage and channel_walk: the
 * paper's stage walk over channels, and the walk of messages over places, with the parameters of
 * channel_fit.h. Both predict the slowest rank's time.
 *
 * channel_stage follows the paper: a chain is one chain of all ranks for any fan-out;
 * a binary tree is the library's; the default of Open MPI 3.1 and 4.1 is that of their
 * decision functions; of other versions and libraries it is unknown (`no_formula`); a
 * reduction is the broadcast down the same tree with fan-ins. Where a fan-out (fan-in) has more
 * ranks than were measured the status is `extrapolated`.
 *
 * channel_walk walks the schedule that runs; of the default as above. Its status is `no_fit` where
 * a message is on a channel that has no latency, and where a rank sends (in a reduction: receives)
 * again on one of which no fan-out (fan-in) says what one more message costs; `extrapolated` where
 * a message is smaller or larger than those that were measured. In imported measurements ranks that
 * were not mapped by core float (walk/seat_walk.h): Open MPI binds to cores where it maps by core
 * alone. */
#pragma once

#include "analysis/models/channel/channel_fit.h"
#include "analysis/models/model.h"
#include "analysis/models/parameters.h"

extern const struct model model_channel_stage, model_channel_walk;
