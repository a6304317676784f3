/* SPDX-License-Identifier: BSD-3-Clause */
/* select.h - selection.csv: what every selector chooses in every cell, and what it loses.
 *
 * degradation = 100 (T_chosen - T_best) / T_best percent; best is the fastest of the pool that was
 * measured: the study's candidates and the library's unforced default (selector.h). Its interval is
 * over the launches that measured both, each of which gives one loss, so that what the two share in
 * a launch cancels, by the rule of a point's time (harness/base/launch_stats.h); tied: the chosen
 * is not significantly slower, that is, the interval reaches zero or below. With one launch neither
 * is known, and the reason says so. A deterministic simulation has no interval, and is tied within
 * tie_pct. Imported times have an interval, from
 * the mean and the spread of their runs, where both points have three runs or more; else the reason
 * says that there is none. A cell that cannot be decided is
 * a row with a status and a reason. */
#ifndef ANALYSIS_JUDGE_SELECT_H
#define ANALYSIS_JUDGE_SELECT_H

#include "analysis/judge/loss.h"
#include "analysis/judge/selectors/selector.h"
#include "analysis/measure/holdout_cells.h"
#include "harness/study/store.h"

enum select_status {
    SELECT_OK,
    SELECT_NO_CHOICE,    /* the selector could not choose */
    SELECT_NOT_MEASURED, /* what it chose has no time */
    SELECT_NO_BEST,      /* nothing to compare with */
    SELECT_ALONE,        /* it knows of one candidate only, and took that: no choice */
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
    double chosen_s, predicted_s;
    struct candidate best;
    double best_s;
    double degradation_pct, ci_low_pct, ci_high_pct;
    double counted_pct; /* what the loss counts as (loss_counted) */
    int tied;           /* 1, 0; STAT_NA when the status is not ok, or one launch cannot tell */
    int substituted;    /* the chosen or the best is a point at which something else ran */
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

/* By whose times choices are judged: those that the selectors see, or those of the same cells
 * elsewhere, of another day for instance. */
struct judge {
    const struct facts *facts;
    const struct store *store;     /* of our own launches, for intervals; NULL: there are none */
    const struct measured **point; /* by id; NULL: the points that the selectors see */
    size_t n;
};

/* points: NULL for those that the selectors see, else they must outlive the judge. */
void judge_init(struct judge *judge, const struct points *points, const struct facts *facts,
                const struct store *store);

/* Frees what it holds. */
void judge_clear(struct judge *judge);

/* What one point loses against another of the same cell, by the rules above. Both have times. 0, or
 * -1 with *err: their samples cannot be read. */
int judge_loss(const struct judge *judge, const struct measured *chosen,
               const struct measured *best, struct loss_interval *loss, struct err *err);

/* Runs all selectors on all cells, each judged by the times that it sees. store may be NULL for a
 * deterministic study. predictions: of these points. */
int selection_make(const struct points *points, const struct predictions *predictions,
                   const struct facts *facts, const struct store *store,
                   struct selection_table *table, struct err *err);

/* What is selected in, by whom, judged by whose times. Borrowed. */
struct selecting {
    const struct points *points;           /* the cells, and what selectors see of them */
    const struct predictions *predictions; /* of these points */
    const struct facts *facts;
    const struct judge *judge;
    const struct training_cells *training; /* what the best single candidate is found from; NULL:
                                              the points themselves */
    const struct selector *more;           /* beside those of selectors_all */
    size_t n_more;
};

/* The same, judged by whoever. */
int selection_judged(const struct selecting *of, struct selection_table *table, struct err *err);

/* Writes DIR/selection.csv. selection_write_as: `backend` in its last column, not what
 * DIR/manifest.json says. */
int selection_write(const char *dir, const struct selection_table *table, struct err *err);
int selection_write_as(const char *dir, const char *backend, const struct selection_table *table,
                       struct err *err);

/* Frees what it holds. */
void selection_clear(struct selection_table *table);

#endif
