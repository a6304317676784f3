/* SPDX-License-Identifier: BSD-3-Clause */
/* gamma_fit.h - gamma(P) of a platform from its experiments (Nuriyev & Lastovetsky, section 4.1).
 *
 * A gamma experiment times, on the root, N linear non-blocking broadcasts of one segment separated
 * by barriers, per call: T2(P). The barrier's own mean, measured by the barrier experiment of the
 * same processes, is subtracted (the paper does not say that it does; the value without is kept
 * beside): gamma(P) = (T2(P) - b(P)) / (T2(2) - b(2)). One model per MPI library and mapping.
 * Files: fit/gamma.csv, fit/gamma_linear.csv. Owns its rows. */
#ifndef ANALYSIS_GAMMA_FIT_H
#define ANALYSIS_GAMMA_FIT_H

#include "analysis/gamma.h"
#include "analysis/points.h"
#include "analysis/regress.h"

struct gamma_point {
    int procs;
    double value;     /* NaN unless status is ok or no_barrier */
    double stderr_of; /* by propagation from the means' standard errors; NaN in a simulation */
    double linear;    /* of the linear fit */
    double time_s, barrier_s;
    double with_barrier;
    char status[16]; /* ok; no_barrier: nothing to subtract; below_barrier: nothing left; else the
                        point's own status */
};

struct gamma_model {
    char mpi[NAME_SIZE], mapping[NAME_SIZE];
    struct gamma gamma; /* the usable points and the line, for gamma_value */
    struct gamma_point *point;
    size_t n;
    double intercept_stderr, slope_stderr, r2;
    size_t n_linear;
    enum fit_status status; /* of the line */
};

struct gamma_models {
    struct gamma_model *model;
    size_t n;
};

/* Fits a model to the gamma points of every library and mapping. A platform without any is no
 * error; its models are absent. Returns 0, or -1 when out of memory. */
int gamma_fit(const struct points *points, struct gamma_models *models, struct err *err);

/* The model of a library and mapping, or NULL. One without usable values has status too_few_points
 * and gamma.n = 0. */
const struct gamma_model *gamma_models_find(const struct gamma_models *models, const char *mpi,
                                            const char *mapping);

/* 1 when gamma_value of it means something: two discrete values or a line. */
int gamma_model_usable(const struct gamma_model *model);

/* Writes both files below DIR, and reads them back. */
int gamma_models_write(const char *dir, const struct gamma_models *models, struct err *err);
int gamma_models_read(const char *dir, struct gamma_models *models, struct err *err);

/* Frees what it holds. */
void gamma_models_clear(struct gamma_models *models);

#endif
