/* SPDX-License-Identifier: BSD-3-Clause */
/* estimate.h - estimates of run time: a rough one before the start, from earlier
 * samples and simulations if there are some; during the run from the finished work. */
#pragma once

#include <jansson.h>

#include "harness/study/plan/bound.h"
#include "harness/study/rounds.h"

/* Real time of simulations and walks on this machine, from earlier runs. */

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

/* ---- time limits of jobs (docs/slurm.md) ---- */

enum { ESTIMATE_LEAST_S = 300 }; /* a limit is at least this; and bound.h */

/* Seconds that all points of a launch take at most (bound_point), with the start of its job. */
double estimate_launch_bound(const struct plan *plan, const struct launch *launch,
                             const struct cluster *cluster, const struct study *study);

/* Known times of a study: its own samples, of any digest, and those of its
 * simulation in the directory of the same name with "-sim" behind it. */
struct history {
    struct store own, simulated;
    struct twin *twins; /* simulated calls, by the properties shared with the real machine */
    size_t n_twins;
};

/* Reads DIR and DIR-sim. No such directory is no history. 0, or -1 with *err (a file of theirs
 * cannot be read) and nothing to free. */
int history_open(const char *dir, struct history *history, struct err *err);

void history_free(struct history *history);

/* Expected seconds of a launch: for a simulation its messages at the pace of
 * simulations here; on a real machine (pace NULL) the earlier times of its points
 * (history), else the least number of samples at a nominal speed. ranks_per_core,
 * at least 1: a message waits for that many turns of its core. */
double estimate_launch(const struct plan *plan, const struct launch *launch,
                       const struct cluster *cluster, const struct study *study,
                       double ranks_per_core, const struct simulation_speed *pace,
                       const struct history *history);

/* Estimated time of points, and the number of points by source. */
struct estimate {
    double seconds; /* of the points with a known time */
    size_t measured, simulated, bounded, unknown;
    int doubled; /* doublings of the limit after earlier timeouts */
};

/* Adds a point to the estimate: its earlier measured time (the longest);
 * else, from the simulated time of a call, the time of probe, warm-up
 * and calls as in the bound; else the bound itself; else unknown. */
void estimate_add(struct estimate *estimate, const struct point *point,
                  const struct cluster *cluster, const struct study *study,
                  const struct history *history);

/* Adds the expected time of all points of a launch and the start of its job: as above, but
 * with at most the study's max_reps calls and one call before the warm-up. Points with
 * little scatter need fewer. If points are estimated by the bound, the sum is a bound. */
void estimate_expect_launch(struct estimate *estimate, const struct plan *plan,
                            const struct launch *launch, const struct cluster *cluster,
                            const struct study *study, const struct history *history);

/* Seconds, in whole minutes, of the time limit of a job of this estimate; fallback_s where
 * something is unknown; never more than most_s (0: no such limit). */
double estimate_limit(const struct estimate *estimate, double fallback_s, double most_s);

/* "4 s", "2 min 05 s", "1 h 10 min". Returns buf. */
const char *format_duration(double seconds, char *buf, size_t size);

/* Forecast of an adaptive plan before it is measured. */

enum { ADAPTIVE_FORECAST_SIZE = 1024 };

/* Text on the points of the next round, the expected cost and loss of the plan, and how that was
 * estimated (adaptive_rehearse). */
void adaptive_forecast_text(struct rounds *rounds, uint64_t seed, char buf[ADAPTIVE_FORECAST_SIZE]);

/* The same as a JSON object with named numbers. */
json_t *adaptive_forecast_json(struct rounds *rounds, uint64_t seed);
