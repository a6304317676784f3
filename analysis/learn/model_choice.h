/* SPDX-License-Identifier: BSD-3-Clause */
/* model_choice.h - the choice that trained data (model_file.h) give for a cell. All users share it:
 * `collsel ask`, `rules write` and `run --model` for their choices, and
 * `select --holdout`, which judges it as `safe`.
 *
 * With measured cells and a first model, the least corrected walk is taken. An algorithm's walk
 * (walked_trust.h) is corrected by the ratio of its measured times to its walks: the geometric mean
 * over the measured cells, each weighing by the inverse square of its distance in doublings, a
 * quarter at least. For an algorithm that was measured nowhere it is the median of the others'
 * ratios, and the algorithm must gain as much as `safe` asks of a walk. The default stays where its
 * own corrected walk is as short. Without a first model `safe` decides (safe.h):
 * the default stays unless another candidate may override it and the learner that predicts gains
 * expects a gain. A pre-trained file has no measured
 * cells: the default stays unless the whole interval of the expected gain is above 0, at most one
 * doubling beyond the training range; with one that walks (walked_trust.h), the walk of the machine
 * promises enough, at most four beyond, of ranks and nodes. */
#pragma once

#include "analysis/learn/model_file.h"

/* The question. Borrowed. */
struct model_choice_question {
    const struct cell *cell;
    const struct facts *machine; /* model_choice_machine */
    /* 1 for candidates that the caller can use; NULL: all */
    int (*may)(const void *of, const struct cell *cell, const struct candidate *candidate);
    /* the same for candidates of the first model; NULL: may */
    int (*may_first)(const void *of, const struct cell *cell, const struct candidate *candidate);
    const void *of;
};

/* The model that ships, which learnt from other machines and walks this one. Borrowed. */
struct model_first {
    const struct model_file *file;
    const struct cluster *costs; /* of the measured machine; NULL: it cannot be walked */
};

enum model_choice_why {
    MODEL_CHOICE_ONE_PROCESS, /* one process: no choice */
    MODEL_CHOICE_NO_DEFAULT, /* the library's default has no time anywhere: no gain over it is known
                              */
    MODEL_CHOICE_NO_TIME,    /* it has times, but not for the algorithm it runs here */
    MODEL_CHOICE_STAYS,      /* no gain over it is known well enough */
    MODEL_CHOICE_FAR,        /* no gain is known this far beyond the training range */
    MODEL_CHOICE_BOUND,      /* the neighbouring measured cells gained */
    MODEL_CHOICE_LEAD,       /* a leading learner decided (safe.h) */
    MODEL_CHOICE_INTERVAL,   /* the whole interval is a gain */
    MODEL_CHOICE_WALK        /* the walk of the machine promises enough. These four override the
                                default */
};

/* Extra time of the default over a kind, percent, predicted by a learner; NaN: not known. */
struct model_choice_gain {
    double pct, low_pct, high_pct;
    double holds_pct; /* coverage of the interval, percent */
    size_t tries;     /* number of cases behind it; 0: not known */
};

struct model_choice {
    const struct model_file *file; /* whose choice it is: the asked one, or its first model */
    size_t at;                     /* place of the subject in it */
    enum model_choice_why why;
    const struct candidate *take;       /* NULL: the default stays */
    const struct candidate *by_default; /* kind that the default runs; NULL: it has no time */
    const struct learnt *speaker;       /* predicts the gain; NULL: no learner of times */
    const struct learner *lead;
    const struct candidate *walked; /* of a walk: what promises anything; or NULL */
    const struct candidate *bold; /* of a walk: what promises enough for the bold alone; or NULL */
    struct candidate published;   /* of a walk: what the default runs; by_default points to it */
    double counts; /* for a bound, a lead or a walk: log(default / taken) that decided */
    struct model_choice_gain gain; /* of what is taken; 0 where that is the default */
    float x[N_FEATURES];
};

/* The queried machine as a caller can know it: the simulation's default and, for
 * machines of the training sets, the libraries' releases come from the training data. */
struct facts model_choice_machine(const struct model_file *file, const struct facts *machine);

/* The first model for cells of a machine; NULL where there is none, it does not walk, it was learnt
 * on that machine, too, no library ran, or the machine cannot be walked. */
const struct model_file *model_choice_first(const struct model_first *first,
                                            const struct facts *machine);

/* 1 when no training data are from this machine. */
int model_choice_elsewhere(const struct model_file *file, const struct facts *machine);

/* Answers a question about the subject at this place. */
void model_choice_ask(const struct model_file *file, size_t at,
                      const struct model_choice_question *question, struct model_choice *out);

/* The kind that a learner predicts fastest, n `others` excluded; NULL: no prediction. */
const struct candidate *model_choice_least(size_t at, const struct model_choice_question *question,
                                           const struct learnt *by, const struct candidate *others,
                                           size_t n);

/* A learner's prediction for a kind. by or by_default NULL: no prediction. */
struct model_choice_gain model_choice_gain(const struct model_file *file, size_t at,
                                           const struct model_choice_question *question,
                                           const struct learnt *by, const struct candidate *kind,
                                           const struct candidate *by_default);

/* The doublings of a cell beyond the training range: the
 * largest of processes, nodes and bytes; 0: within. */
double model_choice_beyond(const struct subject *subject, const struct cell *cell);

/* log2 of a over b; 0 counts as a half. */
double model_choice_doublings(uint64_t a, uint64_t b);

/* Between two cells: the root of the sum of the squared doublings of processes, nodes and bytes. */
double model_choice_distance(const struct cell *a, const struct cell *b);

/* 1 where all ranks get the same result, whatever is summed. */
int model_choice_is_sound(const char *collective, const struct candidate *candidate);
