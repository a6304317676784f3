/* SPDX-License-Identifier: BSD-3-Clause */
/* simulation_speed.h - real time of simulations and walks on this machine, from earlier runs. */
#pragma once

#include "harness/study/plan.h"

/* Real time of the simulator per message. It depends on the messages in flight: 30 to 170
 * us were measured, on one core, in reductions among 124 ranks; a walk needs about 1 us. */
struct simulation_speed {
    double start_s; /* of a launch, before its first message */
    double message_s;
    size_t launches; /* launches behind the value; 0: none found, a default */
};

/* The pace of finished launches of this backend (sim or walk) in DIR and its
 * sibling directories (the cluster's other studies): their total seconds
 * without the starts, over their messages. Studies with invalid files are
 * ignored. 0, or -1 with *err: an existing file or directory cannot be read. */
int simulation_speed_find(const char *dir, const char *backend, const struct cluster *cluster,
                          const struct study *study, struct simulation_speed *pace,
                          struct err *err);
