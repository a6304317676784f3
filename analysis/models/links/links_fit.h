/* SPDX-License-Identifier: BSD-3-Clause */
/* links_fit.h - what the walks over links (walk/link_walk.h) needs of a platform, and the walk of
 * every timed point.
 *
 * PLATFORM, per library and mapping of a timed point or a ping-pong; a channel's ping-pongs are of
 * the machine, and count for every mapping. t(m): the ping-pongs between two nodes; of those at
 * several distances, the nearest. Within a node: the ping-pongs of each channel. t_mem(m): the copy
 * experiments; none: copies cost nothing. Latency of a hop: the cluster file's, times a scale;
 * where ping-pongs at two distances were measured, the scale is the median, over their common
 * sizes, of (measured difference of the two) / (difference of the two by the cluster file), else 1.
 *
 * POINTS. Each is walked once; links_models.c takes its rows from the sums. A point of a cluster
 * whose topology is not known, of an algorithm without a schedule, or without a platform has no
 * row.
 *
 * A point with more rounds than LINKS_MOST_ROUNDS is not walked: its seconds are NaN, its steps 0.
 *
 * Each is walked with links as queues (walk/queue.h), unless it has too many messages.
 *
 * LINKS. For the largest message and P of each collective, library and mapping: the load of every
 * link, by candidate, in all steps and in the step with the most bytes on a link.
 *
 * Files: fit/links_platform.csv, fit/links.csv. Owns its rows. */
#pragma once

#include "analysis/measure/points.h"
#include "analysis/walk/link_walk.h"

struct parameter_set;

/* Rounds of all ranks together that are walked at most: a few seconds. */
enum { LINKS_MOST_ROUNDS = 1 << 24 };

struct links_platform {
    char mpi[NAME_SIZE], mapping[NAME_SIZE];
    struct curve message, copy;
    struct curve inside[N_CHANNELS]; /* t within a node; no points: not measured */
    int hops;                        /* links between the two nodes of the ping-pong */
    double latency;                  /* sum over these links, by the cluster file */
    double latency_scale;            /* of the cluster file's */
    size_t scale_points;             /* number of sizes behind the scale; 0: the scale is 1 */
};

/* A timed point, walked. */
struct links_row {
    struct point point;
    struct links_result result;
};

/* A row of links_platform.csv. */
struct links_place {
    struct links_platform of; /* of its curves the file has the numbers of points alone */
    char topology[16], shape[64], order[KEY_TEXT_MAX];
    int nodes;
    double link_rate;
};

extern const struct schema links_place_schema, links_schema;

struct links_fits {
    struct facts facts; /* the network */
    struct links_platform *platform;
    size_t n_platforms;
    struct links_row *row; /* by id */
    size_t n;
};

/* Fits and walks. Returns 0, or -1 with *err: an unknown order of nodes, or a
 * schedule that cannot be walked. */
int links_fit(const struct points *points, const struct facts *facts, struct links_fits *fits,
              struct err *err);

/* The sums of a cell and a candidate, from its point or by a new walk. -1 where there is no
 * platform, or the walk fails. */
int links_of(const struct links_fits *fits, const struct cell *cell,
             const struct candidate *candidate, const struct schedule *s,
             struct links_result *result);

/* The largest message of the ping-pong used for a cell; 0: none. */
double links_measured_bytes(const struct links_fits *fits, const struct cell *cell);

/* Seconds: with collisions, without them, with collisions and the latency of hops, and with
 * links as queues (NaN: not walked). */
double links_seconds(const struct links_result *result);
double links_alone_seconds(const struct links_result *result);
double links_step_hops_seconds(const struct links_result *result);
double links_queue_seconds(const struct links_result *result);

/* Writes the three files below DIR; where there is no platform, removes them. */
int links_fits_write(const char *dir, const char *backend, const struct links_fits *fits,
                     struct err *err);

void links_fits_clear(struct links_fits *fits);

/* As a set (parameters.h): a struct links_fits. */
extern const struct parameter_set links_set;

/* The models that use this set, in the order of their table, ended by NULL; the paper's own has. */
struct model;
extern const struct model *const links_models[], *const links_paper;
