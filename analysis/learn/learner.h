/* SPDX-License-Identifier: BSD-3-Clause */
/* learner.h - learners: a method (method.h) and what it is asked. One that learns times has a
 * regressor per kind (training_set.h) of the logarithm of its time, and takes the least; one that
 * learns classes has a classifier per kind that says how likely it is right, and takes the
 * likeliest. Right is what loses nothing to speak of (2.5 %), so that a wrong choice that costs
 * nothing is no error, and errors weigh as much as they cost.
 *
 * Settings are chosen per subject on the lessons apart (training_set.h): of those that learn times
 * by what the choices lose there, of those that learn classes by the area under the receiver's
 * curve (AUC) of their classifiers. Regressors learn the time itself or its ratio to the cell's
 * mean over all candidates, whichever loses less there. A table of constant rows: one more is one
 * line in learners.c. */
#ifndef ANALYSIS_LEARN_LEARNER_H
#define ANALYSIS_LEARN_LEARNER_H

#include "analysis/learn/method.h"
#include "analysis/learn/training_set.h"

struct learner {
    const char *name;
    const char *label;
    const char *help;
    const struct method *method;
    int classifies; /* 1: learns classes, else times */
    int hybrid;     /* 1: what the analytical models say is among its features */
    int fixed;  /* 1: the first setting, without a choice: of the time over the mean, or of what is
                   copied the time itself */
    int copies; /* 1: says what was measured in the nearest cell; no voice in `safe` */
};

extern const struct learner *const learners[]; /* those that can be taught here; NULL-terminated */

/* 1 for those who have a voice where `safe` asks what is faster. */
int learner_has_voice(const struct learner *learner);

/* The learner of this name ("forest"), also one whose library was not there at the build; or NULL.
 */
const struct learner *learner_find(const char *name);

/* The choice in a lesson, by what was learnt without it: what it promised to gain over the default,
 * and what it gained, as logarithms; both 0 where the default was chosen. Of the lessons apart, and
 * of the data's own past, where the problem asks for that: by what was learnt of the P up to a
 * former end (subject_end), of those that had seen a doubling, in all lessons beyond. */
struct learner_trial {
    size_t lesson; /* its place in the subject */
    int end;       /* the former end; 0: one of the lessons apart */
    double promised, gain;
};

/* Between these lie the errors of the gains over the default that choices promise, as logarithms to
 * be added. */
struct learner_interval {
    double low, high; /* NaN: not known */
    double holds;     /* how often such an interval holds, 0 to 1; NaN: not known */
    size_t tries;     /* what that was seen in */
};

enum { LEARNER_DOUBLINGS = 8 }; /* so far beyond the largest P something may be known */

/* How many doublings lead from so many processes to more, the last one begun. */
int learner_doublings(int procs, int from);

/* What was learnt of one subject. Owns its arrays. */
struct skill {
    struct cell context;
    struct candidate *kind;
    struct fitted *fit; /* by kind */
    size_t n_kinds;
    size_t setting; /* of the method */
    int ratio;      /* 1: of times to their mean in the cell */
    double loss;    /* mean logarithm of chosen over best on the lessons apart; NaN: none */
    double auc;     /* of classifiers there, in the mean; NaN: none */
    /* of those who learn times: between these lie 95 % of the errors of the gains over the default
     * that choices promise: on each half of the lessons apart, of the setting that lost least on
     * the other half; NaN: fewer than 39 choices */
    struct learner_interval between;
    /* the same of machines that were not learnt from: each was left out in turn. It holds as often
     * as the interval of the others held on the worst of them. Not known: of one machine */
    struct learner_interval elsewhere;
    /* the same one doubling beyond the largest P, two, ...: 95 % of the errors at all former ends
     * (trial); how often it holds by the former ends alone, each asked by those before it. Not
     * known: of fewer than two ends, of fewer than 39 choices that tell, or 20 that were asked */
    struct learner_interval beyond[LEARNER_DOUBLINGS];
    double importance[MOST_FEATURES]; /* of trees: each feature's share of what splits tell apart
                                         (trees_lessen); NaN: no trees */
    size_t examples;                  /* cells that were learnt from */
    double core_s; /* processor time that learning took, choice of settings included; NaN: not
                      known, as of what was read from a file */
    struct learner_trial *trial; /* of those who learn times: with the setting that was taken */
    size_t n_trials;
};

struct learnt {
    const struct learner *learner;
    struct skill *skill;
    size_t n;
};

/* Learns from all lessons, with settings chosen on those apart. 0, or -1 with *err and nothing to
 * clear. */
int learnt_make(const struct learner *learner, const struct problem *problem, uint64_t seed,
                struct learnt *out, struct err *err);

/* What was learnt of a cell's subject, or NULL. */
const struct skill *learnt_skill(const struct learnt *learnt, const struct cell *cell);

/* The score of what runs in a cell with these features: the logarithm of seconds (or of a ratio,
 * the same for all kinds of a cell), or minus how likely it is right; the least is to be chosen.
 * said: what models say of it, as in struct offer; NULL: nothing. NaN: a kind that nobody learnt.
 */
double skill_score(const struct learnt *learnt, const struct skill *skill,
                   const struct candidate *runs, const float *x, const float *said);

/* Area under the receiver's curve: the chance that an example of class 1 has a larger score than
 * one of class 0, equal ones counting one half. NaN where a class is missing. */
double learn_auc(const double *score, const double *y, size_t n);

/* Seconds of processor time of this program so far. */
double learn_clock(void);

/* Frees what it holds. */
void learnt_clear(struct learnt *learnt);

#endif
