/* SPDX-License-Identifier: BSD-3-Clause */
/* regression_extrapolated.h - the regression carried beyond the nodes that were measured
 * ("regression_carried").
 *
 * A regression over P has no coefficient for a socket or node that none of its points used. There a
 * model whose parameters come from messages alone (ping-pongs, fan-outs) says what the crossing
 * costs:
 *
 *   T(P) = f M(P),   f = sqrt(median of measured / M, of fitted points with P > 3/4 the largest)
 *
 * M is the model; f, of this candidate and size, takes off half (of the logarithm) of what M is
 * wrong by where measuring ended: what it is wrong by within a node need not be so beyond. Of means
 * over ranks it takes off all, without the root, since M is of the slowest rank. Where
 * the regression has a coefficient for every socket and node that a cell uses, T is the regression.
 * Other ways that were tried, with their errors, and what this one was chosen by: docs/notebook.md.
 *
 * A library's default may be another algorithm beyond than it was within (published_default.h).
 * Where not all that was fitted to ran what the cell runs, it is carried as that algorithm, with
 * the f that it has under its own name; where it was not measured by name, with the f of those
 * points of the default that ran it, and where there are none with f = 1.
 *
 * M is the first model that predicts every point of the group, of those that carry (model.carries).
 * Nothing but times that were fitted to and M's own parameters enter. File: fit/carried.csv. */
#ifndef ANALYSIS_MODELS_REGRESSION_REGRESSION_EXTRAPOLATED_H
#define ANALYSIS_MODELS_REGRESSION_REGRESSION_EXTRAPOLATED_H

#include "analysis/models/model.h"
#include "analysis/models/parameters.h"
#include "analysis/models/predictions.h"
#include "analysis/models/regression/regression.h"

struct extrapolated {
    struct point_groups groups; /* of all points */
    const struct model **base;  /* of each group; NULL: none predicts all of it */
    double *model_s;            /* M of each of groups.row */
};

/* Makes it of points and what the models say of them, in the points' order (predictions_make). The
 * points must outlive it. */
void extrapolated_make(const struct points *points, const struct predictions *predictions,
                       struct extrapolated *carried);

/* Writes DIR/fit/carried.csv: every point of the groups at which the regressions are carried. */
int extrapolated_write(const char *dir, const struct point_groups *groups,
                       const struct parameters *p, struct err *err);

/* Frees what it holds. */
void extrapolated_clear(struct extrapolated *carried);

/* As a set (parameters.h): a struct extrapolated, with base NULL where nothing is to be carried: on
 * the alternate P, and in sample where no point is on a socket or node that the regressions have
 * not seen. */
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
    double regression_s;      /* the regression gone on alone */
    double model_s, factor;   /* M, f; NaN where T is the regression */
    char runs[NAME_SIZE];     /* the algorithm that M and f are of */
    const struct model *base; /* NULL: T is the regression */
};

/* What the regressions and what carries them say of a cell. Returns a prediction's status. */
enum predict_status extrapolated_predict(const struct parameters *p, const struct cell *cell,
                                         const struct candidate *candidate,
                                         struct extrapolated_time *time);

/* The regression that is carried, and the same carried. */
struct model;
extern const struct model *const extrapolated_from, *const extrapolated_model;

#endif
