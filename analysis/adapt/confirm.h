/* SPDX-License-Identifier: BSD-3-Clause */
/* confirm.h - which measurements are worth buying before `safe` decides (analysis/learn/safe.h).
 *
 * In a cell without measurements `safe` keeps the library's default or overrides it. Either
 * decision may be wrong. The gain of a candidate over the default is modelled as normal. Its
 * mean is the mean of the learners' predictions. Its variance is the sum of the learners'
 * variance about that mean and the variance of their errors on validation cells. Outside the
 * measured range the standard deviation is multiplied by 1 + the doublings beyond it.
 * Measuring a cell is worth the expected loss of a wrong decision: the largest E[max(gain, 0)]
 * of all candidates where the default stays, E[max(-gain, 0)] where a candidate overrides it.
 *
 * Cells are taken by worth per core-second. A cell costs two points: the default and
 * the candidate. A point costs the study's least calls in its first launches, at most
 * its budget. A call is assumed to take as long as in the nearest measured cell. */
#pragma once

#include "analysis/learn/model_file.h"
#include "harness/study/plan.h"

enum confirm_role { CONFIRM_DEFAULT, CONFIRM_CANDIDATE };

/* One point to be measured; the numbers are of its cell. */
struct confirm_row {
    struct point point;
    enum confirm_role role;
    int overrides;      /* 1: `safe` takes the candidate as it is */
    double gain_pct;    /* by how much longer the default is expected to take */
    double chance;      /* probability that `safe` is wrong */
    double worth_pct;   /* expected loss of a wrong decision, % of the cell's time */
    double cost_core_s; /* of both points */
};

extern const struct schema confirm_schema;

struct confirm_question {
    const struct plan *plan; /* plan of the study whose cells are considered */
    const struct study *study;
    const struct facts *machine;           /* machine on which the study runs */
    const struct training_cells *training; /* all measurements, the study's too; cells
                                              of this machine need no confirmation */
    const char *model;                     /* model file that predicts; NULL: train a model */
    size_t most;                           /* cells */
    double most_core_s;                    /* limit; INFINITY: none */
};

struct confirmations {
    struct confirm_row *row; /* two per cell, largest worth per cost first */
    size_t n;
    size_t asked;       /* unmeasured cells for which there is a prediction */
    size_t undecidable; /* unmeasured cells without training data or known default */
    double core_s;
    double before_pct, after_pct; /* mean expected loss of `safe` over these cells */
};

/* Chooses. 0, or -1 with *err and nothing to clear. */
int confirm_choose(const struct confirm_question *question, struct confirmations *out,
                   struct err *err);

/* Reads DIR/confirm.csv; a file that is not there has nothing. 0, or -1 with *err. */
int confirm_read(const char *dir, struct confirmations *out, struct err *err);

/* 1 when a point is to be measured. */
int confirm_has(const struct confirmations *c, const char *id);

/* Frees what it holds. */
void confirm_clear(struct confirmations *c);
