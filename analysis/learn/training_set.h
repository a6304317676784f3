/* SPDX-License-Identifier: BSD-3-Clause */
/* training_set.h - training data: per cell its features and, for every candidate with a
 * time, the algorithm that really runs and its time.
 *
 * A subject is trained separately: one collective, library and mapping. Candidates that run the
 * same algorithm in a cell (the library substitutes one for the other) are one kind there, so
 * learners need not discover substitutions. The library's default is a kind of its own. Features:
 * the logarithms (base 2) of processes, nodes, processes per node, bytes and bytes per process,
 * the known facts of the machine (NaN: not known), and, for hybrid learners, the predictions of the
 * analytical models, as logarithms. Owns its arrays. */
#pragma once

#include "analysis/measure/holdout_cells.h"
#include "analysis/models/predictions.h"

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

/* A candidate in a cell: its kind among the subject's, the logarithm of its time in seconds
 * (NaN in a question), and the models' predictions (natural logarithm; NaN: none). */
struct offer {
    size_t kind;
    double log_s;
    float said[MAX_MODELS];
};

struct example {
    struct cell cell;
    float x[N_FEATURES];
    struct offer *offer;
    size_t n;
    size_t by_default;             /* the kind that the default is there; SIZE_MAX: not known */
    struct candidate default_runs; /* what the default takes there (problem_default_runs) */
    size_t machine;                /* the place of its cluster among the problem's */
    int apart;                     /* 1: validation cell, for the choice of settings */
};

struct subject {
    struct cell context;    /* its collective, library and mapping count */
    struct candidate *kind; /* what runs */
    size_t n_kinds;
    struct example *example;
    size_t n;
    size_t *order; /* places of the examples, by bytes, then processes (subject_sort) */
};

struct problem {
    struct subject *subject;
    size_t n;
    size_t machines; /* clusters of the training data */
    int has_said;    /* 1: there are model predictions for the training data */
    int past;        /* 1: learners are back-tested at smaller P, too (learner.h),
                        for `safe` beyond the largest P; 0: default */
};

/* All training cells with two or more timed candidates. said: per set the models'
 * predictions of its points; NULL: none. inner: marks the validation cells. */
void problem_make(const struct training_cells *training, const struct predictions *said,
                  const struct holdout *inner, struct problem *out);

/* The split of the training data for the choice of settings and thresholds: every other P, or
 * every other size where P cannot be split, since later queries are at other P. elsewhere:
 * for machines without measurements, the cluster with the most points is left out. */
struct holdout problem_inner(const struct training_cells *training, int elsewhere);

/* The features of a cell; the algorithm that a candidate runs in it. */
void problem_features(const struct cell *cell, const struct facts *facts, float *x);
struct candidate problem_runs(const struct facts *facts, const struct cell *cell,
                              const struct candidate *candidate);

/* 1 where the library, or a schedule of ours, can run a candidate
 * at all: an exchange between two ranks is impossible with more. */
int problem_can_run(const struct facts *facts, const struct cell *cell,
                    const struct candidate *candidate);

/* The time of a kind in a cell, and the least time: logarithms of seconds.
 * NaN: the kind was not measured there; INFINITY: nothing was measured. */
double example_log(const struct example *example, size_t kind);
double example_least(const struct example *example);

/* The largest number of processes in the training cells that is at most `most`; 0: none.
 * For back-tests the data are cut at half the largest number, half of that, and so on. */
int subject_end(const struct subject *subject, int most);

/* Sorts the training cells after all are added. */
void subject_sort(struct subject *subject);

/* The index of `runs` among the kinds; n_kinds where it is none of them. */
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

void problem_clear(struct problem *problem);

/* Gains of candidates over the library's default in the measured cells next to
 * a given cell.
 *
 * The neighbours of a cell lie at the next smaller and next larger measured size (its own, if
 * measured), and at each size at the next smaller and larger measured number of processes. Below
 * the next smaller number of processes come two more, each at most half of the one before: a
 * prediction for twice as many processes needs the effect of an earlier doubling, which two
 * adjacent numbers do not show. A gain is the logarithm of the default's time over the
 * candidate's. Where several machines were measured in one place, their least gain counts. */

/* The measured values next below and above a value; both equal a measured value. NaN: none. */
struct sizes_about {
    double low, high;
};
struct procs_about {
    double low[3]; /* the next smaller, then at most half, then half again */
    double high;
};

/* The sizes, in bytes. */
struct sizes_about neighbour_gains_bytes(const struct subject *subject, double bytes);

/* The processes that were measured with a size. */
struct procs_about neighbour_gains_procs(const struct subject *subject, double procs, double bytes);

/* Candidate and cell of a query for gains. Borrowed. */
struct neighbour_gains_of {
    const struct subject *subject;
    size_t kind;
    const struct cell *cell;
    const struct candidate *default_runs; /* what the default takes in the cell; NULL, or algorithm
                                             "": not known */
};

/* The gain measured at this number of processes and bytes, on the number of nodes nearest to the
 * cell's; NaN: not known. Where the library's decision differs between there and the cell, the gain
 * is over the algorithm that the cell's default uses, if that was measured there. */
double neighbour_gains_at(const struct neighbour_gains_of *of, double procs, double bytes);

/* The least of these gains over the range of `low`. INFINITY: no gain is known. */
double neighbour_gains_least(const struct neighbour_gains_of *of, const struct procs_about *procs,
                             double bytes);

/* 1 when the library's default runs in the cell the same algorithm as at the
 * next fewer processes and the neighbouring sizes, or that is not known. */
int neighbour_gains_same_default(const struct subject *subject, const struct cell *cell,
                                 const struct candidate *default_runs);

/* 1 when all training cells ran on one node and the cell is on several: no network data. */
int neighbour_gains_cross_network(const struct subject *subject, const struct cell *cell);

/* Discounts a gain beyond the last measured P or size: divides it by 1 + the doublings from there,
 * since extrapolation is less certain with distance. A loss is not discounted. */
double neighbour_gains_far(double gain, double at, double last);

/* The expected fall of the gain until P, if it continues to fall with the
 * logarithm of P as between the last two of `low`; 0 where it did not fall. */
double neighbour_gains_fall(double last, double before, const struct procs_about *procs, double at);
