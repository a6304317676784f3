/* SPDX-License-Identifier: BSD-3-Clause */
/* prior.h - what is thought of the points of a plan before anything is measured: the time that a
 * model without parameters gives each (analysis/adapt/prior_times.h computes it), and which of them
 * stand for the library's default. An adaptive plan begins with these (adaptive.h). Written as
 * prior.csv beside plan.csv, so that whoever asks which points a round has is told the same. */
#ifndef HARNESS_STUDY_PRIOR_H
#define HARNESS_STUDY_PRIOR_H

#include "harness/study/plan.h"

/* One point. */
struct prior_row {
    char point[ID_SIZE];
    double seconds; /* of a call; NaN: nobody knows what it sends */
    int is_default; /* 1: what the library does where nothing is set */
};

/* Owns its rows, which are by id. */
struct prior {
    struct prior_row *row;
    size_t n;
};

extern const struct schema prior_schema;

/* Who makes one for a plan: analysis/adapt/prior_times.h. */
typedef void foresee_function(const struct cluster *cluster, const struct study *study,
                              const struct plan *plan, struct prior *prior);

/* Puts the rows in order, which who fills them does at the end. */
void prior_sort(struct prior *prior);

/* Writes DIR/prior.csv. 0, or -1 with *err. */
int prior_write(const char *dir, const struct prior *prior, struct err *err);

/* Reads it. 0, or -1 with *err (there is none: it says who writes it) and nothing to free. */
int prior_read(const char *dir, struct prior *prior, struct err *err);

/* The row of a point, or NULL. */
const struct prior_row *prior_find(const struct prior *prior, const char *point);

/* Frees what it holds. */
void prior_free(struct prior *prior);

#endif
