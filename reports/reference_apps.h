/* SPDX-License-Identifier: BSD-3-Clause */
/* reference_apps.h - what the STAR-MPI paper has printed of its applications
 * (reference/star2006_applications.csv), to be shown beside ours and labelled as the paper's. Never
 * an input of anything that is computed. Owns its rows. */
#ifndef REPORTS_REFERENCE_APPS_H
#define REPORTS_REFERENCE_APPS_H

#include "analysis/applications/apps.h"

struct reference_app {
    char application[NAME_SIZE], size[NAME_SIZE]; /* ours, with the message sizes of theirs */
    char program[NAME_SIZE];                      /* theirs */
    char cluster[NAME_SIZE];                      /* the cluster file that stands for theirs */
    int ranks, steps;
    char collective[NAME_SIZE];
    uint64_t bytes;
    char star[64], fixed[64], usual[64]; /* algorithms of STAR, STATIC, MPICH, in its words */
    double star_s, fixed_s, usual_s;     /* of the whole program by these */
    double best_s;                       /* STAR'; NaN: not printed */
};

struct reference_apps {
    struct reference_app *row;
    size_t n;
};

/* Rows are struct reference_app. */
extern const struct schema reference_apps_schema;

/* Reads ASSETS/reference/star2006_applications.csv. 0, or -1 with *err and nothing to free. */
int reference_apps_read(const char *assets, struct reference_apps *reference, struct err *err);

/* Frees what it holds. */
void reference_apps_clear(struct reference_apps *reference);

/* The paper's row for a program of ours: the same size and ranks, so the same bytes, on whatever
 * cluster; NULL: it has none. */
const struct reference_app *reference_apps_find(const struct reference_apps *reference,
                                                const struct apps_run *run);

#endif
