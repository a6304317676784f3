/* SPDX-License-Identifier: BSD-3-Clause */
/* training_set.h - training cells as lessons: per cell its features and, of every candidate with a
 * time, what would really run and how long that took.
 *
 * A subject is what is learnt apart: one collective, library and mapping. Candidates that run the
 * same thing in a cell (the library substitutes one for the other) are one kind there, so that
 * nobody has to find out the substitutions. The library's default is a kind of its own. Features:
 * the logarithms (base 2) of processes, nodes, processes per node, bytes and bytes per process,
 * what is known of the machine (NaN: not known), and, for those who want them, what the analytical
 * models say, as logarithms. Owns its arrays. */
#ifndef ANALYSIS_LEARN_TRAINING_SET_H
#define ANALYSIS_LEARN_TRAINING_SET_H

#include "analysis/measure/holdout_cells.h"
#include "analysis/models/predictions.h"
#include "harness/study/machine_features.h"

enum feature {
    FEATURE_PROCS,
    FEATURE_NODES,
    FEATURE_PPN,
    FEATURE_BYTES,
    FEATURE_BYTES_PER_PROC,
    FEATURE_SOCKETS,
    FEATURE_CORES,
    FEATURE_CACHE_CORES,
    FEATURE_MACHINE, /* those of harness/study/machine_features.h begin here */
    N_FEATURES = FEATURE_MACHINE + N_MACHINE
};

/* "log2_procs", ... */
const char *feature_name(size_t feature);

/* A candidate in a lesson: its kind among the subject's, the logarithm of its time in seconds
 * (NaN in a question), and what the models say of it (natural logarithm; NaN: nothing). */
struct offer {
    size_t kind;
    double log_s;
    float said[MAX_MODELS];
};

struct lesson {
    struct cell cell;
    float x[N_FEATURES];
    struct offer *offer;
    size_t n;
    size_t by_default;             /* the kind that the default is there; SIZE_MAX: not known */
    struct candidate default_runs; /* what the default takes there (problem_default_runs) */
    size_t machine;                /* the place of its cluster among the problem's */
    int apart;                     /* 1: kept from inner training, to choose settings by */
};

struct subject {
    struct cell context;    /* its collective, library and mapping count */
    struct candidate *kind; /* what runs */
    size_t n_kinds;
    struct lesson *lesson;
    size_t n;
    size_t *order; /* places of the lessons, by bytes, then processes (subject_sort) */
};

struct problem {
    struct subject *subject;
    size_t n;
    size_t machines; /* clusters that are learnt from */
    int has_said;    /* 1: models say something of what is learnt from */
    int past;        /* 1: who learns is to be tried on the data's own past, too (learner.h), which
                        `safe` asks beyond the largest P; 0, as it is made: not */
};

/* All training cells in which two candidates or more have a time. said: of each set what models say
 * of its points; NULL: nothing. inner: marks the lessons apart. */
void problem_make(const struct training_cells *training, const struct predictions *said,
                  const struct holdout *inner, struct problem *out);

/* The split of what is learnt from by which settings and thresholds are chosen: every other P, or
 * size where there are no P to leave out, as questions to come are of others. elsewhere: of who
 * answers for machines that nobody measured, the cluster with the most points. */
struct holdout problem_inner(const struct training_cells *training, int elsewhere);

/* The features of a cell; what a candidate runs in it. */
void problem_features(const struct cell *cell, const struct facts *facts, float *x);
struct candidate problem_runs(const struct facts *facts, const struct cell *cell,
                              const struct candidate *candidate);

/* 1 where the library, or a schedule of ours, can do a candidate at all: two ranks' exchange is
 * none of more. */
int problem_can_run(const struct facts *facts, const struct cell *cell,
                    const struct candidate *candidate);

/* What a kind took in a lesson, and what the fastest took: logarithms of seconds. NaN: the kind was
 * not measured there; INFINITY: nothing was. */
double lesson_log(const struct lesson *lesson, size_t kind);
double lesson_least(const struct lesson *lesson);

/* The largest number of processes in the lessons that is at most this; 0: there is none. The ends
 * that the data once had: the one of half the largest number, of half of that, and so on. */
int subject_end(const struct subject *subject, int most);

/* Makes the order of the lessons, when all are there. */
void subject_sort(struct subject *subject);

/* The place of what runs among the kinds; n_kinds where it is none of them. */
size_t subject_kind(const struct subject *subject, const struct candidate *runs);

/* The kind that the library's default is in a cell: a kind of its own where it was measured
 * unforced; in a simulation what the published decision function takes. SIZE_MAX: not known. */
size_t subject_default(const struct subject *subject, const struct cell *cell,
                       const struct facts *facts);

/* What the library's default takes in a cell, where its published decision is known; algorithm "":
 * it is not. */
struct candidate problem_default_runs(const struct facts *facts, const struct cell *cell);

/* The subject of a cell, or NULL. */
const struct subject *problem_subject(const struct problem *problem, const struct cell *cell);

/* Frees what it holds. */
void problem_clear(struct problem *problem);

#endif
