/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.h - imported.csv: every row of the sources, with its status (docs/formats.md).
 *
 * Owns its rows and their reasons; borrows the names of the sources. */
#pragma once

#include "harness/study/imported_rows.h"

enum { MAX_CONDITIONS = 8 };

/* Why a row was not taken, for counting; the row's reason has the details. */
enum aside {
    ASIDE_NOT,
    ASIDE_HEADER,     /* a header, or a fragment of one, where data should be */
    ASIDE_FIELDS,     /* too few or too many columns, or quotes that do not end */
    ASIDE_CUT,        /* the file ends within the line */
    ASIDE_UNREADABLE, /* bytes that are no text */
    ASIDE_MISSING,    /* no size, no time, no number of processes ... */
    ASIDE_NUMBER,     /* what should be a number is none */
    ASIDE_UNIT,       /* another unit than the column's, or one that is not known */
    ASIDE_IMPOSSIBLE, /* NaN, infinite, negative, zero, huge */
    ASIDE_ORDER,      /* min above mean, mean above max ... */
    ASIDE_PLACE,      /* more processes than the cluster has, or nodes that it has not */
    ASIDE_NAME,       /* no such algorithm, mapping, collective ... */
    ASIDE_DATA,       /* the benchmark itself detected wrong data */
    ASIDE_OTHER,      /* not a time of a collective or a ping-pong */
    N_ASIDE
};

/* "header fragment", "wrong number of columns" ... */
const char *aside_words(enum aside why);

/* Seconds; NaN: not known. max, mean and min are over ranks, each the mean over iterations;
 * median, p95 and p99 are over iterations, of mean_s if known, else of max_s. */
struct imported_row {
    const char *source; /* borrowed */
    size_t line;
    struct point point;
    uint64_t series; /* digest of what distinguishes times of a point (a receiver); 0 none */
    int once;        /* 1: the series identifies one measurement across files */
    size_t batch;    /* rows that were measured together: of one file, or of one block of it */
    int copy;        /* 1: repeated, as a row of a file or block that came before as a whole */
    int run;         /* from 0: which repetition of the point */
    double max_s, mean_s, min_s, median_s, p95_s, p99_s;
    uint64_t iterations;                   /* 0: not told */
    char version[24];                      /* of the library, from the row; "": not given */
    const char *condition[MAX_CONDITIONS]; /* borrowed: of a text, or kept. NULL: not told */
    const char *const *conditions;         /* their columns; NULL: none */
    enum row_status status;
    enum aside why;
    char *reason; /* NULL: none */
};

struct imported_rows {
    struct imported_row *row; /* in the order of the sources */
    size_t n;
};

/* Appends a row without numbers. */
struct imported_row *rows_add(struct imported_rows *rows);

/* Numbers the runs of every point and marks repeated rows. Repeated are: a file, or a block of one,
 * whose rows all equal an earlier one (two rows or more); and rows whose numbers occurred before at
 * the same point and series within the same file or block, or anywhere if the series identifies one
 * measurement. Repeated rows count once and get the run of the first. Equal numbers in different
 * files are different runs: times with few digits can be equal by chance */
void rows_number(struct imported_rows *rows);

/* Writes DIR/imported.csv whole. */
int rows_write(const char *dir, const struct imported_rows *rows, struct err *err);

void rows_clear(struct imported_rows *rows);

/* The unchecked values of one row of a source: a text per role.  A role is what a value means here
 * ("bytes", "max_s"); formats give columns roles, and options give constants. NULL: not in the
 * source; "": missing here. */

enum role {
    ROLE_NONE,
    ROLE_EXPERIMENT, /* time, pingpong, fanout, fanin; default: time */
    ROLE_COLLECTIVE,
    ROLE_MPI,
    ROLE_VERSION, /* of the library */
    ROLE_MAPPING,
    ROLE_NODES, /* default: as many as the mapping needs on the cluster */
    ROLE_PPN,   /* default: likewise */
    ROLE_PROCS,
    ROLE_ROOT, /* default: 0 */
    ROLE_BYTES,
    ROLE_ALGORITHM,
    ROLE_SEGMENT, /* default: 0, the library's own; likewise fan-out */
    ROLE_FANOUT,
    ROLE_CHANNEL,
    ROLE_SERIES, /* distinguishes times of one point, e.g. by receiver */
    ROLE_MAX,
    ROLE_MEAN,
    ROLE_MIN, /* over ranks, each the mean over iterations */
    ROLE_MEDIAN,
    ROLE_P95,
    ROLE_P99, /* over iterations */
    ROLE_LEAST,
    ROLE_MOST, /* over iterations: for checks only, not kept */
    ROLE_ITERATIONS,
    N_ROLES
};

struct source_row {
    const char *text[N_ROLES]; /* borrowed */
    double scale[N_ROLES];     /* of times: seconds per unit; of sizes: bytes; 0: 1 */
    int of_all;                /* 1: the size is that of all ranks' blocks together */
    double element_bytes;      /* of_all: no element is cut; 0: 1 */
    int once; /* 1: the series names one measurement, in whichever file it stands */
};

/* The roles' names, as in imported.csv and --map: "bytes", "max_s", ... and back; ROLE_NONE when
 * unknown. */
const char *role_name(enum role role);
enum role role_find(const char *name);

/* 1 for the times. */
int role_is_time(enum role role);

/* Seconds of a unit of time (ns, us, usec, ms, s), bytes of a unit of size (B, KiB, MiB ...); 0
 * when unknown. */
double unit_seconds(const char *unit);
double unit_bytes(const char *unit);

/* Fills missing values of told from otherwise. */
void source_row_complete(struct source_row *told, const struct source_row *otherwise);
