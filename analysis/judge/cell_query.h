/* SPDX-License-Identifier: BSD-3-Clause */
/* cell_query.h - one cell that somebody asks about, answered by all models that a set of
 * measurements (a study or a data set) has parameters for, over all algorithms that it has times
 * of: fitted anew to DIR/points.csv. Nothing is written. */
#ifndef ANALYSIS_JUDGE_CELL_QUERY_H
#define ANALYSIS_JUDGE_CELL_QUERY_H

#include "analysis/models/predictions.h"

/* The question. Borrowed. */
struct cell_query {
    const char *collective;
    const char *algorithm;     /* as in spelling.h; NULL: none of them */
    const char *mpi, *mapping; /* NULL: the first that has times of the algorithm */
    uint64_t segment_bytes, bytes;
    int segment_given, fanout_given; /* else those of the first candidate of this name */
    int fanout, procs, root;
    int nodes; /* 0: as the study's plan would place the processes; of a data set, as its own cells
                  of so many, or as the mapping fills */
};

/* The parts of a question, from the whole to the detail. */
enum cell_query_part {
    CELL_QUERY_COLLECTIVE,
    CELL_QUERY_MPI,
    CELL_QUERY_MAPPING,
    CELL_QUERY_ALGORITHM,
    CELL_QUERY_SEGMENT,
    CELL_QUERY_FANOUT,
    N_ASKED_PARTS
};

/* What a row of a table (times, fits) is of. Borrowed. */
struct cell_query_row {
    const char *collective, *mpi, *mapping;
    const struct candidate *candidate;
};

/* 1 when the row is of what is asked for. */
int cell_query_fits(const struct cell_query *asked, const struct cell_query_row *row);

/* The first row that is asked for, of the library that the study names first of those that have
 * one; n: none is. facts NULL: the first of all. */
size_t cell_query_find(const struct cell_query *asked, const struct cell_query_row *rows, size_t n,
                       const struct facts *facts);

/* For a table in which no row fits: sets *err to "<what> of mapping 'node' for bcast (there is:
 * core)": the first part of the question that no row fits which fits those before, and what there
 * is instead. what: "FILE: has no times". Returns -1. */
int cell_query_describe(const struct cell_query *asked, const char *what,
                        const struct cell_query_row *rows, size_t n, struct err *err);

/* Does the cluster of the facts hold so many processes and nodes (0: not asked)? Models know
 * nothing of more than it has; where ranks shared cores, up to as many as were measured. 0, or -1
 * with *err of wrong usage. */
int cell_query_holds(const struct facts *facts, const struct points *points, int procs, int nodes,
                     struct err *err);

/* Fills nodes and ppn of a cell: where a plan of the study, or the set's own cells, would have its
 * processes; on other nodes, where they are asked for, evenly. 0, or -1 with *err: there is no
 * room. */
int cell_query_place(const struct cell_query *asked, const struct points *points,
                     const struct facts *facts, struct cell *cell, struct err *err);

struct answer {
    struct points candidates; /* one row each, with its time in the cell where the set has one */
    size_t asked;             /* the row of the algorithm that was asked for; candidates.n: none */
    struct predictions said;  /* by model, then candidate */
};

/* Returns 0; 1 with *err where the set has no time of that algorithm; or -1 with *err: no
 * points.csv, or more processes or nodes than the cluster has and than were measured. */
int cell_query_answer(const char *dir, const struct cell_query *asked, struct answer *out,
                      struct err *err);

/* Frees what it holds. */
void answer_clear(struct answer *answer);

#endif
