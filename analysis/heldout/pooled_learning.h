/* SPDX-License-Identifier: BSD-3-Clause */
/* pooled_learning.h - trains learners on several sets together and judges them on the held-out
 * cells, cluster by cluster. The three splits of Han et al. (PML-MPI, 2023, section V.D) are
 * `random=30%`, `cluster=each` (each cluster in turn is held out and judged by training on the
 * others) and `nodes`. Other selectors in the table: `safe`, which is what a file of these
 * learners gives (none without one that predicts times);
 * the default; the best single candidate of the training cells (the default where a
 * cell lacks it); the mean over all candidates, which is the expected loss of a random choice.
 *
 * Accuracy is the share of the cells whose fastest candidate is chosen, as in the paper;
 * candidates that run the same algorithm are one (training_set.h). Losses are 100 (T_chosen /
 * T_best
 * - 1). */
#pragma once

#include "analysis/judge/importance.h"
#include "analysis/heldout/overhead.h"

/* One selector on the cells of one cluster and collective, or of `all`. */
struct joined_row {
    char selector[NAME_SIZE], cluster[NAME_SIZE], collective[NAME_SIZE];
    size_t cells; /* that were judged */
    double accuracy_pct, near_pct, geomean_pct, mean_pct, p95_pct, worst_pct;
    char holdout[NAME_SIZE];
};

struct joined {
    struct joined_row *row;
    size_t n;
    size_t trained, held; /* cells, summed over all splits */
    char backend[NAME_SIZE];
    struct overheads overheads;
    struct importances importances; /* of learners' trees; none for cluster=each */
};

extern const struct schema joined_schema;

/* What is tried. Borrowed. */
struct joined_trial {
    const char *const *dirs;  /* of the sets; NULL-terminated */
    const char *const *parts; /* partially measured sets, used only for their measurement
                                 cost (overhead.h); NULL-terminated or NULL */
    struct holdout holdout;
    const struct learner *const *learners; /* NULL-terminated; those that want models' predictions
                                              are passed over */
    const char *rule; /* decision function used as simulations' default; NULL: each study's */
    const struct model_first *first; /* with the costs of the first set's machine; NULL: none */
    const char *clusters;            /* directory of the cluster files of the other machines */
    int doubted;                     /* 1: doubted times count */
    int fixed; /* 1: use the first setting, without a choice on validation cells */
};

/* Learns and judges. 0, or -1 with *err and nothing to clear: nothing is held out, or nothing is
 * left to learn from. */
int joined_run(const struct joined_trial *trial, struct joined *out, struct err *err);

/* Writes DIR/joined.csv, DIR/overhead.csv and, where there are rows, DIR/joined/importance.csv. 0,
 * or -1 with *err. */
int joined_write(const char *dir, struct joined *joined, struct err *err);

/* Finds, of n rows, the row with the same selector and collective and the
 * largest mean loss over all clusters. Returns `of` where there is none. */
const struct joined_row *joined_worst_cluster(const struct joined_row *row, size_t n,
                                              const struct joined_row *of);

void joined_clear(struct joined *joined);
