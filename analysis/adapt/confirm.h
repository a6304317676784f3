/* SPDX-License-Identifier: BSD-3-Clause */
/* confirm.h - which measurements are worth buying before `safe` decides (analysis/learn/safe.h).
 *
 * In a cell that was not measured `safe` stays with the library's default or overrides it, and may
 * be wrong either way. What a candidate gains over the default there is taken to be normal. Its
 * mean is that of the learners of times; its variance is theirs about that mean and, added, that of
 * their errors on cells kept from them; beyond the processes and sizes that were seen the standard
 * deviation is multiplied by one and the doublings from there. So the worth of measuring both is
 * what the wrong decision is expected to lose: E[max(gain, 0)] where the default stays, for the
 * candidate for which that is the most; E[max(-gain, 0)] where one overrides it.
 *
 * Cells are bought by their worth per core-second of measuring, whole: the default and the
 * candidate. The price is that of the fewest calls of the study in its first launches, each as long
 * as in the nearest measured cell, and its budget at most. */
#ifndef ANALYSIS_ADAPT_CONFIRM_H
#define ANALYSIS_ADAPT_CONFIRM_H

#include "analysis/learn/model_file.h"
#include "harness/study/plan.h"

enum confirm_role { CONFIRM_DEFAULT, CONFIRM_CANDIDATE };

/* One point to be measured; the numbers are of its cell. */
struct confirm_row {
    struct point point;
    enum confirm_role role;
    int overrides;      /* 1: `safe` takes the candidate as it is */
    double gain_pct;    /* by how much longer the default is expected to take */
    double chance;      /* that `safe` is wrong */
    double worth_pct;   /* what it is expected to lose by that, of the cell's time */
    double cost_core_s; /* of both points */
};

extern const struct schema confirm_schema;

struct confirm_question {
    const struct plan *plan; /* of the study: whose cells are asked about */
    const struct study *study;
    const struct facts *machine;           /* that it would be measured on */
    const struct training_cells *training; /* all that was measured, of the study itself, too; what
                                              is of this machine needs no confirmation */
    const char *model;                     /* file of `collsel train` to go by; NULL: training */
    size_t most;                           /* cells */
    double most_core_s;                    /* INFINITY: no matter */
};

struct confirmations {
    struct confirm_row *row; /* two of each cell, those first that are worth most for their price */
    size_t n;
    size_t asked;       /* cells that are not measured and can be decided */
    size_t undecidable; /* of which nothing was learnt, or whose default is not known */
    double core_s;
    double before_pct, after_pct; /* what `safe` is expected to lose in the mean over those asked */
};

/* Chooses. 0, or -1 with *err and nothing to clear. */
int confirm_choose(const struct confirm_question *question, struct confirmations *out,
                   struct err *err);

/* Writes DIR/confirm.csv; reads it (no file: nothing). 0, or -1 with *err. */
int confirm_write(const char *dir, const char *backend, const struct confirmations *c,
                  struct err *err);
int confirm_read(const char *dir, struct confirmations *out, struct err *err);

/* 1 when a point is to be measured. */
int confirm_has(const struct confirmations *c, const char *id);

/* Frees what it holds. */
void confirm_clear(struct confirmations *c);

#endif
