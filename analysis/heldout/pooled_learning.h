/* SPDX-License-Identifier: BSD-3-Clause */
/* pooled_learning.h - learners that learn from several sets together, judged on the cells that were
 * held out of all of them, cluster by cluster: the three splits of Han et al. (PML-MPI, 2023,
 * section V.D) are `random=30%`, `cluster=each` (each cluster in turn is judged by what was learnt
 * from the others) and `nodes`. Beside the learners: `safe`, which asks them, and `trend`; the
 * default, the best single candidate of what was learnt from (where a cell has it not: the
 * default), the mean over all candidates (what somebody loses who draws one).
 *
 * Accuracy is the share of the cells in which the very fastest candidate is chosen, as the paper
 * counts; candidates that run the same thing are one (training_set.h). Losses are 100 (T_chosen /
 * T_best
 * - 1). */
#ifndef ANALYSIS_HELDOUT_POOLED_LEARNING_H
#define ANALYSIS_HELDOUT_POOLED_LEARNING_H

#include "analysis/judge/importance.h"
#include "analysis/heldout/overhead.h"
#include "harness/base/schema.h"

/* One chooser on the cells of one cluster and collective, or on `all` of them. */
struct joined_row {
    char selector[NAME_SIZE], cluster[NAME_SIZE], collective[NAME_SIZE];
    size_t cells; /* that were judged */
    double accuracy_pct, near_pct, geomean_pct, mean_pct, p95_pct, worst_pct;
    char holdout[NAME_SIZE];
};

struct joined {
    struct joined_row *row;
    size_t n;
    size_t trained, held; /* cells, of all turns together */
    char backend[NAME_SIZE];
    struct overheads overheads;
    struct importances importances; /* of learners' trees; none where each cluster has its turn */
};

extern const struct schema joined_schema;

/* What is tried. Borrowed. */
struct joined_trial {
    const char *const *dirs;  /* of the sets; NULL-terminated */
    const char *const *parts; /* of sets that tell what measuring a part of a cluster's points costs
                                 (overhead.h), no more; NULL-terminated, or NULL */
    struct holdout holdout;
    const struct learner *const *learners; /* NULL-terminated; those that want models' predictions
                                              are passed over */
    const char *rule; /* stands for the default of simulations; NULL: that of each study */
    int fixed;        /* 1: all with their first setting, in place of the best one on cells apart */
};

/* Learns and judges. 0, or -1 with *err and nothing to clear: nothing is held out, or nothing is
 * left to learn from. */
int joined_run(const struct joined_trial *trial, struct joined *out, struct err *err);

/* Writes DIR/joined.csv, DIR/overhead.csv and, where there are rows, DIR/joined/importance.csv. 0,
 * or -1 with *err. */
int joined_write(const char *dir, struct joined *joined, struct err *err);

/* Of n rows the one of the cluster on which the chooser of a row loses most in the mean, in the
 * same collective; the row itself where there is none. */
const struct joined_row *joined_worst_cluster(const struct joined_row *row, size_t n,
                                              const struct joined_row *of);

/* Frees what it holds. */
void joined_clear(struct joined *joined);

#endif
