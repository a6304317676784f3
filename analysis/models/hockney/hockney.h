/* SPDX-License-Identifier: BSD-3-Clause */
/* hockney.h - alpha and beta: per algorithm (Nuriyev & Lastovetsky, section 4.2) and from
 * ping-pong.
 *
 * STAGE. Experiment i times, on the root, a broadcast (or another collective) of m_i bytes by
 * the algorithm and then a linear gather without synchronisation of g_i bytes from each of P - 1
 * ranks (eq. 7, 8): T_i = A_i alpha + B_i beta + (P - 1)(alpha + g_i beta). In a reduction the
 * other ranks finish before the root. Their gather blocks would travel during the reduction and
 * the two times would not add up. There the root starts the gather by empty messages, a linear
 * broadcast of gamma(P) alpha: T_i = A_i alpha + B_i beta + gamma(P) alpha + (P - 1)(alpha + g_i
 * beta). A_i and B_i are the stage walk's coefficients of the algorithm's schedule. In a
 * reduction several receives of a stage, and the gather's P - 1, count as measured, if they were
 * (gamma_fit.h). beta includes the time to combine a byte, as each incoming byte is combined
 * once (except in the gather of Rabenseifner's algorithm). Divided by the factor of alpha this
 * is alpha + beta x_i = y_i, solved by Huber regression and by least squares. If the
 * coefficients depend on alpha and beta (unequal segments), they are renewed until none changes.
 *
 * WEIGHTS. Timings are repeated until their interval is a fixed share of their mean, so the error
 * of y_i is in proportion to y_i: each equation weighs 1 / y_i^2, and all sizes count alike, as
 * they do in degradation, which is relative too.
 *
 * IDENTIFIABILITY. Only the spread of x_i separates alpha from beta. In a segmented algorithm
 * without the gather every x_i is the segment size, so the ratio is unknown; the gather's g_i and
 * its weight (P - 1) / (A_i + P - 1) provide all the spread there is. `condition` is the condition
 * number of the scaled, weighted system: relative errors of the timings may come back in alpha and
 * beta enlarged by up to this factor (the prediction, a combination of both, suffers less).
 * Coefficients are reported raw, without constraint; an interval of alpha or beta that reaches zero
 * or below says alpha_unidentified or beta_unidentified, and the fit still predicts within its
 * range. Where all of beta's interval is below zero (beta_negative) nothing is predicted by it.
 *
 * TEXTBOOK. Ping-pong of m bytes: T = alpha + m beta, the same regression.
 *
 * Experiments in which the library ran something else are left out and say so in residuals.csv.
 * Files: fit/hockney.csv, fit/residuals.csv. Owns its rows. */
#pragma once

#include "analysis/models/gamma/gamma_fit.h"
#include "analysis/measure/points.h"
#include "analysis/measure/regress.h"

struct parameter_set;

/* A row of hockney.csv. Seconds, seconds per byte; NaN where the status says that there is none. */
struct hockney {
    char collective[NAME_SIZE]; /* "" for ping-pong: the platform's */
    char mpi[NAME_SIZE], mapping[NAME_SIZE];
    char model[NAME_SIZE];      /* stage, textbook */
    struct candidate candidate; /* textbook: algorithm "pingpong" */
    int procs;                  /* the most in any equation */
    double alpha, beta, alpha_stderr, beta_stderr;
    double alpha_low, alpha_high, beta_low, beta_high; /* 95 % */
    double ls_alpha, ls_beta;                          /* least squares, same weights */
    double condition, r2;
    size_t n, excluded;
    enum fit_status status;
    char reason[REASON_SIZE];
};

/* A row of residuals.csv: one experiment in one fit. */
struct equation {
    size_t fit; /* index of its fit */
    struct point point;
    double a, b; /* T = a alpha + b beta, the gather included */
    double x, y, fitted, weight;
    int used;
    char reason[REASON_SIZE];
};

/* A row of residuals.csv: the same as the file has it; an equation with T / a and its fit. */
struct residual_row {
    struct hockney fit;
    struct equation of;
    double residual;
};

extern const struct schema hockney_schema, residual_schema;

struct hockneys {
    struct hockney *fit;
    size_t n;
    struct equation *equation; /* those of a fit stand together */
    size_t n_equations;
};

/* Fits both models to all experiments of the study. facts: of the seats, NULL: the cells'. What
 * cannot be fitted is a row with a status. */
void hockney_fit(const struct points *points, const struct facts *facts,
                 const struct gamma_models *gammas, double confidence, struct hockneys *fits);

/* 1 when alpha and beta hold numbers that predict. */
int hockney_usable(const struct hockney *fit);

/* The fit of the stage model for a candidate of a collective, or NULL. */
const struct hockney *hockney_find(const struct hockneys *fits, const char *collective,
                                   const char *mpi, const char *mapping,
                                   const struct candidate *candidate);

/* That of ping-pong, for the textbook model, or NULL. */
const struct hockney *hockney_pingpong(const struct hockneys *fits, const char *mpi,
                                       const char *mapping);

/* Writes both files below DIR; reads hockney.csv back (without equations). */
int hockneys_write(const char *dir, const struct hockneys *fits, struct err *err);
int hockneys_read(const char *dir, struct hockneys *fits, struct err *err);

void hockneys_clear(struct hockneys *fits);

/* As a set (parameters.h): a struct hockneys. */
extern const struct parameter_set hockney_set;

/* The model whose alpha and beta are ping-pong's. */
struct model;
extern const struct model *const hockney_pingpong_model;
