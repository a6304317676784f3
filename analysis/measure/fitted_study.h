/* SPDX-License-Identifier: BSD-3-Clause */
/* fitted_study.h - a study or data set that `collsel fit` has read: what every later stage begins
 * with. It is opened once, and handed on. */
#pragma once

#include "analysis/measure/points.h"

struct fitted_study {
    const char *dir; /* borrowed */
    struct facts facts;
    struct points points; /* points.csv, plain cells; owned: points_clear */
};

/* Reads DIR. rule: decision function that stands for the default of a simulation (selector.h);
 * NULL: the study's. doubted: as of points_read. 0, or -1 with *err (also where `collsel fit` never
 * ran) and nothing to clear.
 */
int fitted_study_read(const char *dir, const char *rule, int doubted, struct fitted_study *out,
                      struct err *err);

/* 0 when `collsel fit` has written DIR/NAME; -1 with *err. */
int fitted_study_has(const char *dir, const char *name, struct err *err);
