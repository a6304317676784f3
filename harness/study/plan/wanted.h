/* SPDX-License-Identifier: BSD-3-Clause */
/* wanted.h - collects the points of a plan: plan_build.c and experiments.h add them, the former
 * distributes them. Each measurement is held once, even if added several times. */
#pragma once

#include "harness/study/plan.h"

/* A point and the job it will be in: the placement of its whole world. */
struct wanted_point {
    struct point point;
    int world; /* ranks of the launch */
    double messages;
    double weight; /* weight for cutting launches: messages, queued: seconds */

    /* of the points of its launch that run the same (plan.h), which stay together */
    size_t first;    /* the first of them */
    double together; /* their weight */
};

/* Open-addressed index by id; a slot holds an index + 1, or 0. */
struct wanted_index {
    size_t *slot;
    size_t n;
};

/* The collection. Start from zeros, with cluster, study, the flags and err set. */
struct wanted {
    const struct cluster *cluster;
    const struct study *study;
    int simulated; /* portable algorithms only, one launch of each, decision functions as default */
    int queued;    /* a launch must fit into the time limit of a job */
    struct wanted_point *points;
    size_t n;
    struct skipped *skipped;
    size_t n_skipped;
    int shape_nodes, shape_ppn; /* shape of the points being added; 0: from their processes */
    const char *refusal;        /* why the points being added cannot be measured; NULL: they can */
    struct wanted_index planned, left_out; /* of points, of skipped */
    struct err *err;
};

/* All functions that add set the point's id. */

/* Adds a point of a launch with `world` ranks, placed as in its cell.
 * A measurement added twice is kept once, for its first purpose. */
void wanted_add(struct wanted *w, struct point *point, int world);

/* Nodes and ranks per node of a cell: the given shape, else as its processes are placed
 * (plan_place). 0, or -1 with *err (NULL: not wanted): they do not fit. */
int wanted_place(const struct wanted *w, struct cell *cell, struct err *err);

/* Places and adds a point of a cell, or adds it to the skipped ones with the reason. */
void wanted_add_placed(struct wanted *w, struct point *point);

/* Adds a point that cannot be measured; the same one once, for its first reason. */
void wanted_skip(struct wanted *w, struct point *point, const char *reason);

void wanted_clear(struct wanted *w);
