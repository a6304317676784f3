/* SPDX-License-Identifier: BSD-3-Clause */
/* cell_query.h - predictions for one cell by all models that have parameters in
 * a set of measurements (a study or a data set), for all algorithms with times
 * in the set. Models are fitted anew to DIR/points.csv. Nothing is written. */
#pragma once

#include "analysis/models/predictions.h"

/* The question. Borrowed. */
struct cell_query {
    const char *collective;
    const char *algorithm;     /* as in spelling.h; NULL: none of them */
    const char *mpi, *mapping; /* NULL: the first with times of the algorithm */
    uint64_t segment_bytes, bytes;
    int segment_given, fanout_given; /* 0: take those of the first candidate of this name */
    int fanout, procs, root;
    int doubted; /* 1: doubted times count (points.h) */
    int nodes;   /* 0: as the study's plan places the processes; in
                    a data set as its cells, or by filling nodes */
};

/* The parts of a query, from general to specific. */
enum cell_query_part {
    CELL_QUERY_COLLECTIVE,
    CELL_QUERY_MPI,
    CELL_QUERY_MAPPING,
    CELL_QUERY_ALGORITHM,
    CELL_QUERY_SEGMENT,
    CELL_QUERY_FANOUT,
    N_ASKED_PARTS
};

/* The subject of a row of a table (times, fits). Borrowed. */
struct cell_query_row {
    const char *collective, *mpi, *mapping;
    const struct candidate *candidate;
};

/* The index of the first matching row, preferring the library that the study
 * lists first; n: no row matches. facts NULL: the first match of all. */
size_t cell_query_find(const struct cell_query *asked, const struct cell_query_row *rows, size_t n,
                       const struct facts *facts);

/* When no row matches: sets *err to "<what> of mapping 'node' for COLLECTIVE (there is:
 * core)": the first part of the query that excludes all rows matching the parts
 * before it, and the alternatives there. what: "FILE: has no times". Returns -1. */
int cell_query_describe(const struct cell_query *asked, const char *what,
                        const struct cell_query_row *rows, size_t n, struct err *err);

/* Checks that the cluster has this many processes and nodes (nodes 0: not checked).
 * Models do not predict beyond the cluster's size; where ranks shared cores, the
 * largest measured number is the limit. 0, or -1 with *err of wrong usage. */
int cell_query_holds(const struct facts *facts, const struct points *points, int procs, int nodes,
                     struct err *err);

/* Fills nodes and ppn of a cell by the study's plan or the set's own
 * cells. When the query gives nodes, the processes are spread over
 * these evenly. 0, or -1 with *err: the processes do not fit. */
int cell_query_place(const struct cell_query *asked, const struct points *points,
                     const struct facts *facts, struct cell *cell, struct err *err);

struct answer {
    struct points candidates; /* one row each, with its time in the cell where the set has one */
    size_t asked;             /* index of the queried algorithm; candidates.n: none */
    struct predictions said;  /* by model, then candidate */
};

/* Returns 0; 1 with *err where the set has no time of that algorithm; or -1 with *err: no
 * points.csv, or more processes or nodes than the cluster has and than were measured. */
int cell_query_answer(const char *dir, const struct cell_query *asked, struct answer *out,
                      struct err *err);

/* How far what a model says here may be trusted: model_standing, but that in a cell without times
 * no model is in sample. */
enum standing answer_standing(const struct answer *answer, const struct model *model);

/* Why a model has no time of any candidate: said of the first that is not the library's default. Of
 * the default models rarely know what it runs, which is no reason for the others. */
enum predict_status answer_why_none(const struct answer *answer, const struct model_said *said);

void answer_clear(struct answer *answer);
