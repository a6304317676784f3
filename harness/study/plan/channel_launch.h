/* SPDX-License-Identifier: BSD-3-Clause */
/* channel_launch.h - finds a launch that can measure a channel: its rank 0 has enough other ranks
 * on that channel (harness/base/seat.h). Pure. */
#pragma once

#include "harness/base/seat.h"
#include "harness/study/cluster.h"
#include "harness/study/study.h"

/* A launch and its placement. */
struct team_place {
    const char *mapping; /* one of the study's */
    int world;           /* ranks */
    int nodes, ppn;
};

/* The placement of a team of procs ranks on a channel: in the smallest world that the study
 * launches anyway, with the first of its mappings that has such a team; else in the first of twice,
 * four times ... its largest world, up to the whole cluster, one rank per core. Channels belong to
 * the machine, not to a mapping, so one mapping is enough. 0, or -1 with *err: none. */
int plan_team_place(const struct cluster *cluster, const struct study *study, enum channel channel,
                    int procs, struct team_place *place, struct err *err);

/* The largest team on a channel in any world that the study launches anyway; 1: rank 0 is alone. */
int plan_team_most(const struct cluster *cluster, const struct study *study, enum channel channel);

/* The rank of a world of one rank per node that is most links away from rank 0, the first of
 * several; 0: none is further than rank 1, or the network is no torus or mesh. */
int plan_farthest(const struct cluster *cluster, int world, int nodes, int ppn);
