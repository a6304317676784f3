/* SPDX-License-Identifier: BSD-3-Clause */
/* loggp_fit.h - the parameters of the LogGP walk (walk/loggp.h): three functions of the message
 * size for a platform, and two scales per algorithm. It uses only the measurements of
 * the other models and of the algorithms themselves at the process count of their fits.
 *
 * PLATFORM. latency(m): ping-pong. send(m): cost of one more child in a linear broadcast; at the
 * segment from its times among q ranks (those of gamma), at the other sizes from its time T(P, m)
 * at the fits' process count: (T - latency(m)) / (P - 2). receive(m): the interval of a relay,
 * which receives and sends each segment, is the slope of the pipeline's time in the number of
 * segments; less send(m) this is receive at the segment. At other sizes the difference of the two
 * is taken to be the same: both copy the bytes. Where there is no pipeline, receive = send.
 *
 * In a study of reductions, which times no linear broadcast of other sizes, receive(m) is from the
 * linear reduction in the same way, with combining in it, and send(m) differs from it as at the
 * segment.
 *
 * The rate of a node's port is from the largest linear broadcasts: the slope of send(m) between the
 * two largest sizes.
 *
 * SCALES. As in the papers' idea of parameters per algorithm: for experiment i at the fits' process
 * count, T_i = s_latency * L_i + s_gap * G_i (+ what a port
 * takes, unscaled), where L_i and G_i are the sums along the walk's
 * critical path; Huber regression of relative errors (rows divided by T_i), renewed until the path
 * stays. If the interval of a scale reaches 0, the algorithm's times do not depend
 * on it. It is then set to 1, the platform's value, and the other scale is fitted
 * alone (status scale_unidentified); if that interval reaches 0, too, both are 1.
 *
 * Experiments in which the library ran something else are left out, as in hockney.h.
 * Files: fit/loggp.csv, fit/loggp_platform.csv. Owns its rows. */
#ifndef ANALYSIS_MODELS_LOGGP_LOGGP_FIT_H
#define ANALYSIS_MODELS_LOGGP_LOGGP_FIT_H

#include "analysis/models/gamma/gamma_fit.h"
#include "analysis/measure/points.h"
#include "analysis/measure/regress.h"
#include "analysis/models/loggp/loggp_platform.h"

struct parameter_set;

/* A row of loggp.csv; NaN where the status says that there is none. */
struct loggp_fit {
    char mpi[NAME_SIZE], mapping[NAME_SIZE], collective[NAME_SIZE];
    struct candidate candidate;
    int procs; /* the most in any experiment */
    struct loggp_scale scale, stderr_of, low, high;
    double condition;
    double mean_error, worst_error; /* relative, over the experiments used */
    size_t n, excluded;
    enum fit_status status;
    char reason[REASON_SIZE];
};

enum loggp_cost_kind { LOGGP_LATENCY, LOGGP_SEND, LOGGP_RECEIVE, N_LOGGP_COSTS };

/* A row of loggp_platform.csv: a point of one of a platform's curves. */
struct loggp_cost {
    char mpi[NAME_SIZE], mapping[NAME_SIZE];
    enum loggp_cost_kind cost;
    uint64_t bytes;
    double seconds;
};

extern const char *const loggp_cost_words[]; /* "latency", "send", "receive"; ended by NULL */
extern const struct schema loggp_schema, loggp_cost_schema;

struct loggp_fits {
    struct loggp_platform *platform;
    size_t n_platforms;
    struct loggp_fit *fit;
    size_t n;
};

/* Fits all platforms and algorithms of the study, with the seats of the facts (NULL: what
 * cells say). What cannot be fitted is a row with a
 * status. */
void loggp_fit(const struct points *points, const struct facts *facts,
               const struct gamma_models *gammas, double confidence, struct loggp_fits *fits);

/* 1 when the scales predict. */
int loggp_fit_usable(const struct loggp_fit *fit);

/* The costs of a library and mapping; the scales of an algorithm there. NULL: none. */
const struct loggp_platform *loggp_platform_find(const struct loggp_fits *fits, const char *mpi,
                                                 const char *mapping);
const struct loggp_fit *loggp_fit_find(const struct loggp_fits *fits, const struct cell *cell,
                                       const struct candidate *candidate);

/* Which ranks of a cell share a node. */
struct loggp_place loggp_place_of(const struct cell *cell);

/* Writes both files below DIR (docs/formats.md). 0, or -1 with *err. */
int loggp_fits_write(const char *dir, const struct loggp_fits *fits, struct err *err);

/* Frees what it holds. */
void loggp_fits_clear(struct loggp_fits *fits);

/* As a set (parameters.h): a struct loggp_fits. */
extern const struct parameter_set loggp_set;

#endif
