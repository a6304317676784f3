/* SPDX-License-Identifier: BSD-3-Clause */
/* star_row.h - what the micro-benchmark of STAR-MPI (Faraj, Yuan & Lowenthal, ICS 2006, Figure 4)
 * gives for one kind of call: STUDY/star.csv, a row for each cell and scheme. The rows of one file
 * may come from several runs; each says whether it was measured or walked. */
#pragma once

#include "harness/study/point.h"
#include "workloads/libcollsel/repository.h"

/* Calls of the paper's loop. */
enum { STAR_WHOLE = 500, STAR_NAME = 96 };

/* The paper's two: candidates one after the other, or in groups. */
enum star_scheme { STAR_BASIC, STAR_ENHANCED, N_STAR_SCHEMES };

struct star_row {
    char collective[NAME_SIZE];
    int procs;
    uint64_t bytes;
    enum repository_kind repository;
    enum star_scheme scheme;

    int candidates, groups; /* of the repository, for this call */
    int expected;           /* calls that Measure_Select takes where `algorithm` wins */
    int measured, monitored;
    char algorithm[STAR_NAME]; /* that the last call ran */
    double measure_s;          /* of Measure_Select, all of its calls: mean over ranks */
    double measure_call_s, monitor_call_s; /* of a call, with what the library adds */
    double o_ms_a_s, o_ms_c_s, o_ma_s;     /* the paper's overheads, of a call */
    double default_s;                      /* of a call by the library's own choice */
    char default_algorithm[STAR_NAME];     /* "openmpi:default": algorithm not known */
    char static_algorithm[STAR_NAME];      /* fastest where all ranks come together; "": unknown */
    double static_s;                       /* of a call by it, without star */
    double saved_pct;   /* saving of a call of Monitor_Adapt, % of the default's time */
    double own_pct;     /* o_ma_s of such a call's time */
    double speedup_pct; /* extra time of the default, over STAR_WHOLE calls of both stages */
    int agreements, changes;
    double compute_s;        /* between two calls, of every rank alike */
    double late_s;           /* delay of the last rank at every call */
    char backend[NAME_SIZE]; /* walk, emulated, real */
};

extern const char *const star_scheme_words[]; /* ended by NULL */

/* Rows are struct star_row. */
extern const struct schema star_schema;

/* Name of the set of candidates: "full", "native", "paper". 1 when it is "paper". */
const char *star_repository(const struct star_row *row);

/* Bytes of an element in the micro-benchmark: a double in reductions, else a byte. */
uint64_t star_element_bytes(const struct collective *collective);

/* Number of calls of Measure_Select by the paper's rule: ten per candidate; in groups ten
 * per group and ten for each other candidate of the group that holds candidate `winner`. */
int star_calls(const struct repository *repository, enum star_scheme scheme, int winner);

/* Largest number of calls of Measure_Select in such a row, for any winner. */
int star_most_calls(const struct repository *repository, const struct star_row *row);

/* Fills candidates, groups and expected. winner: the candidate of row->algorithm,
 * or -1 when it is not in the repository: expected is 0 then. */
void star_row_expect(struct star_row *row, const struct repository *repository, int winner);

/* Mean time of the first STAR_WHOLE calls, computed from the means of both stages, in seconds. */
double star_whole_call(const struct star_row *row);

/* Fills what follows from the times: saved_pct, own_pct, speedup_pct. */
void star_row_finish(struct star_row *row);

/* Number of calls after which the search has saved time compared with the
 * default: the time lost in Measure_Select over the gain per later call.
 * 0: nothing was lost; infinity: it never pays off; NaN: not known. */
double star_pays_after(const struct star_row *row);

/* Replaces the row of the same cell, repository, scheme and lateness, else appends it after
 * the others. */
void star_rows_put(struct star_row **rows, size_t *n, const struct star_row *row);

/* Writes DIR/star.csv. 0, or -1 with *err. */
int star_rows_write(const char *dir, const struct star_row *rows, size_t n, struct err *err);
