/* SPDX-License-Identifier: BSD-3-Clause */
/* reference.h - values printed in a paper, shown next to ours and labelled as the paper's
 * (reference/nuriyev2021.csv). Never an input of anything that is computed. Owns its rows. */
#pragma once

#include "analysis/adapt/star_row.h"
#include "analysis/applications/apps.h"

struct reference_row {
    int table;
    char cluster[NAME_SIZE], algorithm[NAME_SIZE], quantity[NAME_SIZE];
    int procs;      /* 0: not given */
    uint64_t bytes; /* 0: not given */
    double value;
};

/* Rows that a paper has printed, as the schema of its file has them: for freeing by free(row). */
struct reference {
    void *row;
    size_t n;
};

/* Rows are struct reference_row. */
extern const struct schema reference_schema;

/* The row of a table for a cluster; procs, bytes 0 and algorithm NULL match any. NULL: not there.
 */
const struct reference_row *reference_find(const struct reference *reference, int table,
                                           const char *cluster, int procs, uint64_t bytes,
                                           const char *algorithm, const char *quantity);

/* Values printed in the STAR-MPI paper on its micro-benchmark (reference/star2006.csv), to be shown
 * beside ours and labelled as the paper's. Never an input of anything that is computed. Owns its
 * rows. */

struct reference_star_row {
    char item[24]; /* its table or figure */
    char cluster[NAME_SIZE], collective[NAME_SIZE];
    uint64_t bytes;
    enum star_scheme scheme;
    int measured;       /* calls of Measure_Select; 0: not printed */
    char algorithm[64]; /* in the paper's words; "": not printed */
    double measure_s, measure_call_s, monitor_call_s, o_ms_a_s, o_ms_c_s, o_ma_s, default_s,
        whole_call_s; /* as in struct star_row; of a call, mean of 500 with both stages; NaN: none
                       */
};

/* Rows are struct reference_star_row. */
extern const struct schema reference_star_schema;

/* The paper's row of a table or figure for a row of ours; NULL: it has none. */
const struct reference_star_row *reference_star_find(const struct reference *reference,
                                                     const char *item, const char *cluster,
                                                     const struct star_row *row);

/* Values printed in the PML-MPI paper (reference/pml2023.csv), shown next to ours and labelled as
 * the paper's. Never an input of anything that is computed. Owns its rows. */

struct reference_pml_row {
    char item[24];           /* its table, figure or section */
    char cluster[NAME_SIZE]; /* our counterpart of theirs; `all` */
    char collective[NAME_SIZE], holdout[NAME_SIZE], selector[NAME_SIZE]; /* "": not of one */
    int nodes;                                                           /* 0: not of one number */
    char quantity[NAME_SIZE]; /* samples, accuracy_pct, loss_pct, times, minutes, seconds */
    double value;
};

/* Rows are struct reference_pml_row. */
extern const struct schema reference_pml_schema;

/* The row of a quantity; collective, holdout and selector NULL match any. NULL: it is not there. */
const struct reference_pml_row *reference_pml_find(const struct reference *reference,
                                                   const char *quantity, const char *cluster,
                                                   const char *collective, const char *holdout,
                                                   const char *selector);

/* Values printed in the STAR-MPI paper on its applications (reference/star2006_applications.csv),
 * shown next to ours and labelled as the paper's. Never an input of anything that is computed. Owns
 * its rows. */

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
