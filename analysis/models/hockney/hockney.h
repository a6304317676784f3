/* SPDX-License-Identifier: BSD-3-Clause */
/* hockney.h - alpha and beta: per algorithm (Nuriyev & Lastovetsky, section 4.2) and from
 * ping-pong.
 *
 * STAGE. The experiments, their equations alpha + beta x_i = y_i and what solves them:
 * docs/analysis.md. In a reduction the other ranks finish before the root, so that their gather
 * blocks would travel during the reduction and the two times would not add up: there the root
 * starts the gather by empty messages. Several receives of a stage, and the gather's P - 1, then
 * count as measured, if they were (gamma_fit.h). beta includes the time to combine a byte, as each
 * incoming byte is combined once (except in the gather of Rabenseifner's algorithm).
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
 * Coefficients are reported raw, without constraint.
 *
 * TEXTBOOK. Ping-pong of m bytes: T = alpha + m beta, the same regression.
 *
 * Experiments in which the library ran something else are left out and say so in residuals.csv.
 * Files: fit/hockney.csv, fit/residuals.csv. Owns its rows. */
#pragma once

#include "analysis/models/gamma/gamma_fit.h"

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

/* Writes both files below DIR. */
int hockneys_write(const char *dir, const char *backend, const struct hockneys *fits,
                   struct err *err);

void hockneys_clear(struct hockneys *fits);

/* As a set (parameters.h): a struct hockneys. */
extern const struct parameter_set hockney_set;

/* The model whose alpha and beta are ping-pong's. */
struct model;
extern const struct model *const hockney_pingpong_model;
