/* SPDX-License-Identifier: BSD-3-Clause */
/* holdout_spec.h - the text form of a holdout: option --holdout, key
 * `holdout` of a study file, setting of a data set. The held-out cells judge
 * what was trained on the others: analysis/measure/holdout_cells.h. */
#pragma once

#include "harness/study/point.h"

enum holdout_kind {
    HOLDOUT_PLANNED,
    HOLDOUT_ALTERNATE_PROCS,
    HOLDOUT_ALTERNATE_SIZES,
    HOLDOUT_BEYOND_PROCS,
    HOLDOUT_NODES,
    HOLDOUT_CLUSTER,
    HOLDOUT_RANDOM,
    HOLDOUT_ALTERNATE /* no text: every other P, or size where there are no P to leave out */
};

struct holdout {
    enum holdout_kind kind;
    int most;                /* the N of beyond-procs and nodes; 0: all but the most nodes */
    double share;            /* of random: above 0, below 1 */
    char cluster[NAME_SIZE]; /* of cluster */
    uint64_t seed;           /* of random */
    char text[NAME_SIZE];    /* as given */
    char name[NAME_SIZE];    /* the same as a name of a directory: "beyond-procs-128" */
};

/* Parses a text. 0, or -1 with *err (wrong usage) and *out unchanged. The seed is 0. */
int holdout_parse(const char *text, struct holdout *out, struct err *err);

enum { MOST_HOLDOUTS = 8 };

/* Several, one after the other. */
struct holdouts {
    struct holdout row[MOST_HOLDOUTS];
    size_t n;
};

/* The same of a list with blanks between; empty: none. */
int holdouts_parse(const char *text, struct holdouts *out, struct err *err);
