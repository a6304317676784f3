/* SPDX-License-Identifier: BSD-3-Clause */
/* trial.h - for collsel select --holdout: the losses of selectors on held-out cells. */
#pragma once

#include "analysis/heldout/pooled_learning.h"
#include "analysis/heldout/holdout_trial.h"

/* How it is printed. */
struct trial_print {
    int json;  /* as JSON, with the rows of the file */
    int quiet; /* without a report of written files */
};

/* Runs the trial and prints its table. 0, or -1 with *err. */
int trial_command(const struct holdout_trial *trial, const struct trial_print *print,
                  struct err *err);

/* The same for a file that walks, on all cells of a set (holdout_trial_model). */
int trial_model(const struct holdout_trial *trial, const char *model, const struct cluster *costs,
                const struct trial_print *print, struct err *err);

/* The same for learners on pooled sets; the table goes to holdout/NAME/ below the first set. */
int trial_joined(const struct joined_trial *trial, const struct trial_print *print,
                 struct err *err);
