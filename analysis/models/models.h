/* SPDX-License-Identifier: BSD-3-Clause */
/* models.h - cost models: from a cell and a candidate to seconds. A table of constant rows; adding
 * one is one row and its function.
 *
 * derived: the stage walk of the schedule that runs, with gamma of the platform and the alpha and
 * beta of that algorithm. traditional: the textbook formula of closed.h with the alpha and beta of
 * ping-pong. event: the event walk, with the latency and gaps of the platform and the scales of the
 * algorithm. simulated: the time of the same messages in a simulation of the cluster, where the
 * study is compared with one (against.h). dummy, regression_ls, regression_mm: regression over P of
 * the times of that very algorithm, mapping and size (dummy.h). contention, no_collisions,
 * links_step_hops: the contention walk; links_queue, links_flow: in the order of time
 * (links_fit.h). A model never
 * guesses: where a parameter is missing the prediction has a status. */
#ifndef ANALYSIS_MODELS_MODELS_H
#define ANALYSIS_MODELS_MODELS_H

#include "analysis/measure/against.h"
#include "analysis/models/channel/channel_fit.h"
#include "analysis/models/links/links_fit.h"
#include "analysis/models/regression/regression.h"
#include "analysis/models/loggp/loggp_fit.h"
#include "analysis/models/gamma/gamma_fit.h"
#include "analysis/models/hockney/hockney.h"
#include "workloads/schedules/schedule.h"

enum predict_status {
    PREDICT_OK,
    PREDICT_NO_SCHEDULE,  /* we have no schedule of this algorithm */
    PREDICT_NO_GAMMA,     /* gamma was not measured here */
    PREDICT_NO_FIT,       /* alpha and beta (the simulated time) of what runs are not known */
    PREDICT_NO_FORMULA,   /* no textbook formula */
    PREDICT_NOT_POSITIVE, /* the fit gives no positive time here */
    PREDICT_EXTRAPOLATED, /* there is a time, beyond what the parameters were fitted to */
    N_PREDICT_STATUS
};

/* "ok", "no_schedule", "no_gamma", "no_fit", "no_formula", "not_positive", "extrapolated" and back
 * (-1: unknown). */
const char *predict_status_name(enum predict_status status);
int predict_status_parse(const char *name, enum predict_status *status);

struct prediction {
    double seconds;            /* NaN unless status is ok or extrapolated */
    char algorithm[NAME_SIZE]; /* what runs; "" where that is not known */
    enum predict_status status;
};

/* 1 when there is a time: ok or extrapolated. */
int prediction_usable(const struct prediction *prediction);

struct carried;

/* Parameters of a platform. Borrowed. */
struct parameters {
    const struct facts *facts; /* where ranks sit: facts_seating */
    const struct gamma_models *gammas;
    const struct hockneys *fits;
    const struct loggp_fits *events;
    const struct against *against;       /* NULL: none */
    const struct channel_fits *channels; /* NULL: none */
    const struct channel_fits
        *calibrated;               /* the same, calibrated (channel_calibrate.h); NULL: none */
    const struct regressions *dummies; /* NULL: none */
    const struct carried *carried; /* NULL: none */
    const struct contentions *contentions; /* NULL: none */
};

struct model {
    const char *name, *help;
    int without_schedule; /* 1: predicts algorithms that have no schedule, too; s is then NULL */
    int walks_alone; /* 1: predictions share nothing that is written, and are made side by side */
    int fitted;      /* 1: its parameters come from the very times that it predicts (errors.h) */

    /* 1 when the parameters that it needs are of this study at all; else it has no rows. NULL:
     * always. */
    int (*applies)(const struct parameters *p);
    enum predict_status (*predict)(const struct parameters *p, const struct cell *cell,
                                   const struct candidate *candidate, const struct schedule *s,
                                   double *seconds);
};

extern const struct model *const models[]; /* NULL-terminated */

/* The model of that name, or NULL. */
const struct model *model_find(const char *name);

/* Predicts one candidate in one cell. */
struct prediction model_predict(const struct model *model, const struct parameters *p,
                                const struct cell *cell, const struct candidate *candidate);

#endif
