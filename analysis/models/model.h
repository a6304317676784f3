/* SPDX-License-Identifier: BSD-3-Clause */
/* model.h - a cost model: from a cell and a candidate to seconds.
 *
 * A model is one folder and one row: what computes it lies in analysis/models/FOLDER, which defines
 * a constant struct model, and model_list.c lists the rows. All else (predict, fit, select, report)
 * goes through that table. A model never guesses: where a parameter is missing the prediction has a
 * status. */
#pragma once

#include "analysis/measure/costs.h"
#include "analysis/walk/stage_walk.h"

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
 * "extrapolated", "poor_fit". */
extern const char *const predict_status_words[]; /* ended by NULL */

struct prediction {
    double seconds;            /* NaN unless there is one (prediction_usable) */
    char algorithm[NAME_SIZE]; /* what runs; "" where that is not known */
    enum predict_status status;
};

/* 1 when there is a time: ok, extrapolated or poor_fit. */
int prediction_usable(const struct prediction *prediction);

/* What models are fitted to and computed from (parameters.h). */
struct parameters;

/* The rounds and stages of the last schedule, kept for a caller that predicts
 * many points of one schedule in a row. Owns what it holds. Start from { 0 }. */
struct model_walks {
    int any; /* 1: holds a schedule, of this candidate in this cell */
    struct cell cell;
    struct candidate candidate;
    struct schedule s;
    int made; /* its rounds are in `kept`, unless they are too many */
    struct kept kept;
    int staged; /* 1: its stages were walked, in: */
    struct stage_profile stages;
};

/* Input of a prediction: one candidate in one cell. */
struct question {
    const struct model *model;
    const struct parameters *p;
    const struct cell *cell;
    const struct candidate *candidate;
    const struct schedule *s;  /* of what runs; NULL: there is none (without_schedule) */
    struct model_walks *walks; /* of a schedule that is the same; NULL: nothing is kept */
};

struct model {
    const char *name;      /* in files and on the command line */
    const char *help;      /* one line for a terminal */
    const char *label;     /* for people, in tables and legends: "stage model" */
    const char *prose;     /* for the page: result, inputs and source of the model; a
                            * part of a sentence, in Markdown, without a full stop */
    const char *colour;    /* of its curves, "#rrggbb" */
    int dash, marker;      /* gnuplot's dashtype (1: solid) and point type, together its own */
    int without_schedule;  /* 1: predicts algorithms that have no schedule, too */
    int fitted;            /* 1: its parameters come from the times that it predicts (errors.h) */
    int in_sample;         /* 1: on the study's own grid its choice only smooths
                            * the measured times; judge it on held-out cells */
    int simulators;        /* 1: it models messages and links like the simulator and the
                            * walk, so their times are no test of it (model_standing) */
    const char *chosen_on; /* data on which its rules were chosen (docs/notebook), separated by
                            * blanks: "BACKEND:CLUSTER", of what others measured
                            * "imported:FORMAT"; there it is judged in sample. NULL: none */
    int only_predicts;     /* 1: no selector chooses by it */
    int takes_native; /* 1: on equal predictions the library's algorithm is preferred to ours */

    /* 1 when the study has the parameters that it needs; else it has no rows. NULL: always. */
    int (*applies)(const struct parameters *p);
    /* Called in parallel for several points: writes only *seconds and q->walks. */
    enum predict_status (*predict)(const struct question *q, double *seconds);
    int variant; /* distinguishes models of a family that share this function */

    /* Core-seconds of the measurements that it uses, over the whole study; NULL: none. */
    double (*core_s)(const struct points *points, const struct spending *of);
};

extern const struct model *const models[]; /* model_list.c; NULL-terminated */

/* More rows than models[] has. */
enum { MAX_MODELS = 24 };

/* The model of that name, or NULL. Its index in models[] (that of the NULL where it is not there).
 */
const struct model *model_find(const char *name);
size_t model_index(const struct model *model);

/* How far the numbers of a model or a selector may be trusted on
 * the times of a backend. Only STANDING_TEST rows are ranked. */
enum standing {
    STANDING_TEST,      /* independent of these times */
    STANDING_IN_SAMPLE, /* fitted to, or chosen by, the times of these cells */
    STANDING_SIMULATOR  /* simulated or walked times, and the model uses the same rules */
};

/* On the study's own grid. model NULL: STANDING_TEST. */
enum standing model_standing(const struct model *model, const char *backend);

/* "", "in sample", "the simulator's own arithmetic"; behind a name: "", " (in sample)",
 * " (simulator)". */
const char *standing_text(enum standing standing);
const char *standing_mark(enum standing standing);

/* 1 when its rules were chosen on the data of this backend and
 * cluster (imported: format). "fx10" covers "fx10-512", too. */
int model_chosen_on(const struct model *model, const char *backend, const char *what);

/* Predicts one candidate in one cell (model.c). A library's default is predicted
 * as the result of its decision there, if that is known and the model needs schedules. */
struct prediction model_predict(const struct model *model, const struct parameters *p,
                                const struct cell *cell, const struct candidate *candidate);

/* The same with a cache: walks of the schedule are
 * taken from *walks or stored there. NULL: no cache. */
struct prediction model_predict_next(const struct model *model, const struct parameters *p,
                                     const struct cell *cell, const struct candidate *candidate,
                                     struct model_walks *walks);

/* For models that walk: the schedule of the question, with its rounds made once for all of them. */
const struct schedule *model_schedule(const struct question *q);

/* 1 when the rounds of all ranks of a schedule exceed `most`: too many for an interactive walk. */
int model_too_many(const struct schedule *s, uint64_t most);

/* Limit of the rounds of a walk by stages or messages: some seconds. */
enum { MODEL_MOST_ROUNDS = 1 << 24 };

void model_walks_clear(struct model_walks *walks);

/* For models: the algorithm that runs, by its name in the study's experiments. A
 * library may substitute another algorithm, which has its own fit; segment and
 * fan-out are the candidate's where it uses any. s NULL: the candidate itself. */
struct candidate model_runs(const struct candidate *asked, const struct schedule *s);

/* Text form of a model in a file (harness/base/schema.h): a member `const struct model *`, by name.
 */
extern const struct schema_code model_code;
