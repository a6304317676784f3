/* SPDX-License-Identifier: BSD-3-Clause */
/* holdout_trial.h - selectors that learn from some cells of a study or data set, judged on the
 * others.
 *
 * Everything that is fitted is fitted anew, to the cells that were not held out alone: parameters
 * of models, regressions, the best single candidate. Reads DIR/points.csv, writes heldout.csv,
 * selection.csv, importance.csv and, where asked for, learning.csv to DIR/holdout/NAME/
 * (holdout.name), with other times to judge by to DIR/on/OTHER/holdout/NAME/; by another default to
 * DIR/default/RULE/… */
#ifndef ANALYSIS_HELDOUT_HOLDOUT_TRIAL_H
#define ANALYSIS_HELDOUT_HOLDOUT_TRIAL_H

#include "analysis/heldout/heldout.h"
#include "analysis/judge/importance.h"

/* What is tried. Borrowed. */
struct holdout_trial {
    const char *dir;
    const char *on; /* directory of the times that judge; NULL: its own */
    const char *const
        *with; /* directories of further sets to learn from; NULL-terminated, or NULL */
    struct holdout holdout; /* its seed is the set's */
    const char *rule; /* what stands for the default of a simulation; NULL: the rule of its study */
    int curve;        /* 1: learn from parts of it, too: learning.csv */
};

struct holdout_trial_result {
    struct facts facts;
    struct selection_table table;
    struct heldout_table heldout;
    struct heldout_table learning;  /* by part, from the smallest; the last is the whole */
    struct importances importances; /* of learners' trees */
    size_t held, trained;           /* timed points that were held out, and learnt from */
    size_t confirmed; /* cells held out in which `safe` had measurements to decide by (confirm.h) */
    char dir[PATH_SIZE]; /* where the tables are */
};

/* 0, or -1 with *err and nothing to clear: nothing is held out, or nothing is left to learn from.
 */
int holdout_trial_run(const struct holdout_trial *trial, struct holdout_trial_result *result,
                      struct err *err);

/* All cells of the sets in these directories (NULL-terminated) as what may be learnt from; rule as
 * above. 0, or -1
 * with *err; clear all the same. */
int holdout_trial_training(const char *const *dirs, const char *rule,
                           struct training_cells *training, struct err *err);

/* Frees what it holds. */
void holdout_trial_clear(struct holdout_trial_result *result);

#endif
