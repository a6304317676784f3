/* SPDX-License-Identifier: BSD-3-Clause */
/* source_row.h - the unchecked values of one row of a source: a text per role.
 *
 * A role is what a value means here ("bytes", "max_s"); formats give columns roles, and options
 * give constants. NULL: not in the source; "": missing here. */
#ifndef HARNESS_IMPORT_SOURCE_ROW_H
#define HARNESS_IMPORT_SOURCE_ROW_H

#include "harness/base/err.h"
#include "harness/study/point.h"

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

#endif
