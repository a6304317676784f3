/* SPDX-License-Identifier: BSD-3-Clause */
/* channel_platform.h - costs of a library's messages by the placement of the two ranks: the
 * measured times, the lines through them, and the costs of the walk (method: channel_fit.h). */
#pragma once

#include "analysis/measure/points.h"
#include "analysis/walk/channel.h"
#include "analysis/walk/seat_walk_time.h"

/* A measured time: one experiment, channel, number of ranks and size. A ping-pong counts
 * with its median over samples or, in imported data, over receivers; a fan-out and a
 * fan-in with their means. Equal points of several mappings are combined by the median. */
struct channel_sample {
    enum experiment experiment; /* EXP_PINGPONG, EXP_FANOUT, EXP_FANIN */
    enum channel channel;
    int procs;
    uint64_t bytes;
    double slowest, mean; /* seconds; mean over ranks: NaN where not known */
    size_t points;
};

enum channel_use { FOR_MOVING, FOR_REDUCING, N_CHANNEL_USES }; /* in the order of channels.csv */

struct channel_platform {
    char mpi[NAME_SIZE];
    struct channel_sample *sample; /* by experiment, channel, bytes, procs */
    size_t n_samples;
    struct channel_lines lines;
    enum barrier barrier; /* before each timed call */
    struct seat_costs costs[N_CHANNEL_USES];
    int has_costs;                          /* any channel has a latency */
    int many_procs;                         /* least number of ranks for `many`; 0: never */
    struct seat_costs many[N_CHANNEL_USES]; /* owned */
};

struct channel_fits {
    struct channel_platform *platform;
    size_t n;
};

/* Collects the measured times of all libraries; equal points become one. */
void channel_collect(const struct points *points, struct channel_fits *fits);

/* The platform of a library, or NULL without measurements on a channel. */
const struct channel_platform *channel_platform_find(const struct channel_fits *fits,
                                                     const char *mpi);

/* The costs of a walk among so many ranks. */
const struct seat_costs *channel_costs_of(const struct channel_platform *p, enum channel_use use,
                                          int procs);

/* The sample, or NULL. */
const struct channel_sample *channel_sample_find(const struct channel_platform *p,
                                                 enum experiment experiment, enum channel channel,
                                                 int procs, uint64_t bytes);

void channel_fits_clear(struct channel_fits *fits);
