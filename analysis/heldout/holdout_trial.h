/* SPDX-License-Identifier: BSD-3-Clause */
/* holdout_trial.h - trains selectors on some cells of a study or data set and judges them on the
 * others.
 *
 * All fits are repeated on the cells that are not held out: model parameters, regressions, the best
 * single candidate. Reads DIR/points.csv. Writes heldout.csv, selection.csv, importance.csv and,
 * of budgets, learning.csv to DIR/holdout/NAME/ (holdout.name). With other times to judge by: to
 * DIR/on/OTHER/holdout/NAME/. With another default: to DIR/default/RULE/… */
#pragma once

#include "analysis/heldout/heldout.h"
#include "analysis/judge/importance.h"

/* What is tried. Borrowed. */
struct holdout_trial {
    const char *dir;
    const char *on; /* directory of the judging times; NULL: dir */
    const char *const
        *with; /* directories of further sets to learn from; NULL-terminated, or NULL */
    struct holdout holdout; /* its seed is the set's */
    int doubted;            /* 1: doubted times count */
    const char *rule; /* what stands for the default of a simulation; NULL: the rule of its study */
    const struct model_first *first; /* where the training cells keep the default; NULL: none */
    const double *share; /* of a file that walks: what is given, too, after this much of a full
                            plan's cost was spent, above 0 to 1: learning.csv */
    size_t n_shares;
};

struct holdout_trial_result {
    struct facts facts;
    struct selection_table table;
    struct heldout_table heldout;
    struct heldout_table learning;  /* of each replayed budget */
    struct importances importances; /* of learners' trees */
    size_t held, trained;           /* timed points held out; timed training points */
    char sources[NAME_SIZE + 64];   /* of a file that walks: what it was learnt from */
    int in_sample;                  /* 1: also from times of the machine that is judged */
    char dir[PATH_SIZE];            /* where the tables are */
};

/* 0, or -1 with *err and nothing to clear: nothing is held out, or no training cells are left. */
int holdout_trial_run(const struct holdout_trial *trial, struct holdout_trial_result *result,
                      struct err *err);

/* Judges a file that walks (analysis/learn/walked_trust.h) on all cells of a set, and of those of
 * the same machine in `with`, among the library's own candidates: `safe`, `walked` (the bold),
 * `walk` (whatever it promises). costs: the cluster file of the machine. With shares an adaptive
 * plan is replayed, too (analysis/adapt/plan_replay.h); the file must not know the machine. Writes
 * selection.csv, heldout.csv and learning.csv to DIR/holdout/model/. The result as above. */
int holdout_trial_model(const struct holdout_trial *trial, const char *model,
                        const struct cluster *costs, struct holdout_trial_result *result,
                        struct err *err);

/* All cells of the sets in these directories (NULL-terminated) as what may be learnt from; rule as
 * above. 0, or -1 with *err; clear all the same. */
int holdout_trial_training(const char *const *dirs, const char *rule, int doubted,
                           struct training_cells *training, struct err *err);

void holdout_trial_clear(struct holdout_trial_result *result);
