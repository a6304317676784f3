/* SPDX-License-Identifier: BSD-3-Clause */
/* learner.h - learners: a method (method.h) and what it predicts. A learner of times has
 * one regressor per kind (training_set.h) for the logarithm of the time, and takes the
 * least. A learner of classes has one classifier per kind for the probability that the
 * kind is right, and takes the largest. A kind is right when its loss is at most 2.5 %,
 * so a wrong choice without loss is no error, and errors are weighted by their cost.
 *
 * Settings are chosen per subject on the validation cells (training_set.h): for
 * learners of times by the loss of their choices there, for learners of classes by the
 * area under the ROC curve (AUC) of their classifiers. Regressors predict the time
 * itself or its ratio to the cell's mean over all candidates, whichever loses less
 * there. The table has constant rows: a new learner is one line in learners.c. */
#pragma once

#include "analysis/learn/method.h"
#include "analysis/learn/training_set.h"

struct learner {
    const char *name;
    const char *label;
    const char *help;
    const struct method *method;
    int classifies; /* 1: learns classes, else times */
    int hybrid;     /* 1: predictions of the analytical models are features */
    int fixed;  /* 1: the first setting, without a choice, on the ratio to the mean, or, where it
                   copies, on the time itself */
    int walks;  /* 1: its time is that of the schedule on the machine's cluster file
                   (walked_trust.c); nothing is fitted but for how far it is trusted */
    int copies; /* 1: returns the time of the nearest measured cell; no vote in `safe` */
};

extern const struct learner *const learners[]; /* trainable in this build; NULL-terminated */

/* 1 when `safe` counts this learner's vote on what is faster. */
int learner_has_voice(const struct learner *learner);

/* 1 for the name of one that walks the machine's cluster file. */
int learner_walks(const char *name);

/* The learner of this name ("forest"), also one whose library was missing at the build; or NULL. */
const struct learner *learner_find(const char *name);

/* The choice in one cell by a learner trained without it: the predicted and the real gain over
 * the default, as logarithms; both 0 where it chose the default. For the validation cells,
 * and, when the problem has `past`, for cells beyond a smaller largest P: trained up to that P
 * (subject_end), with at least one doubling of P in the training, on all cells beyond it. */
struct learner_trial {
    size_t example; /* its place in the subject */
    int end;        /* the smaller largest P; 0: a validation cell */
    double promised, gain;
};

/* Interval of the errors of predicted gains over the
 * default, as logarithms; add it to a predicted gain. */
struct learner_interval {
    double low, high; /* NaN: not known */
    double holds; /* promised coverage of the interval, 0 to 1: the lower end, one-sided 95 %, of
                     what was seen where each P, end or machine was judged by the others; NaN:
                     these are fewer than three, or 20 tries, or differ too much */
    size_t tries; /* number of cases behind the coverage */
};

enum { LEARNER_DOUBLINGS = 8 }; /* doublings beyond the largest P that are covered */

/* The number of doublings from `from` to `procs` processes, rounded up. */
int learner_doublings(int procs, int from);

/* Where ranks sit: on one node; one on each of several; more on each. */
enum { WALKED_PLACES = 3, WALKED_FAMILIES = 5 };

/* How much a walk has to promise, as the logarithm of default over candidate, to override the
 * default (walked_trust.h); INFINITY: never. */
struct walked_trust {
    double bold;                /* where it gains in the mean over machines */
    double safe[WALKED_PLACES]; /* where it was not seen to harm on any */
    double
        pair[WALKED_FAMILIES * WALKED_FAMILIES]; /* nor in any collective, by the families of what
                                                   the default runs and of what overrides it */
};

/* The trained state of one subject. Owns its arrays. */
struct skill {
    struct cell context;
    struct candidate *kind;
    struct fitted *fit; /* by kind */
    size_t n_kinds;
    size_t setting; /* of the method */
    int ratio;      /* 1: of times to their mean in the cell */
    double loss;    /* mean log(chosen / best) on the validation cells; NaN: none */
    double auc;     /* mean over classifiers there; NaN: none */
    /* for learners of times: 95 % interval of the errors of predicted gains
     * over the default, from each half of the validation cells with the
     * setting that lost least on the other half; NaN: fewer than 39 choices */
    struct learner_interval between;
    /* the same for machines without training data, by leaving out each machine in turn. Its
     * coverage is promised of one more machine. Not known with one machine */
    struct learner_interval elsewhere;
    /* the same one doubling beyond the largest P, two, ...: 95 % of the errors at all smaller
     * ends (trial). Its coverage, each end predicted from the ends before it, is promised of one
     * more. Not known below two ends, below 39 choices with a predicted gain, or below 20 tests */
    struct learner_interval beyond[LEARNER_DOUBLINGS];
    double importance[MOST_FEATURES]; /* of trees: each feature's share of the impurity decrease
                                         (trees_importance); NaN: no trees */
    size_t examples;                  /* training cells */
    double core_s;                    /* processor time of training, choice of settings
                                         included; NaN: not known, as for a model from a file */
    struct walked_trust trust;        /* of a learner that walks */
    struct learner_trial *trial;      /* for learners of times: with the chosen setting */
    size_t n_trials;
};

struct learnt {
    const struct learner *learner;
    struct skill *skill;
    size_t n;
};

/* Trains on all cells; settings are chosen on the validation cells. 0, or -1 with *err; nothing to
 * clear. */
int learnt_make(const struct learner *learner, const struct problem *problem, uint64_t seed,
                struct learnt *out, struct err *err);

/* The trained state of the cell's subject, or NULL. */
const struct skill *learnt_skill(const struct learnt *learnt, const struct cell *cell);

/* The score of a candidate in a cell with these features: the logarithm of seconds (or of a ratio
 * with the same base for all kinds of the cell), or minus the probability that it is right; the
 * least is chosen. said: model predictions as in struct offer; NULL: none. NaN: an untrained kind.
 */
double skill_score(const struct learnt *learnt, const struct skill *skill,
                   const struct candidate *runs, const float *x, const float *said);

/* Area under the receiver's curve: the chance that an example of class 1 has a larger score than
 * one of class 0, equal ones counting one half. NaN where a class is missing. */
double learn_auc(const double *score, const double *y, size_t n);

/* Seconds of processor time of this program so far. */
double learn_clock(void);

void learnt_clear(struct learnt *learnt);
