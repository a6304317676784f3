/* SPDX-License-Identifier: BSD-3-Clause */
/* fit.h - the two steps of the analysis on one study's directory, files in and files out.
 *
 * fit_study: samples -> points.csv, views.csv, costs.csv, comparison.csv, the files of fit/,
 * predictions.csv, errors.csv.
 * select_study: points.csv, predictions.csv (and the samples, for intervals) -> selection.csv,
 * degradation.csv, conditions.csv. Each file is written whole or not at all. */
#pragma once

#include "analysis/judge/conditions.h"
#include "analysis/judge/degrade.h"
#include "analysis/judge/errors.h"
#include "analysis/judge/views.h"

/* What was fitted, for the command's summary. */
struct fit_result {
    struct facts facts;
    struct points points; /* of plain cells */
    size_t others;        /* points of cells that are not plain */
    size_t views;         /* points in views.csv; 0: there is no such file */
    struct costs costs;
    struct parameters parameters; /* facts and against are borrowed, the sets are its own */
    struct predictions predictions;
    struct error_table errors;
    struct agreements agreements; /* with the compared study; empty: no such study */
    char against_dir[PATH_SIZE], against_backend[NAME_SIZE];
    char not_compared[512]; /* why the existing simulation of the study cannot be used; "" */
};

/* Fits the study in DIR. against: the directory of a study to compare with, "none", or NULL
 * (compare_studies_choose; one that cannot be read is then left out). doubted: doubted times count
 * (points.h). 0, or -1 with *err and
 * nothing to clear. */
int fit_study(const char *dir, const char *against, int doubted, struct fit_result *result,
              struct err *err);

/* 0 when later steps can go on; -1 with *err when no point has a time, or the study wants models
 * and none could be fitted. The files are written in either case, and give the reason. */
int fit_judge(const struct fit_result *result, const char *dir, struct err *err);

void fit_result_clear(struct fit_result *result);

/* What was chosen, for the command's summary. */
struct select_result {
    struct facts facts;
    struct selection_table table;
    struct degradations degradations;
    struct condition_losses conditions; /* none where all cells are plain */
    int doubted;                        /* 1: doubted times count */
    size_t points, timed;               /* judging points; those of them with a time */
    char dir[PATH_SIZE];                /* where the tables are */
    char backend[NAME_SIZE]; /* by which they are, as they say; "unknown": by another study's times
                                or another default */
    struct selector *more;   /* of programs that are not ours, n of them */
    size_t n_more;
};

/* Runs every selector on the study of DIR, after fit_study. on: directory of another study whose
 * times judge the choices against the best of the same candidates there, or NULL; its tables go
 * to DIR/on/NAME/. rule: decision function used as the default of a simulation, tables go to
 * DIR/default/RULE/; NULL: the study's. doubted: as of fit_study. more: selectors of programs that
 * are not ours, n of them; each must have a row of a cell of the study. 0, or -1 with *err and
 * nothing to clear. */
int select_study(const char *dir, const char *on, const char *rule, int doubted,
                 const struct external *more, size_t n, struct select_result *result,
                 struct err *err);

/* -1 with *err where no point has a time: nothing was selected. */
int select_judge(const struct select_result *result, const char *dir, struct err *err);

void select_result_clear(struct select_result *result);
