/* SPDX-License-Identifier: BSD-3-Clause */
/* experiments.h - experiments that only provide parameters of the cost models (docs/design.md,
 * Equations). */
#pragma once

#include "harness/study/plan/wanted.h"

/* Adds the experiments of one collective, library and mapping: alpha and beta per algorithm
 * (Nuriyev & Lastovetsky 2021, section 4.2), gamma (section 4.1), ping-pongs and copies in memory.
 * The other fields of *like are common to all of their points. 0, or -1 with *err. */
int experiments_want_fits(struct wanted *w, const struct point *like);

/* Adds ping-pong, fan-out and fan-in of every channel that the study names (Nuriyev,
 * Rico-Gallego & Lastovetsky 2022), once for all mappings and collectives. 0, or -1 with *err. */
int experiments_want_channels(struct wanted *w, const char *mpi);

/* Sizes of the memory-copy experiments of a study. Pure. */

/* The study's list; for auto, doublings from the smallest to the largest block that the
 * schedules of the collective copy in memory at the grid's sizes and its largest process count,
 * including the largest block (above 256 ranks only some ranks are checked); empty if they copy
 * nothing. Returns 0, or -1 with *err (an algorithm that cannot run at these sizes). */
int plan_copy_sizes(const struct study *study, const char *collective, struct size_list *sizes,
                    struct err *err);

/* Finds a launch that can measure a channel: its rank 0 has enough other ranks
 * on that channel (harness/base/seat.h). Pure. */

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
