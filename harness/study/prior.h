/* SPDX-License-Identifier: BSD-3-Clause */
/* prior.h - estimates for the points of a plan before measuring: the time from a model
 * without parameters (analysis/adapt/prior_times.h computes it), and whether the point
 * is the library's default. An adaptive plan starts from these (adaptive.h). Written
 * as prior.csv next to plan.csv, so that the points of a round are reproducible. */
#pragma once

#include "harness/study/plan.h"

/* One point. */
struct prior_row {
    char point[ID_SIZE];
    double seconds; /* of a call; NaN: its messages are not known */
    int is_default; /* 1: the library's default */
    double weight;  /* what a gain in its cell counts (application_weigh): above 0, 1 at most; NaN:
                       no profile says so */
};

/* Owns its rows, which are by id. */
struct prior {
    struct prior_row *row;
    size_t n;
};

extern const struct schema prior_schema;

/* Function that makes the prior of a plan: analysis/adapt/prior_times.h. */
typedef void prior_function(const struct cluster *cluster, const struct study *study,
                            const struct plan *plan, struct prior *prior);

/* Sorts the rows by id. Call it after filling them. */
void prior_sort(struct prior *prior);

/* Writes DIR/prior.csv. 0, or -1 with *err. */
int prior_write(const char *dir, const struct prior *prior, struct err *err);

/* Reads it. 0, or -1 with *err (if missing: names the command for it) and nothing to free. */
int prior_read(const char *dir, struct prior *prior, struct err *err);

/* The row of a point, or NULL. */
const struct prior_row *prior_find(const struct prior *prior, const char *point);

void prior_free(struct prior *prior);
