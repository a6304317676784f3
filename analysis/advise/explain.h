/* SPDX-License-Identifier: BSD-3-Clause */
/* explain.h - report on one cell of a study or data set: its rule, its measured times, the
 * models' predictions, the library's default and what the default costs.
 *
 * Where this cell was not measured, the times are those of the nearest measured cell; shown
 * names it. Nothing is written. Owns what it holds. */
#pragma once

#include "analysis/advise/tuning.h"

/* Borrowed. */
struct explain_question {
    const char *collective;
    const char *mpi, *mapping; /* NULL: the first that there is */
    int procs, nodes;          /* nodes 0: as was measured */
    uint64_t bytes;
    const struct rules_reader *reader; /* reader of the rule; NULL: that of the measured library
                                          and release */
    int doubted;                       /* 1: doubted times count (points.h) */
    double margin_pct;                 /* least gain of a rule, as in `collsel rules write` */
    const struct model_first *first;   /* as of an advice_question */
};

/* A candidate with a time, or why it has none. */
struct explain_candidate {
    struct measured point;
    struct loss_interval loss; /* over the fastest of the cell; loss.tied STAT_NA: not known */
    int stands_for_default;    /* it is what the library runs by default */
};

/* Prediction of a model for the cell. */
struct explain_model {
    const struct model *model;
    enum standing standing;                    /* its trust in this cell (answer_standing) */
    enum predict_status why;                   /* where no candidate has one: answer_why_none */
    struct candidate least;                    /* candidate with the least predicted time */
    double least_s;                            /* NaN: no candidate has a prediction */
    double taken_s;                            /* predicted time of the advice; NaN: none */
    double least_measured_s, taken_measured_s; /* measured in this cell; NaN: not measured */
};

struct explanation {
    struct advice_table advice; /* one row: what to take, and why */
    struct facts facts;
    struct cell cell, shown; /* cell of the query; cell whose times are shown */
    int is_measured;         /* 1: these are the same */
    struct cell *around;     /* measured cells, the nearest first; where is_measured is 0 */
    size_t n_around;

    struct explain_candidate *candidate; /* of the shown cell: the fastest first, then those
                                            without a time */
    size_t n, timed;
    const struct explain_candidate *by_default; /* NULL: not measured there */
    struct candidate default_runs;              /* what the default runs in the cell of the query;
                                                   algorithm "": not known */
    char default_known[2 * NAME_SIZE]; /* source of that: "Open MPI 4.1's published decision" */

    struct explain_model *model;
    size_t n_models;
    char no_models[512]; /* why there are none; "" */

    const struct rules_reader *reader; /* NULL: no rule, and why */
    char no_rule[512];
    /* what the library runs with the exported file, loaded as its header states: without
     * component han where han would serve the call */
    struct rules_answer rule;
    char other_default[NAME_SIZE]; /* "": the default compared is of a release
                                      that reads the rule; else its release */
    int has_verdict;               /* 1: the cell is one of the file's own grid */
    struct tuning_cell verdict;
};

/* From the directory of a study or data set that was fitted. 0, or -1 with *err and nothing to
 * clear. */
int explain_make(const char *dir, const struct explain_question *question, struct explanation *out,
                 struct err *err);

/* Explains a tuning's verdict on a cell in one sentence. */
const char *explain_verdict_text(const struct tuning_cell *cell);

void explain_clear(struct explanation *e);
