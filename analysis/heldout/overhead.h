/* SPDX-License-Identifier: BSD-3-Clause */
/* overhead.h - overhead.csv: core time needed to decide what to choose on a cluster, by method
 * (Figs. 1 and 7 of Han et al., PML-MPI, 2023): measuring every candidate in every cell,
 * measuring some of them (an adaptive plan), training on other clusters, and predicting with
 * the trained model. One row per method, selector, cluster, collective and number of nodes.
 *
 * Measured times count ranks times wall time, including warm-ups and repetitions. Walked
 * or simulated times count what the machine would have taken: ranks times the study's
 * launches times its least calls, warm-up included, each call as long as in the walk; at
 * most the study's budget of a point (adaptive_cost). Imported times count their calls
 * where the source states the number. Candidates that run the same algorithm in a cell and
 * were timed once count once. Training and prediction count this program's processor time
 * on one core. Unknown values are NaN, never 0. A method, selector, cluster, collective
 * and number of nodes have one row: further amounts are added to it. Owns its rows. */
#pragma once

#include "analysis/learn/learner.h"

enum overhead_way { OVERHEAD_MEASURE, OVERHEAD_PART, OVERHEAD_LEARN, OVERHEAD_ASK };

struct overhead_row {
    enum overhead_way way;
    char selector[NAME_SIZE]; /* learner; "" for methods without one */
    char cluster[NAME_SIZE];  /* the target cluster; `all` */
    char collective[NAME_SIZE];
    int nodes;     /* whose cells; 0: of all numbers of nodes */
    size_t cells;  /* measured, training or predicted cells */
    size_t points; /* candidates measured in these cells; 0: none */
    double once_s; /* core-seconds of one call of each point; NaN: not known */
    double core_s; /* core-seconds of all; NaN: not known */
    char holdout[NAME_SIZE];
};

struct overheads {
    struct overhead_row *row;
    size_t n;
};

extern const struct schema overhead_schema;

/* Adds the measured or estimated core time of a set's measurements, by collective and number
 * of nodes. way: all of a cluster's points, or a part. dir: the set's. 0, or -1 with *err. */
int overhead_add_set(struct overheads *out, enum overhead_way way, const char *dir,
                     const struct training_set *set, struct err *err);

/* Adds the core time of training for a cluster, per subject. */
void overhead_add_learnt(struct overheads *out, const char *cluster, const struct learnt *learnt);

/* Adds the core-seconds of predicting this many cells of a cluster. */
void overhead_add_asked(struct overheads *out, const char *cluster, const char *selector,
                        const char *collective, size_t cells, double core_s);

/* The row, or NULL. selector "": of measuring. */
const struct overhead_row *overhead_find(const struct overhead_row *row, size_t n,
                                         enum overhead_way way, const char *selector,
                                         const char *cluster, const char *collective, int nodes);

/* Writes DIR/overhead.csv, in order. 0, or -1 with *err. */
int overhead_write(const char *dir, const char *backend, const char *holdout,
                   struct overheads *overheads, struct err *err);

void overhead_clear(struct overheads *overheads);
