/* SPDX-License-Identifier: BSD-3-Clause */
/* plan.h - every point of a study on a cluster, in launches, in the order of measuring. Its parts
 * stand in plan/: plan_build makes it, file and name write and read it.
 *
 * Written as plan.csv and skipped.csv (docs/formats.md). Owns its arrays; functions returning int
 * give 0, or -1 with *err. */
#pragma once

#include "harness/study/point.h"
#include "harness/study/study.h"

enum { LAUNCH_SIZE = 128, REASON_SIZE = 160 };

/* plan.csv, also one launch's part of it; skipped.csv, whose rows are struct skipped. */
extern const struct schema plan_schema, skipped_schema;

/* One MPI job: the points that share library, mapping, nodes and ranks. */
struct launch {
    char name[LAUNCH_SIZE]; /* <mpi>-<mapping>-<nodes>x<ppn>-p<procs>[-c<chunk>]-r<repeat> */
    char mpi[NAME_SIZE], mapping[NAME_SIZE];
    int nodes, ppn, procs;
    int chunk;       /* from 1; 0: not cut */
    int repeat;      /* from 1 */
    size_t first, n; /* its points: plan->points[first .. first + n - 1] */
    double messages; /* estimate, in all */
};

struct skipped {
    struct point point;
    char reason[REASON_SIZE];
};

struct plan {
    struct point *points; /* by launch, in the order of measuring */
    size_t n;
    struct launch *launches; /* in the order of starting */
    size_t n_launches;
    struct skipped *skipped;
    size_t n_skipped;
    struct native_release *releases; /* of its libraries, as far as they are known */
    size_t n_releases;
};

/* 1 for the names used where no library runs: "smpi", "walk", "null". */
int plan_stands_in(const char *mpi);

/* 1 where one call gives the exact time: "smpi", "walk". */
int plan_is_exact(const char *mpi);

/* Ranks that fit on a node without sharing. */
int plan_node_room(const struct cluster *cluster, const struct study *study);

/* How many ranks a node holds and how many nodes that takes. spread = even: ppn = ceil(procs /
 * nodes there are), nodes = ceil(procs / ppn); packed: seat_pack. Returns 0, or -1 with *err when
 * there is no room. */
int plan_place(const struct cluster *cluster, const struct study *study, const char *mapping,
               int procs, int *nodes, int *ppn, struct err *err);

/* Moves the points of a library that cannot run here to the skipped ones, with the reason. */
void plan_leave_out(struct plan *plan, const char *mpi, const char *reason);

/* The points of a study for which `has` returns non-zero; `has` NULL: all. */
struct plan_part {
    int (*has)(const struct point *point, const void *of);
    void *of;
};

/* Keeps the points of a part, and the launches with
 * such points; chunks of a launch keep their names. */
void plan_keep(struct plan *plan, const struct plan_part *part);

/* Writes DIR/plan.csv and DIR/skipped.csv. */
int plan_write(const struct plan *plan, const char *dir, struct err *err);

/* Writes the points[i] of a launch with todo[i] != 0 (NULL: all) as a launch file. */
int plan_write_launch(const struct plan *plan, const struct launch *launch, const char *todo,
                      const char *path, struct err *err);

/* Reads a plan.csv (or a launch file) back; rows of one launch stand together. The skipped points
 * have no reason. */
int plan_read(const char *path, struct plan *plan, struct err *err);

/* A launch by name, or NULL. */
const struct launch *plan_launch(const struct plan *plan, const char *name);

/* Sets the name from the other members. */
void launch_name(struct launch *launch);

/* Parses a launch name: 0, or -1 with *err. Fills everything but first, n and messages. */
int launch_parse(const char *name, struct launch *launch, struct err *err);

void plan_free(struct plan *plan);
