/* SPDX-License-Identifier: BSD-3-Clause */
/* reference_pml.h - values printed in the PML-MPI paper (reference/pml2023.csv), shown next to
 * ours and labelled as the paper's. Never an input of anything that is computed. Owns its rows. */
#ifndef REPORTS_REFERENCE_PML_H
#define REPORTS_REFERENCE_PML_H

#include "harness/study/point.h"
#include "reports/reference.h"

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

#endif
