/* SPDX-License-Identifier: BSD-3-Clause */
/* predictions.h - predictions.csv: every model's prediction of every timed point, held out or not.
 */
#pragma once

#include "analysis/models/model.h"
#include "analysis/models/parameters.h"

/* A row of the file: a model's prediction of one point. */
struct predicted {
    const struct model *model;
    struct point point;
    double measured_s; /* NaN where it was not measured */
    struct prediction prediction;
};

extern const struct schema predictions_schema;

/* The same in memory, where there may be millions. */
struct model_said {
    const struct model *model;
    const struct measured *of; /* borrowed from the points */
    struct prediction prediction;
};

struct predictions {
    struct model_said *row; /* by model, then in the points' order */
    size_t n;
};

/* Predicts all points whose experiment is `time`; points of one schedule are walked together, on
 * all processors. */
void predictions_make(const struct points *points, const struct parameters *p,
                      struct predictions *out);

/* Writes DIR/predictions.csv; reads it back. points: those of DIR/points.csv; a prediction of
 * another one is an error. */
int predictions_write(const char *dir, const char *backend, const struct predictions *p,
                      struct err *err);
int predictions_read(const char *dir, const struct points *points, struct predictions *p,
                     struct err *err);

void predictions_clear(struct predictions *p);
