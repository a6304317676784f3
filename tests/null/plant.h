/* SPDX-License-Identifier: BSD-3-Clause */
/* plant.h - what the planted workload pretends: a platform whose parameters are known.
 *
 * Read from environment variables, so that the driver's command line is that of a real launch.
 * A wrong or unknown COLLSEL_NULL_ variable is an error: a plant that is not taken would make a
 * test pass for no reason. Owns its arrays; plant_clear. */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "analysis/walk/gamma.h"
#include "harness/base/err.h"
#include "harness/study/point.h"
#include "workloads/schedules/schedule.h"

enum { NEVER = -1 };

/* Time of a transfer of m bytes within an algorithm: alpha + beta m. */
struct hockney_row {
    char algorithm[NAME_SIZE]; /* LIBRARY:NAME */
    double alpha_s, beta_s_per_byte;
};

/* Transfers on a channel, and what each further child of a linear fan-out or fan-in adds. */
struct channel_row {
    int known;
    double alpha_s, beta_s_per_byte, slope;
};

/* A time that was measured, or walked, elsewhere. */
struct time_row {
    char collective[NAME_SIZE];
    int procs, root;
    uint64_t bytes;
    struct candidate candidate;
    double seconds;
};

struct plant {
    double alpha_s, beta_s_per_byte; /* of algorithms without a row */
    struct hockney_row *rows;
    size_t n_rows;
    struct time_row *times; /* instead of models, for EXP_TIME */
    size_t n_times;
    struct channel_row channels[N_CHANNELS];
    struct gamma gamma, fan_in; /* of sends; of receives */
    double gamma_slope, receive_slope;
    double noise;                       /* standard deviation of a sample, relative */
    double launch_noise;                /* the same of what a launch's samples share */
    int slow_calls;                     /* of every point, at its beginning */
    double slow_factor;                 /* times the others */
    int outlier_every;                  /* of an algorithm's points, one in so many; 0: none */
    double outlier_factor;              /* times the truth */
    int slowdown_after;                 /* points of the launch; NEVER */
    double slowdown_factor;             /* of everything from then on */
    int hang_at, crash_at, truncate_at; /* index of a point in the launch; NEVER */
    char once[1024];                    /* these three happen only if this file could be created */
    char lie[NAME_SIZE];                /* this algorithm is asked for, but basic_linear runs */
    char early[NAME_SIZE];              /* most ranks leave its calls early */
    double sleep_s;                     /* real time per point */
    char stay[1024];                    /* "", or before the point stay_at a launch waits as long as
                                           this file is there */
    int stay_at;                        /* index of a point in the launch */
    char usual[NAME_SIZE];              /* what a library's default runs; "": it has no time */
    char reader[NAME_SIZE];             /* by which a default reads the file of rules that the
                                           reader's variable names; "": by none */
    uint64_t seed;
};

/* Fills *plant from COLLSEL_NULL_* over the defaults. 0, or -1 with *err naming the variable. */
int plant_read(struct plant *plant, struct err *err);
void plant_clear(struct plant *plant);

/* One line per variable: name, default, meaning. */
void plant_help(FILE *out);

/* What runs a point: of a library's default what a file of rules says, or what it runs without. */
struct candidate plant_runs(const struct plant *plant, const struct point *point);

/* The algorithm that runs a point and its resolved schedule. */
int plant_schedule(const struct plant *plant, const struct point *point, struct schedule *s,
                   struct err *err);

/* The true time in seconds of one sample of a point, by the models that the fit inverts: the stage
 * walk (time, gather, gamma), after it that of the closing gather (gather) or a barrier (gamma),
 * ceil(log2 P) transfers of nothing (barrier), one transfer (pingpong); on a planted channel its
 * transfer, times 1 + slope (procs - 2) (fanout, fanin). -1 with *err when there is no such
 * schedule. */
int plant_time(const struct plant *plant, const struct point *point, double *seconds,
               struct err *err);
