/* SPDX-License-Identifier: BSD-3-Clause */
/* explain.h - all that a study or data set knows of one cell: the rule that is made of it, what was
 * measured, what the models say, what the library's default does there and costs.
 *
 * Where the very cell was not measured, the times are those of the nearest one that was, and shown
 * says which. Nothing is written. Owns what it holds. */
#ifndef ANALYSIS_ADVISE_EXPLAIN_H
#define ANALYSIS_ADVISE_EXPLAIN_H

#include "analysis/advise/tuning.h"

/* Borrowed. */
struct explain_question {
    const char *collective;
    const char *mpi, *mapping; /* NULL: the first that there is */
    int procs, nodes;          /* nodes 0: as was measured */
    uint64_t bytes;
    const struct rules_reader *reader; /* whose rule is wanted; NULL: that of the library and the
                                          release that were measured */
    double margin_pct;                 /* of the rule, as of `collsel export` */
};

/* A candidate with a time, or why it has none. */
struct explain_candidate {
    struct measured point;
    struct loss_interval loss; /* over the fastest of the cell; loss.tied STAT_NA: not known */
    int stands_for_default;    /* it is what the library does where nothing is set */
};

/* What a model says of the cell that was asked about. */
struct explain_model {
    const struct model *model;
    struct candidate least; /* which it would take */
    double least_s;         /* NaN: it says nothing of any candidate */
    double taken_s;         /* what it says of the one that is taken; NaN: nothing */
    double least_measured_s, taken_measured_s; /* as measured in this very cell; NaN: not */
};

struct explanation {
    struct advice_table advice; /* one row: what to take, and why */
    struct facts facts;
    struct cell cell, shown; /* that was asked about; whose times are shown */
    int is_measured;         /* 1: these are the same */
    struct cell *around;     /* measured cells, the nearest first; where is_measured is 0 */
    size_t n_around;

    struct explain_candidate *candidate; /* of the shown cell: the fastest first, then those
                                            without a time */
    size_t n, timed;
    const struct explain_candidate *by_default; /* NULL: not measured there */
    struct candidate default_runs; /* what the default does in the cell that was asked about;
                                      algorithm "": nobody knows */
    char default_known[2 *
                       NAME_SIZE]; /* by what that is known: "Open MPI 4.1's published decision" */

    struct explain_model *model;
    size_t n_models;
    char no_models[512]; /* why there are none; "" */

    const struct rules_reader *reader; /* NULL: no rule, and why */
    char no_rule[512];
    /* what the library does with the file that is exported, loaded as its head says: without
     * component han where that would take the call */
    struct rules_answer rule;
    char other_default[NAME_SIZE]; /* "": the default that was beaten is that of a release that
                                      reads the rule; else whose it is */
    int has_verdict;               /* 1: the cell is one of the file's own grid */
    struct tuning_cell verdict;
};

/* From the directory of a study or data set that was fitted. 0, or -1 with *err and nothing to
 * clear. */
int explain_make(const char *dir, const struct explain_question *question, struct explanation *out,
                 struct err *err);

/* In a sentence, what a tuning's verdict of a cell means. */
const char *explain_verdict_text(const struct tuning_cell *cell);

/* Frees what it holds. */
void explain_clear(struct explanation *e);

#endif
