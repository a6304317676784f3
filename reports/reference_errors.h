/* SPDX-License-Identifier: BSD-3-Clause */
/* reference_errors.h - prediction errors that others found on the same data, from
 * reference/tallone-orfeo-epyc.csv. They are shown beside ours, labelled as reference, and enter no
 * computation. Owns its rows. */
#ifndef REPORTS_REFERENCE_ERRORS_H
#define REPORTS_REFERENCE_ERRORS_H

#include "harness/study/point.h"
#include "reports/reference.h"

struct reference_error {
    char collective[NAME_SIZE], mapping[NAME_SIZE], algorithm[NAME_SIZE]; /* without library */
    char model[NAME_SIZE], split[16], sizes[16];
    char statistic[16];          /* of the times: max_rank, mean_rank */
    double median_pct, high_pct; /* high_pct: the end of a range that begins at median_pct; NaN */
};

/* Rows are struct reference_error. */
extern const struct schema reference_errors_schema;

/* The statistic of the times that a model was judged by; `otherwise` where it has no row. */
const char *reference_errors_statistic(const struct reference *reference, const char *collective,
                                       const char *model, const char *otherwise);

/* The row of a candidate ("LIBRARY:NAME") against times of this statistic, or NULL. */
const struct reference_error *reference_errors_find(const struct reference *reference,
                                                    const struct cell *cell, const char *algorithm,
                                                    const char *model, const char *statistic,
                                                    const char *split, const char *sizes);

#endif
