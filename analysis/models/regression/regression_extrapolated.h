/* SPDX-License-Identifier: BSD-3-Clause */
/* regression_extrapolated.h - extrapolates the regression beyond the measured nodes
 * ("regression_carried").
 *
 * A regression over P has no coefficient for a socket or node that
 * none of its points used. There a model with message parameters
 * only (ping-pongs, fan-outs) gives the cost of the crossing:
 *
 *   T(P) = f M(P),   f = sqrt(median of measured / M, of fitted points with P > 3/4 the largest)
 *
 * M is the model. f, per candidate and size, corrects half of M's error (in the logarithm)
 * at the end of the measured range: an error within a node need not persist beyond it. For
 * means over ranks f has no root and corrects all of it, since M predicts the slowest
 * rank. With a coefficient for every socket and node of a cell, T is the regression.
 * Alternatives with their errors: docs/notebook/2026-11-22-beyond-nodes.md.
 *
 * Beyond the measured range a library's default may run another algorithm
 * (published_default.h). If some fitted points ran another algorithm than the cell, the
 * extrapolation is for the algorithm of the cell: with its own f if it was measured by
 * name, else with f from the points of the default that ran it, else with f = 1.
 *
 * M is the first model with model.carries that predicts every point of the group.
 * It uses the fitted times and M's parameters only. File: fit/carried.csv. */
#pragma once

#include "analysis/models/model.h"
#include "analysis/models/parameters.h"
#include "analysis/models/predictions.h"
#include "analysis/models/regression/regression.h"

struct extrapolated {
    struct point_groups groups; /* of all points */
    const struct model **base;  /* of each group; NULL: none predicts all of it */
    double *model_s;            /* M of each of groups.row */
};

/* Builds it from points and their predictions, in the points' order (predictions_make). The
 * points must outlive it. */
void extrapolated_make(const struct points *points, const struct predictions *predictions,
                       struct extrapolated *carried);

/* Writes DIR/fit/carried.csv: every point of the groups at which the regressions are carried. */
int extrapolated_write(const char *dir, const struct point_groups *groups,
                       const struct parameters *p, struct err *err);

/* Frees what it holds. */
void extrapolated_clear(struct extrapolated *carried);

/* As a set (parameters.h): a struct extrapolated. base is NULL where
 * nothing is extrapolated: on the alternate P, and in sample when no
 * point uses a socket or node that the regressions have not seen. */
extern const struct parameter_set extrapolated_set;

/* A row of carried.csv. */
struct extrapolated_row {
    struct cell cell;
    struct candidate candidate;
    char runs[NAME_SIZE], base[NAME_SIZE];
    double measured_s, regression_s, model_s, factor, carried_s;
};

extern const struct schema extrapolated_schema;

/* The parts of T(P). */
struct extrapolated_time {
    double seconds;           /* T */
    double regression_s;      /* the regression without the model */
    double model_s, factor;   /* M, f; NaN where T is the regression */
    char runs[NAME_SIZE];     /* the algorithm that M and f are of */
    const struct model *base; /* NULL: T is the regression */
};

/* Predicts a cell by the regressions and their extrapolation. Returns a prediction's status. */
enum predict_status extrapolated_predict(const struct parameters *p, const struct cell *cell,
                                         const struct candidate *candidate,
                                         struct extrapolated_time *time);

/* The regression that is extrapolated, and the extrapolated model. */
struct model;
extern const struct model *const extrapolated_from, *const extrapolated_model;
