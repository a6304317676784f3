/* SPDX-License-Identifier: BSD-3-Clause */
/* simulation_speed.h - how long simulations and walks take in real time here, by those that were
 * run before. */
#ifndef HARNESS_RUN_SIMULATION_SPEED_H
#define HARNESS_RUN_SIMULATION_SPEED_H

#include "harness/study/plan.h"

/* What the simulator needs for a message. It varies with how many are under way at a time: 30 to
 * 170 us were seen, on one core, in reductions among 124 ranks; a walk needs about 1 us. */
struct simulation_speed {
    double start_s; /* of a launch, before its first message */
    double message_s;
    size_t launches; /* whose events tell it; 0: none was found, it is a guess */
};

/* The pace of this backend's launches (sim or walk) that are finished in DIR and in the directories
 * beside it (the cluster's other studies): all their seconds, the start of each taken off, over all
 * their messages. Studies whose text is wrong tell nothing. 0, or -1 with *err: a file or directory
 * is there and cannot be read. */
int simulation_speed_find(const char *dir, const char *backend, const struct cluster *cluster,
                          const struct study *study, struct simulation_speed *pace,
                          struct err *err);

#endif
