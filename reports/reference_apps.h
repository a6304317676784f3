/* SPDX-License-Identifier: BSD-3-Clause */
/* reference_apps.h - values printed in the STAR-MPI paper on its applications
 * (reference/star2006_applications.csv), shown next to ours and labelled as the paper's. Never
 * an input of anything that is computed. Owns its rows. */
#ifndef REPORTS_REFERENCE_APPS_H
#define REPORTS_REFERENCE_APPS_H

#include "analysis/applications/apps.h"
#include "reports/reference.h"

struct reference_app {
    char application[NAME_SIZE], size[NAME_SIZE]; /* ours, with the message sizes of theirs */
    char program[NAME_SIZE];                      /* theirs */
    char cluster[NAME_SIZE];                      /* our cluster file for their cluster */
    int ranks, steps;
    char collective[NAME_SIZE];
    uint64_t bytes;
    char star[64], fixed[64], usual[64]; /* algorithms of STAR, STATIC, MPICH, in its words */
    double star_s, fixed_s, usual_s;     /* of the whole program by these */
    double best_s;                       /* STAR'; NaN: not printed */
};

/* Rows are struct reference_app. */
extern const struct schema reference_apps_schema;

/* The paper's row for a program of ours: the same size and ranks, so the same bytes, on whatever
 * cluster; NULL: it has none. */
const struct reference_app *reference_apps_find(const struct reference *reference,
                                                const struct apps_run *run);

#endif
