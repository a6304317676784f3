/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/reference_star.h"

#include <string.h>

/* clang-format off */
static const struct schema_column columns[] = {
    COLUMN(reference_star_row, TEXT, "item", item, "", "of the paper: its table or figure"),
    COLUMN(reference_star_row, NAME, "cluster", cluster, "", "the cluster file of ours that stands for theirs"),
    COLUMN(reference_star_row, NAME, "collective", collective, "", "the MPI collective"),
    COLUMN(reference_star_row, COUNT, "bytes", bytes, "bytes", "per process, as the MPI call sees it"),
    COLUMN(reference_star_row, WORD, "scheme", scheme, "", "as in star.csv, and so what follows", .words = star_scheme_words),
    COLUMN(reference_star_row, INT, "measured", measured, "", "calls of Measure_Select", COLUMN_NONE(0)),
    COLUMN(reference_star_row, REAL, "measure_s", measure_s, "s", "of all of these"),
    COLUMN(reference_star_row, TEXT, "algorithm", algorithm, "", "in the paper's words"),
    COLUMN(reference_star_row, REAL, "measure_call_s", measure_call_s, "s", "of a call of Measure_Select"),
    COLUMN(reference_star_row, REAL, "monitor_call_s", monitor_call_s, "s", "of a call of Monitor_Adapt"),
    COLUMN(reference_star_row, REAL, "o_ms_a_s", o_ms_a_s, "s", "overhead"),
    COLUMN(reference_star_row, REAL, "o_ms_c_s", o_ms_c_s, "s", "likewise"),
    COLUMN(reference_star_row, REAL, "o_ma_s", o_ma_s, "s", "likewise"),
    COLUMN(reference_star_row, REAL, "default_s", default_s, "s", "of a call by MPICH 2, on Lemieux by its native MPI"),
    COLUMN(reference_star_row, REAL, "whole_call_s", whole_call_s, "s", "of a call, mean of 500 with both stages"),
};
/* clang-format on */

const struct schema reference_star_schema = {
    .path = "reference/star2006.csv",
    .meaning = "What the STAR-MPI paper has printed of its micro-benchmark.",
    SCHEMA_COLUMNS(reference_star_row, columns),
};

const struct reference_star_row *reference_star_find(const struct reference *reference,
                                                     const char *item, const char *cluster,
                                                     const struct star_row *ours)
{
    const struct reference_star_row *row = reference->row;
    for (size_t i = 0; i < reference->n; i++) {
        const struct reference_star_row *r = &row[i];
        if (r->bytes == ours->bytes && r->scheme == ours->scheme && strcmp(r->item, item) == 0 &&
            strcmp(r->cluster, cluster) == 0 && strcmp(r->collective, ours->collective) == 0)
            return r;
    }
    return NULL;
}
