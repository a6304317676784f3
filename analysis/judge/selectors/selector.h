/* SPDX-License-Identifier: BSD-3-Clause */
/* selector.h - anything that picks a candidate for a cell. A table of constant rows; adding one is
 * one file here and one line in selectors.c.
 *
 * A selector sees one cell: the pool (the study's candidates there), what each model predicts for
 * them, and the library's default. It answers with one of the measured points, or with the
 * expectation over the pool, or with the reason why it cannot. */
#ifndef ANALYSIS_JUDGE_SELECTORS_SELECTOR_H
#define ANALYSIS_JUDGE_SELECTORS_SELECTOR_H

#include "analysis/measure/facts.h"
#include "analysis/measure/points.h"
#include "analysis/judge/predict.h"

enum { MAX_MODELS = 20 };

/* A candidate of the cell. */
struct contender {
    const struct measured *measured;
    const struct prediction *prediction[MAX_MODELS]; /* by index in models[]; NULL: none */
};

struct cell_view {
    struct cell cell;
    enum purpose purpose; /* study or held out */
    const struct facts *facts;
    const struct contender *pool; /* in the order of the plan */
    size_t n;
    const struct measured *by_default; /* LIBRARY:default measured unforced; NULL: none */
    const struct points *points;       /* all, for a default that is not in the pool */
};

struct choice {
    const struct measured *measured; /* NULL: the expectation over the pool, or none */
    int expectation;                 /* a uniform draw from the usable pool, in the mean */
    struct candidate candidate;      /* what was chosen, measured or not */
    double predicted_s;              /* by which it was chosen; NaN: none */
    char reason[REASON_SIZE];        /* why there is no choice, or what the choice rests on */
};

/* What a sum of measuring is for. */
struct spending {
    const char *collective, *mpi, *mapping;
};

struct selector {
    const char *name, *help;

    /* 1 when it rests on the very times of the study's cells: there it is judged in sample, only
     * held-out cells tell what it is worth. */
    int in_sample;

    /* 1 when there is anything to choose by in this study; else it has no rows. NULL: always. */
    int (*applies)(const struct predictions *predictions);

    /* Core-seconds of measuring that the selector rests on, over the whole study; NULL: none. */
    double (*core_s)(const struct points *points, const struct spending *of);

    /* Returns 1 with *choice filled, or 0 with choice->reason. */
    int (*choose)(const struct cell_view *view, struct choice *choice);
};

extern const struct selector selector_best, selector_channel, selector_channel_event,
    selector_contention, selector_contention_hops, selector_contention_queue,
    selector_contention_flow, selector_default, selector_default_study_segment, selector_derived,
    selector_dummy, selector_event, selector_no_collisions, selector_random, selector_simulated,
    selector_traditional;

extern const struct selector *const selectors[]; /* NULL-terminated */

/* ---- for selectors ---- */

/* Chooses a measured point. Returns 1. */
int choose_measured(const struct measured *m, struct choice *choice);

/* Chooses the least prediction of a model among the candidates with status ok. */
int choose_by_model(const struct cell_view *view, const char *model, struct choice *choice);

/* The point of a candidate in the view's cell, measured or not; NULL where the plan has none. */
const struct measured *view_find(const struct cell_view *view, const struct candidate *candidate);

/* 1 when a measurement serves a selection: of its library, and of its mapping or, on a channel, of
 * any (what is between two cores is so however ranks are mapped); times of a collective serve that
 * one, all else is the machine's. */
int spent_for(const struct spending *of, const struct measured *m);

/* Sum of core_s of the points of an experiment that serve, those on channels left out. */
double spent_on(const struct points *points, const struct spending *of, enum experiment experiment);

/* The same of everything that was measured of the study's candidates, held-out cells apart. */
double spent_on_grid(const struct points *points, const struct spending *of);

#endif
