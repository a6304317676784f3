/* SPDX-License-Identifier: BSD-3-Clause */
/* wanted.h - the points of a plan while they are collected: grid.h and experiments.h ask for them,
 * launches.h deals them out. Each measurement is held once, whoever asked for it. */
#ifndef HARNESS_STUDY_PLAN_WANTED_H
#define HARNESS_STUDY_PLAN_WANTED_H

#include "harness/study/plan.h"

/* A point and the job it will be in: the placement of its whole world. */
struct wanted_point {
    struct point point;
    int world; /* ranks of the launch */
    double messages;
    double weight; /* by which launches are cut: messages, queued: seconds */

    /* of the points of its launch that run the same (same.h), which stay together */
    size_t first;    /* the first of them */
    double together; /* their weight */
};

/* Open-addressed index by id; a slot holds an index + 1, or 0. */
struct wanted_index {
    size_t *slot;
    size_t n;
};

/* What was asked for. Zero but for cluster, study, the flags and err to begin with. */
struct wanted {
    const struct cluster *cluster;
    const struct study *study;
    int simulated; /* portable algorithms only, one launch of each, decision functions as default */
    int queued;    /* a launch must fit into the time limit of a job */
    struct wanted_point *points;
    size_t n;
    struct skipped *skipped;
    size_t n_skipped;
    int shape_nodes, shape_ppn; /* of what is asked for now; 0: as its processes are placed */
    const char *refusal;        /* why what is asked for now cannot be measured; NULL: it can */
    struct wanted_index planned, left_out; /* of points, of skipped */
    struct err *err;
};

/* All give the point its id. */

/* Adds a point of a launch of so many ranks, whose placement the cell holds already. The same
 * measurement wanted twice is taken once, for its first purpose. */
void wanted_add(struct wanted *w, struct point *point, int world);

/* Nodes and ranks per node of a cell: the shape that is asked for, else as its processes are placed
 * (plan_place). 0, or -1 with *err (NULL: not wanted): they do not fit. */
int wanted_place(const struct wanted *w, struct cell *cell, struct err *err);

/* Adds a point of a cell that is placed so, or the reason why it cannot be to the skipped ones. */
void wanted_add_placed(struct wanted *w, struct point *point);

/* Adds a point that cannot be measured; the same one once, for its first reason. */
void wanted_skip(struct wanted *w, struct point *point, const char *reason);

/* Frees what it holds. */
void wanted_clear(struct wanted *w);

#endif
