/* SPDX-License-Identifier: BSD-3-Clause */
/* regression_design.h - the columns of the regression (Tallone 2024, "Linear Fit Model"):
 *
 *   T = b0 + b1 x + sum_i (b2i z_i + b3i x z_i)
 *
 * x is the number of processes P, or log2 P for trees whose depth that is. z_i is 1 where the i-th
 * socket (mapping by core) or node (mapping by socket) beyond the first holds a rank.
 * Mapping by node has none, since every node is in use from the start. With more sockets
 * than columns, z_i stands for nodes instead; with too many nodes there is no z_i.
 *
 * A dummy needs enough fitted points of its own: with REGRESSION_LEVEL_POINTS process
 * counts it gets a level, with REGRESSION_SLOPE_POINTS or more also a slope. Pure. */
#pragma once

#include "analysis/measure/study_facts.h"
#include "analysis/measure/regress.h"

enum {
    REGRESSION_MOST = (REGRESS_MAX - 2) / 2,
    REGRESSION_LEVEL_POINTS = 2,
    REGRESSION_SLOPE_POINTS = 3
};

enum regression_unit { REGRESSION_NONE, REGRESSION_SOCKETS, REGRESSION_NODES };

struct regression_design {
    int log2_x;
    enum regression_unit unit;
    int n_z; /* number of possible dummies */
    unsigned char level[REGRESSION_MOST],
        slope[REGRESSION_MOST]; /* of z_1 ...: 1 where it is a column */
    unsigned seen; /* bit i: z_(i+1) is 1 at a fitted point; no prediction for others */
    size_t columns;
};

/* "procs", "log2_procs". */
const char *regression_x_name(const struct regression_design *d);

/* "none", "sockets", "nodes". */
const char *regression_unit_name(enum regression_unit unit);

/* 1 when the regression of this algorithm ("LIBRARY:NAME") is in log2 P. */
int regression_uses_log2(const char *algorithm);

/* x of a cell: its processes, or their logarithm to base 2. */
double regression_x(const struct regression_design *d, const struct cell *cell);

/* Bit i is set where z_(i+1) is 1 in this cell. */
unsigned regression_pattern(const struct regression_design *d, const struct facts *facts,
                            const struct cell *cell);

/* Chooses the columns for these cells (n of them, of one algorithm and mapping, by ascending P);
 * pattern (room for n) gets their regression_pattern; reason (of this size) says what was left out
 * and why, "" where nothing was. */
void regression_design_make(struct regression_design *d, const struct facts *facts,
                            const char *algorithm, const struct cell *const *cell, size_t n,
                            unsigned *pattern, char *reason, size_t size);

/* Takes the last dummy's last column away; 0 when there is none left. */
int regression_design_reduce(struct regression_design *d);

/* Fills a row of d->columns values. */
void regression_row(const struct regression_design *d, const struct facts *facts,
                    const struct cell *cell, double *row);

/* The name of column k: "intercept", "x", "z1", "x:z1". Returns buf. */
const char *regression_column_name(const struct regression_design *d, size_t k, char *buf,
                                   size_t size);
