/* SPDX-License-Identifier: BSD-3-Clause */
/* select.h - selection.csv: the choice of every selector in every cell, and its loss.
 *
 * degradation = 100 (T_chosen - T_best) / T_best percent; best is the fastest measured candidate of
 * the pool: the study's candidates and the library's unforced default (selector.h). The interval is
 * over the launches that measured both. Each launch gives one loss, so effects common to a launch
 * cancel; the rule is that of a point's time (harness/base/launch_stats.h). tied: the chosen is not
 * significantly slower: the interval reaches zero or below. With one launch neither is known, and
 * the reason states so. A deterministic simulation has no interval; losses within tie_pct are ties.
 * Imported times have an interval, from the mean and the spread of their runs, where both points
 * have three runs or more; else the reason states that there is none. A cell that cannot be decided
 * is a row with a status and a reason. */
#pragma once

#include "analysis/judge/loss.h"
#include "analysis/judge/selectors/selector.h"

enum select_status {
    SELECT_OK,
    SELECT_NO_CHOICE,    /* the selector could not choose */
    SELECT_NOT_MEASURED, /* what it chose has no time */
    SELECT_NO_BEST,      /* nothing to compare with */
    SELECT_ALONE,        /* it has data on one candidate only and took it: no choice */
    N_SELECT_STATUS
};

/* "ok", "no_choice", "not_measured", "no_best", "alone". */
extern const char *const select_status_words[];

struct selection {
    const struct selector *selector; /* NULL in a row that was read from a file */
    char name[NAME_SIZE];            /* the selector's */
    enum purpose purpose;
    struct cell cell;
    struct candidate chosen; /* algorithm "" for an expectation or no choice */
    struct candidate given;  /* struct selected */
    double chosen_s, predicted_s;
    struct candidate best;
    double best_s;
    double degradation_pct, ci_low_pct, ci_high_pct;
    double counted_pct; /* the loss in means (loss_counted) */
    int tied;           /* 1, 0; STAT_NA when the status is not ok, or with one launch */
    int substituted;    /* the chosen or the best point ran another algorithm */
    int by_poor_fit;    /* no column: a reason, and a count in degradation.csv */
    enum select_status status;
    char reason[REASON_SIZE];
};

extern const struct schema selection_schema;

struct selection_table {
    struct selector *selector; /* all, which rows point into */
    size_t n_selectors;
    struct selection *row; /* by selector, then cell */
    size_t n;
};

/* The times that judge choices: those that the selectors see, or times
 * of the same cells from another study, for instance of another day. */
struct judge {
    const struct facts *facts;
    const struct store *store;     /* of our own launches, for intervals; NULL: there are none */
    const struct measured **point; /* by id; NULL: the points that the selectors see */
    size_t n;
    const struct measured *timed; /* of a replay: its points, and the times of their launches, */
    const double (*took)[MOST_REPEATS + 1]; /* in place of samples; NULL: none. Borrowed */
    struct store own;                       /* `store`, once it is open */
};

/* Opens the samples of DIR where intervals are over our own launches: a simulation has none, and of
 * what others measured there are no samples. points: NULL for those that the selectors see, else
 * they must outlive the judge, which may not be moved. 0, or -1 with *err and nothing to clear. */
int judge_open(struct judge *judge, const char *dir, const struct facts *facts,
               const struct points *points, struct err *err);

void judge_clear(struct judge *judge);

/* Loss of one point against another of the same cell, by the rules above. Both have times. 0, or
 * -1 with *err: their samples cannot be read. */
int judge_loss(const struct judge *judge, const struct measured *chosen,
               const struct measured *best, struct loss_interval *loss, struct err *err);

/* Input of a selection: cells, further selectors and judging times. Borrowed. */
struct selecting {
    const struct points *points;           /* the cells, and what selectors see of them */
    const struct predictions *predictions; /* of these points */
    const struct facts *facts;
    const struct judge *judge;
    const struct training_cells *training; /* training cells of the best single candidate; NULL:
                                              the points themselves */
    const struct selector *more;           /* beside those of selectors_all */
    size_t n_more;
};

/* Runs all selectors on all cells, judged by `of`. 0, or -1 with *err and nothing to clear. */
int selection_judged(const struct selecting *of, struct selection_table *table, struct err *err);

/* The row of a selector in a cell; NULL: none. */
const struct selection *selection_of(const struct selection_table *table, const char *selector,
                                     const struct cell *cell);

/* What the times of a cell decide: the default's row where it is tied with the best, else that of
 * the best; NULL: the cell has no times to decide by. */
const struct selection *selection_decides(const struct selection_table *table,
                                          const struct cell *cell);

void selection_clear(struct selection_table *table);
