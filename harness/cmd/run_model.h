/* SPDX-License-Identifier: BSD-3-Clause */
/* run_model.h - a trained model as a table of libcollsel, made before the application starts: the
 * preloaded library, of MPI and the C library alone, asks no model. */
#ifndef HARNESS_CMD_RUN_MODEL_H
#define HARNESS_CMD_RUN_MODEL_H

#include "harness/base/err.h"

/* Writes PATH whole: of every collective that the model knows its choice, and behind it the three
 * likeliest. 0, or -1 with *err. */
int run_model_table(const char *model, const char *path, struct err *err);

#endif
