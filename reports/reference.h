/* SPDX-License-Identifier: BSD-3-Clause */
/* reference.h - values printed in a paper, shown next to ours and labelled as the
 * paper's (reference/nuriyev2021.csv). Never an input of anything that is computed. Owns its rows.
 */
#ifndef REPORTS_REFERENCE_H
#define REPORTS_REFERENCE_H

#include "harness/study/point.h"

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

#endif
