/* SPDX-License-Identifier: BSD-3-Clause */
/* selector.h - anything that picks a candidate for a cell: a table of constant rows (a new one is
 * one file here and one line in selectors.c), and one selector per model, which takes the least
 * predicted time (a new model needs no code here).
 *
 * A selector sees one cell: the pool, and what each model predicts for its members. The pool is the
 * study's candidates there and, last, the library's default: every selector may leave the choice
 * to the library. The default is the point measured without forcing; in a simulation,
 * where no library runs, the point of its published decision. A selector returns one of the
 * measured points, or the mean over the pool, or the reason why it has no choice. */
#pragma once

#include "analysis/learn/model_choice.h"

/* The best single candidate: the one algorithm with its segment and fan-out
 * (the library's default is one, too) that, used in every cell of the study of a collective,
 * library and mapping, has the least mean loss. It is found from the times of these
 * cells, so it is judged in sample on them; held-out cells are not used. When cells
 * are held out (holdout_cells.h) it is found from the others. Owns its rows. */

/* A candidate in the cells of a collective, library and mapping. */
struct single {
    struct candidate candidate;
    size_t measured; /* number of cells in which it has a time */
    double sum_pct;  /* of what it loses in them */
};

/* A collective, library and mapping. */
struct single_context {
    struct cell cell; /* its first; the other fields do not count */
    size_t cells;
    struct single *row;
    size_t n;
};

struct singles {
    struct single_context *context;
    size_t n;
    enum single_source {
        SINGLE_IN_SAMPLE, /* from the times by which it is judged */
        SINGLE_TRAINED,   /* from cells other than the judged ones */
        SINGLE_ELSEWHERE, /* from these cells, judged by times of another study */
    } source;
};

/* Counts a cell. Returns its context, for single_add until the next cell. */
struct single_context *singles_cell(struct singles *singles, const struct cell *cell);

/* Counts what a candidate loses in the cell counted last. */
void single_add(struct single_context *context, const struct candidate *candidate, double loss_pct);

/* The context of a cell; NULL where no cell of the study was counted. */
const struct single_context *singles_find(const struct singles *singles, const struct cell *cell);

/* The best of a context, which has a row: of those measured in the most cells (mostly all) the one
 * with the least mean loss. */
const struct single *single_best(const struct single_context *context);

void singles_clear(struct singles *singles);

/* A candidate of the cell. */
struct contender {
    const struct measured *measured;
    const struct prediction *prediction[MAX_MODELS]; /* by index in models[]; NULL: none */
};

struct cell_view {
    struct cell cell;
    enum purpose purpose; /* study or held out */
    const struct facts *facts;
    const struct contender *pool; /* in the order of the plan, the default last */
    size_t n;
    /* LIBRARY:default measured unforced; in a simulation the decision's point, where it is none of
     * the study's candidates; NULL: none */
    const struct measured *by_default;
    const struct points *points;   /* all, for a default that is not in the pool */
    const struct singles *singles; /* of all cells of the study; NULL: not yet known */
};

struct selected {
    const struct measured *measured; /* NULL: the expectation over the pool, or none */
    int expectation;                 /* 1: mean loss of a uniform random choice from the pool */
    size_t compared; /* candidates that were compared to choose; 0: it chooses by another rule */
    struct candidate candidate; /* what was chosen, measured or not */
    struct candidate given;     /* what a user is given, where that was not measured, and the
                                   choice stands in for it; else algorithm "" */
    double predicted_s;         /* predicted time that decided; NaN: none */
    int by_poor_fit;            /* 1: that prediction is from a poor fit (PREDICT_POOR_FIT) */
    char reason[REASON_SIZE];   /* why there is no choice, or what the choice rests on */
};

struct selector;
struct external;

/* Which promises of a walk count: those that harmed on no machine, that gained in the mean, all. */
enum promises { PROMISES_SAFE, PROMISES_BOLD, PROMISES_ANY };

/* How far losses of a selector may be trusted, by the purpose of the cells and the backend. */
enum standing selector_standing(const struct selector *selector, enum purpose purpose,
                                const char *backend);

struct selector {
    const char *name, *help;
    const char *label; /* for people: "library default" */

    /* 1 when it uses the times of the study's cells. Its losses there
     * are in sample; only held-out cells show its real losses. */
    int in_sample;

    /* The model whose predictions it uses; it has rows where the model has. NULL: none. */
    const struct model *model;

    /* Trained data that it uses. NULL: none. */
    const struct learnt *learnt;
    const struct problem *problem;
    const struct model_file *file;
    const struct external *external;
    enum promises promises; /* in a walk */

    /* Core-seconds of measuring that the selector rests on, over the whole study; NULL: none. */
    double (*core_s)(const struct points *points, const struct spending *of);

    /* Returns 1 with *choice filled, or 0 with choice->reason. */
    int (*choose)(const struct selector *self, const struct cell_view *view,
                  struct selected *choice);
};

extern const struct selector selector_best, selector_best_single, selector_default, selector_random;

/* The selectors that use no model; NULL-terminated. */
extern const struct selector *const selectors[];

/* All *n selectors: the rows of the table, and before its last one those of the models and those
 * given; free(). */
struct selector *selectors_all(const struct selector *more, size_t n_more, size_t *n);

/* Selectors over trained data. The data must outlive them. */
struct selector selector_of_learnt(const struct learnt *learnt);
struct selector selector_of_safe(const struct model_file *file);
struct selector selector_of_walk(const struct model_file *file, enum promises promises);

/* Chooses a measured point. Returns 1. */
int choose_measured(const struct measured *m, struct selected *choice);

/* The point of a candidate in the pool, measured or not; NULL where it is not in it. */
const struct measured *pool_find(const struct cell_view *view, const struct candidate *candidate);
