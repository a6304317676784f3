/* SPDX-License-Identifier: BSD-3-Clause */
/* model.h - a cost model: from a cell and a candidate to seconds.
 *
 * A model is one folder and one row: what computes it lies in analysis/models/FOLDER, which defines
 * a constant struct model, and model_list.c lists the rows. All else (predict, fit, select, report)
 * goes through that table. A model never guesses: where a parameter is missing the prediction has a
 * status. */
#ifndef ANALYSIS_MODELS_MODEL_H
#define ANALYSIS_MODELS_MODEL_H

#include "analysis/measure/points.h"
#include "analysis/measure/spending.h"
#include "analysis/walk/stage_walk.h"
#include "workloads/schedules/schedule.h"

enum predict_status {
    PREDICT_OK,
    PREDICT_NO_SCHEDULE,  /* we have no schedule of this algorithm */
    PREDICT_NO_GAMMA,     /* gamma was not measured here */
    PREDICT_NO_FIT,       /* alpha and beta (the simulated time) of what runs are not known */
    PREDICT_NO_FORMULA,   /* no textbook formula */
    PREDICT_NOT_POSITIVE, /* the fit gives no positive time here */
    PREDICT_TOO_MANY,     /* more messages than this model walks */
    PREDICT_EXTRAPOLATED, /* there is a time, beyond what the parameters were fitted to */
    PREDICT_POOR_FIT,     /* there is a time, from a fit that explains little (regress.h) */
    N_PREDICT_STATUS
};

/* "ok", "no_schedule", "no_gamma", "no_fit", "no_formula", "not_positive", "too_many",
 * "extrapolated", "poor_fit" and back (-1: unknown). */
extern const char *const predict_status_words[]; /* ended by NULL */
const char *predict_status_name(enum predict_status status);

struct prediction {
    double seconds;            /* NaN unless there is one (prediction_usable) */
    char algorithm[NAME_SIZE]; /* what runs; "" where that is not known */
    enum predict_status status;
};

/* 1 when there is a time: ok, extrapolated or poor_fit. */
int prediction_usable(const struct prediction *prediction);

/* What models are fitted to and computed from (parameters.h). */
struct parameters;

/* What was made and walked of the schedule that was asked about last, for whoever asks about many
 * points of one schedule, one after the other. Owns what it holds. Start from { 0 }. */
struct model_walks {
    int any; /* one was asked about: that of this candidate in this cell */
    struct cell cell;
    struct candidate candidate;
    struct schedule s;
    int made; /* its rounds are in `kept`, unless they are too many */
    struct kept kept;
    int staged; /* its stages were walked: */
    struct stage_profile stages;
};

/* What a model is asked: one candidate in one cell. */
struct question {
    const struct model *model;
    const struct parameters *p;
    const struct cell *cell;
    const struct candidate *candidate;
    const struct schedule *s;  /* of what runs; NULL: there is none (without_schedule) */
    struct model_walks *walks; /* of a schedule that is the same; NULL: nothing is kept */
};

struct model {
    const char *name;     /* in files and on the command line */
    const char *help;     /* one line for a terminal */
    const char *label;    /* for people, in tables and legends: "stage model" */
    const char *prose;    /* for the page: what it computes from what, after whom; a part of a
                           * sentence,    in Markdown, without a full stop */
    const char *colour;   /* of its curves, "#rrggbb" */
    int dash, marker;     /* gnuplot's dashtype (1: solid) and point type, together its own */
    int without_schedule; /* 1: predicts algorithms that have no schedule, too */
    int fitted;     /* 1: its parameters come from the very times that it predicts (errors.h) */
    int in_sample;  /* 1: on the study's own grid its choice is a smoothing of the very times; only
                     * held-out cells tell what it is worth */
    int simulators; /* 1: it follows messages and shares links as the simulator and the walk do, so
                     * that on their times it is no test of it (model_standing) */
    const char *chosen_on; /* data on which its rules were chosen (docs/notebook.md), separated by
                            * blanks: "BACKEND:CLUSTER", of what others measured
                            * "imported:FORMAT"; there it is judged in sample. NULL: none */
    int carries; /* n > 0: of what messages cost alone, and the n-th choice where a regression is to
                  * be carried beyond what it was fitted to (regression/regression_extrapolated.h)
                  */
    int only_predicts; /* 1: no selector chooses by it */
    int takes_native;  /* 1: of equal predictions the library's own algorithm is chosen, not ours */

    /* 1 when the parameters that it needs are of this study at all; else it has no rows. NULL:
     * always. */
    int (*applies)(const struct parameters *p);
    /* Asked of several points side by side: it writes nothing but *seconds and q->walks. */
    enum predict_status (*predict)(const struct question *q, double *seconds);
    int variant; /* tells apart the models of a family that predict by one function */

    /* Core-seconds of measuring that it rests on, over the whole study; NULL: none. */
    double (*core_s)(const struct points *points, const struct spending *of);
};

extern const struct model *const models[]; /* model_list.c; NULL-terminated */

/* More rows than models[] has. */
enum { MAX_MODELS = 24 };

/* The model of that name, or NULL. Its index in models[] (that of the NULL where it is not there).
 */
const struct model *model_find(const char *name);
size_t model_index(const struct model *model);

/* What a model's, or a selector's, numbers are worth on the times of a backend. Whoever is not
 * STANDING_TEST is not ranked beside those who are. */
enum standing {
    STANDING_TEST,      /* it has not seen these times */
    STANDING_IN_SAMPLE, /* fitted to, or chosen by, the times of these very cells */
    STANDING_SIMULATOR  /* they are simulated or walked, and it reckons as simulator and walk do */
};

/* On the study's own grid. model NULL: STANDING_TEST. */
enum standing model_standing(const struct model *model, const char *backend);

/* "", "in sample", "the simulator's own arithmetic"; behind a name: "", " (in sample)",
 * " (simulator)". */
const char *standing_text(enum standing standing);
const char *standing_mark(enum standing standing);

/* 1 when its rules were chosen on the data of a backend and, imported, of a format, else of a
 * cluster, "fx10" standing for "fx10-512", too. */
int model_chosen_on(const struct model *model, const char *backend, const char *what);

/* Predicts one candidate in one cell (model_predict.c). A library's default is predicted as what it
 * decides there, where that is known and the model asks for schedules. */
struct prediction model_predict(const struct model *model, const struct parameters *p,
                                const struct cell *cell, const struct candidate *candidate);

/* The same; what was walked of the schedule is taken from *walks, or left there. NULL: walked for
 * this question alone. */
struct prediction model_predict_next(const struct model *model, const struct parameters *p,
                                     const struct cell *cell, const struct candidate *candidate,
                                     struct model_walks *walks);

/* For models that walk: the schedule of the question, with its rounds made once for all of them. */
const struct schedule *model_schedule(const struct question *q);

/* 1 when the ranks of a schedule have more rounds together than `most`: too many to walk while
 * somebody waits. */
int model_too_many(const struct schedule *s, uint64_t most);

/* The rounds that a walk by stages, or message by message, has at most: some seconds. */
enum { MODEL_MOST_ROUNDS = 1 << 24 };

/* Frees what it holds. */
void model_walks_clear(struct model_walks *walks);

/* For models: what runs, as the study's experiments name it. A library may substitute another
 * algorithm, which has its own fit; its segment and fan-out are the candidate's where it takes any.
 * s NULL: the candidate. */
struct candidate model_runs(const struct candidate *asked, const struct schedule *s);

/* How a model stands in a file (harness/base/schema.h): a member `const struct model *`, by name.
 */
extern const struct schema_code model_code;

#endif
