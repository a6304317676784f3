/* SPDX-License-Identifier: BSD-3-Clause */
/* model_choice.h - what is given to whoever asks about a cell: the one way from what was learnt
 * (model_file.h) to a choice. `collsel recommend`, `export` and `run --model` ask it, `plan
 * --confirm` asks what is to be measured first by it, and `select --holdout` judges it, as `safe`.
 *
 * With measured cells `safe` decides (safe.h): the default, but where something else may override
 * it, and the learner that says what is gained expects a gain. A pre-trained file has no measured
 * cells: the default stays, but where the whole interval of what is expected is a gain, at most a
 * doubling beyond what was learnt of. */
#ifndef ANALYSIS_LEARN_MODEL_CHOICE_H
#define ANALYSIS_LEARN_MODEL_CHOICE_H

#include "analysis/learn/model_file.h"

/* The question. Borrowed. */
struct given_question {
    const struct cell *cell;
    const struct facts *machine; /* given_machine */
    /* 1 for what the asker can take; NULL: all */
    int (*may)(const void *of, const struct cell *cell, const struct candidate *candidate);
    const void *of;
};

enum given_why {
    GIVEN_ONE_PROCESS, /* there is nothing to choose */
    GIVEN_NO_DEFAULT,  /* the library's default has no time anywhere: no gain over it is known */
    GIVEN_NO_TIME,     /* it has some, but not what it runs here */
    GIVEN_STAYS,       /* no gain over it is known well enough */
    GIVEN_FAR,         /* nor so far beyond what was learnt of */
    GIVEN_BOUND,       /* the measured cells about it gained; */
    GIVEN_LEAD,        /* a learner leads; */
    GIVEN_INTERVAL     /* the whole interval is a gain: these three take something else */
};

/* How much longer the default takes than a kind, percent, as a learner says; NaN: not known. */
struct given_gain {
    double pct, low_pct, high_pct;
    double holds_pct; /* how often such an interval holds */
    size_t tries;     /* of so many; 0: not known */
};

struct given {
    enum given_why why;
    const struct candidate *take;       /* NULL: the default stays */
    const struct candidate *by_default; /* what that runs, as a kind; NULL: it has no time */
    const struct learnt *speaker;       /* who says what is gained; NULL: nobody learnt times */
    const struct learner *lead;
    double counts; /* by which it was taken, of a bound or a lead: logarithm of default over it */
    struct given_gain gain; /* of what is taken; 0 where that is the default */
    float x[N_FEATURES];
};

/* The machine that is asked about as whoever asks can know it: the default of a simulation, and the
 * libraries' releases on the machines that were learnt from, are what was learnt. */
struct facts given_machine(const struct model_file *file, const struct facts *machine);

/* 1 when nothing of a machine was learnt from. */
int given_elsewhere(const struct model_file *file, const struct facts *machine);

/* Answers a question about the subject at this place. */
void given_ask(const struct model_file *file, size_t at, const struct given_question *question,
               struct given *out);

/* The kind that a learner takes for the fastest, but for n others; NULL: it knows none. */
const struct candidate *given_least(size_t at, const struct given_question *question,
                                    const struct learnt *by, const struct candidate *others,
                                    size_t n);

/* What a learner says of a kind. by, by_default: NULL: nothing is known. */
struct given_gain given_gain(const struct model_file *file, size_t at,
                             const struct given_question *question, const struct learnt *by,
                             const struct candidate *kind, const struct candidate *by_default);

/* How many doublings a cell lies beyond what was learnt of, in processes, nodes or bytes, where
 * that is the most; 0: within. */
double given_beyond(const struct subject *subject, const struct cell *cell);

/* log2 of a over b; 0 counts as a half. */
double given_doublings(uint64_t a, uint64_t b);

/* 1 where all ranks get the same result, whatever is summed. */
int given_is_sound(const char *collective, const struct candidate *candidate);

#endif
