/* SPDX-License-Identifier: BSD-3-Clause */
/* gamma_fit.h - gamma(P) of a platform from its experiments (Nuriyev & Lastovetsky, eq. 3 and
 * section 4.1). One model per MPI library, mapping and direction.
 *
 * What is timed, how gamma follows from it, and the paper's own estimates beside it:
 * docs/analysis.md. These hide one latency of two where small messages are sent eagerly, as the
 * root starts the next broadcast while the barrier's release is in transit. They are used if
 * synchronised times are missing (status `from_loop`).
 *
 * DIRECTIONS. An extension of the paper, measured when reductions are studied: gamma of
 * the linear fan-in of one segment from P - 1 ranks to a root, which receives one after
 * the other while all are in transit. `receive`: a gather; `reduce`: a reduction, whose
 * root also combines the data. A rank of a reduction that receives segments of several
 * children in one stage does a `reduce`. Times among two ranks include the combining of
 * a segment; among more ranks combining may overlap with the next message.
 *
 * Files: fit/gamma.csv, fit/gamma_linear.csv. Owns its rows. */
#pragma once

#include "analysis/walk/gamma.h"
#include "analysis/measure/points.h"
#include "analysis/measure/regress.h"

struct parameter_set;

enum gamma_direction { GAMMA_SEND, GAMMA_RECEIVE, GAMMA_REDUCE, N_GAMMA_DIRECTIONS };

struct gamma_point {
    int procs;
    double value;     /* NaN where status is missing */
    double stderr_of; /* by propagation from the means' standard errors; NaN in a simulation */
    double linear;    /* of the linear fit */
    double alone_s;   /* T(P) */
    double time_s, barrier_s;        /* T2(P), b(P) */
    double subtracted, with_barrier; /* the paper's estimates of gamma */
    char status[16]; /* ok; from_loop: value = subtracted; missing: no value; below_one,
                        not_rising: an impossible value */
};

struct gamma_model {
    enum gamma_direction direction;
    char mpi[NAME_SIZE], mapping[NAME_SIZE];
    struct gamma gamma; /* the usable points and the line, for gamma_value */
    struct gamma_point *point;
    size_t n;
    double intercept_stderr, slope_stderr, r2;
    size_t n_linear;
    enum fit_status status; /* of the line */
    int implausible;        /* some point is below_one or not_rising */
};

struct gamma_models {
    struct gamma_model *model;
    size_t n;
};

/* A row of gamma.csv, and one of gamma_linear.csv: a model's points, and its line. */
struct gamma_row {
    enum gamma_direction direction;
    char mpi[NAME_SIZE], mapping[NAME_SIZE];
    struct gamma_point point;
};

struct gamma_line {
    enum gamma_direction direction;
    char mpi[NAME_SIZE], mapping[NAME_SIZE];
    double intercept, slope; /* NaN where the status is not ok */
    double intercept_stderr, slope_stderr, r2;
    size_t n;
    enum fit_status status;
};

extern const struct schema gamma_schema, gamma_line_schema;

/* 1 for a synchronised broadcast or fan-in that a gamma rests on (the loops and barriers beside it
 * are experiments of their own). */
int gamma_is_experiment(const struct points *points, const struct measured *m);

/* Fits a model to the gamma points of every library and mapping. A platform without any has
 * no models. The statistic is the study's, as measured_stderr takes it. */
void gamma_fit(const struct points *points, enum statistic statistic, struct gamma_models *models);

/* The model of a library, mapping and direction, or NULL. One without usable values has status
 * too_few_points and gamma.n = 0. */
const struct gamma_model *gamma_models_find(const struct gamma_models *models, const char *mpi,
                                            const char *mapping, enum gamma_direction direction);

/* 1 when gamma_value is meaningful: it has two discrete values or a line, and no value is
 * impossible: P - 1 messages cannot take less time than one or than fewer. The tolerance is twice
 * the standard error and 5 % (simulated platforms fall by 0.2 % where ranks share a cache). */
int gamma_model_usable(const struct gamma_model *model);

/* The gamma for a collective's schedules: gamma of sends and, if measured, of receives:
 * `reduce` for a reduction, `receive` for a gather. Borrows from the models. Returns 1,
 * or 0 when gamma of sends is not usable or gamma of receives is impossible. */
int gamma_for(const struct gamma_models *models, const char *mpi, const char *mapping,
              const char *collective, struct gamma *gamma);

/* Writes both files below DIR. */
int gamma_models_write(const char *dir, const char *backend, const struct gamma_models *models,
                       struct err *err);

void gamma_models_clear(struct gamma_models *models);

/* As a set (parameters.h): a struct gamma_models. */
extern const struct parameter_set gamma_set;
