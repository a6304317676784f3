/* SPDX-License-Identifier: BSD-3-Clause */
/* reference_star.h - values printed in the STAR-MPI paper on its micro-benchmark
 * (reference/star2006.csv), to be shown beside ours and labelled as the paper's. Never an input of
 * anything that is computed. Owns its rows. */
#ifndef REPORTS_REFERENCE_STAR_H
#define REPORTS_REFERENCE_STAR_H

#include "analysis/adapt/star_row.h"
#include "reports/reference.h"

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

#endif
