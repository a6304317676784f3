/* SPDX-License-Identifier: BSD-3-Clause */
/* predict.h - the three files of collsel ask predict: predict.c parses and drives, predict_parts.c
 * prints the stage walk and the formulas, predict_answer.c the predictions of all models. */
#pragma once

#include "analysis/judge/cell_query.h"
#include "analysis/measure/study_facts.h"
#include "analysis/walk/gamma.h"
#include "harness/cmd/options.h"

enum { MAX_GAMMA = 64 };

/* A gamma of the command line. */
struct given_gamma {
    int procs[MAX_GAMMA];
    double value[MAX_GAMMA];
    struct gamma gamma; /* over the arrays above */
    int given;
};

/* The command line. */
struct input {
    struct options options;
    struct cell_query asked;
    const char *fit;
    int bytes_given, json;
    double alpha, beta; /* NaN: from a fit */
    double combine;     /* s/byte, of a reduction; NaN: not given */
    struct given_gamma sends, receives;
};

/* Reads the facts of the manifest in DIR; empty without a manifest. 0, or -1 with *err. */
int predict_facts(const char *dir, struct facts *facts, struct err *err);

/* The stage walk, its closed form and the textbook formula with the parameters of the command line;
 * with those fitted in DIR. among_models: the times of all models are printed below, and where no
 * parameters fit nothing is. 0, or -1 with *err. */
int predict_given(const struct input *in, struct err *err);
int predict_parts(const struct input *in, const char *dir, int among_models, struct err *err);

/* Prints the measured time and each model's prediction, a line each. Returns lines with a time. */
int predict_print(const struct answer *a, const char *dir);

/* The same as JSON, of every candidate: how many of them have a time, of whichever kind; or -1 with
 * *err. */
int predict_print_json(const struct answer *a, const char *dir, struct err *err);
