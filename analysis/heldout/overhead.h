/* SPDX-License-Identifier: BSD-3-Clause */
/* overhead.h - overhead.csv: what it takes until one knows what to choose on a cluster, in core
 * time, by the ways that there are (Figs. 1 and 7 of Han et al., PML-MPI, 2023): measuring every
 * candidate in every cell, measuring some of them (an adaptive plan), learning from other clusters,
 * asking what was learnt.
 *
 * What was measured counts as it was: ranks times wall time, warm-ups and repetitions included.
 * What was walked or simulated counts what it would have taken on that machine: ranks times the
 * study's launches times its least calls, warm-up included, each as long as it was walked, or the
 * study's budget of a point where that is less (adaptive_cost); of what others measured their
 * calls count, where they say how many. Candidates that run the same thing in a cell and were timed
 * once count once. Learning and asking are processor time of this program, on one core. What is not
 * known is NaN, never 0. A way, selector, cluster, collective and number of nodes have one row:
 * what is added for them once more is added to it. Owns its rows. */
#ifndef ANALYSIS_HELDOUT_OVERHEAD_H
#define ANALYSIS_HELDOUT_OVERHEAD_H

#include "analysis/learn/learner.h"
#include "harness/base/schema.h"

enum overhead_way { OVERHEAD_MEASURE, OVERHEAD_PART, OVERHEAD_LEARN, OVERHEAD_ASK };

struct overhead_row {
    enum overhead_way way;
    char selector[NAME_SIZE]; /* who learns or is asked; "" where nobody does */
    char cluster[NAME_SIZE];  /* about which one asks; `all` */
    char collective[NAME_SIZE];
    int nodes;     /* whose cells; 0: of all numbers of nodes */
    size_t cells;  /* that are measured, learnt from or asked about */
    size_t points; /* of these, candidates in cells; 0: none are measured */
    double once_s; /* core-seconds of one call of each point; NaN: not known */
    double core_s; /* core-seconds of all; NaN: not known */
    char holdout[NAME_SIZE];
};

struct overheads {
    struct overhead_row *row;
    size_t n;
};

extern const struct schema overhead_schema;

/* Adds what measuring a set took, or would have taken, by collective and number of nodes: all of a
 * cluster's points, or a part. dir: the set's. 0, or -1 with *err. */
int overhead_add_set(struct overheads *out, enum overhead_way way, const char *dir,
                     const struct training_set *set, struct err *err);

/* Adds what was learnt about a cluster: core time of each subject. */
void overhead_add_learnt(struct overheads *out, const char *cluster, const struct learnt *learnt);

/* Adds seconds of one core in which so many cells of a cluster were decided. */
void overhead_add_asked(struct overheads *out, const char *cluster, const char *selector,
                        const char *collective, size_t cells, double core_s);

/* The row, or NULL. selector "": of measuring. */
const struct overhead_row *overhead_find(const struct overhead_row *row, size_t n,
                                         enum overhead_way way, const char *selector,
                                         const char *cluster, const char *collective, int nodes);

/* Writes DIR/overhead.csv, in order. 0, or -1 with *err. */
int overhead_write(const char *dir, const char *backend, const char *holdout,
                   struct overheads *overheads, struct err *err);

/* Frees what it holds. */
void overhead_clear(struct overheads *overheads);

#endif
