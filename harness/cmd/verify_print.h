/* SPDX-License-Identifier: BSD-3-Clause */
/* verify_print.h - what collsel verify says of a trial, as text or as one JSON object. */
#ifndef HARNESS_CMD_VERIFY_PRINT_H
#define HARNESS_CMD_VERIFY_PRINT_H

#include "analysis/verify.h"
#include "harness/cmd/verify_trial.h"

/* In how many launches of a cell that ran which the file says, and something else. */
struct verify_proof {
    int proved, other;
};
struct verify_proof verify_proof_of(const struct verify *verify);

/* The cells, and whether the file was loaded. */
void verify_print_rows(const struct verify *verify);

/* How many rules stay. */
void verify_print_verdicts(const struct verify *verify);

/* The lines that load the file, and the one that rolls back. output: its path; NULL: printed. */
void verify_print_use(const struct verify_trial *t, const char *output);

/* All of it. 0, or -1 with *err. */
int verify_print_json(const struct verify_trial *t, const struct verify *verify, const char *output,
                      struct err *err);

#endif
