/* SPDX-License-Identifier: BSD-3-Clause */
/* verify_print.h - output of collsel rules verify for a trial, as text or as one JSON object. */
#pragma once

#include "analysis/verify/verify.h"
#include "harness/cmd/verify_trial.h"

/* Numbers of launches of cells with a rule that ran the file's algorithm, or another one. */
struct verify_proof {
    int proved, other;
};
struct verify_proof verify_proof_of(const struct verify *verify);

/* How many rules stay. */
size_t verify_left(const struct verify *verify);

/* The cells, and whether the file was loaded. */
void verify_print_rows(const struct verify *verify, const struct verify_trial *t);

/* How many rules stay; of a whole file what it gains, and where it loses. */
void verify_print_verdicts(const struct verify *verify);

/* The number of choices dropped because the default runs the same. */
void verify_print_same(const struct verify_trial *t);

/* All of it. 0, or -1 with *err. */
int verify_print_json(const struct verify_trial *t, const struct verify *tried,
                      const struct verify *whole, const char *output, struct err *err);

/* Lines for the head of the file: the measurements, the expected
 * gains, and rules that gain by one view and lose by the other. */
enum { VERIFY_MOST_LINES = 16 };

struct verify_lines {
    char *line[VERIFY_MOST_LINES + 1]; /* owned; ends with NULL */
    size_t n;
};

void verify_lines_make(const struct verify *tried, const struct verify *whole,
                       const struct verify_trial *t, struct verify_lines *out);
void verify_lines_clear(struct verify_lines *lines);
