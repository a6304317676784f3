/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/reference_errors.h"

#include <string.h>

/* clang-format off */
static const struct schema_column columns[] = {
    COLUMN(reference_error, NAME, "collective", collective, "", "the MPI collective"),
    COLUMN(reference_error, NAME, "mapping", mapping, "", "how ranks are laid on nodes"),
    COLUMN(reference_error, NAME, "algorithm", algorithm, "", "without library"),
    COLUMN(reference_error, NAME, "model", model, "", "that predicts, by its name here"),
    COLUMN(reference_error, NAME, "split", split, "", "as in errors.csv"),
    COLUMN(reference_error, NAME, "sizes", sizes, "", "as in errors.csv"),
    COLUMN(reference_error, NAME, "statistic", statistic, "", "which time was measured: `max_rank` or `mean_rank`"),
    COLUMN(reference_error, REAL, "median_pct", median_pct, "%", "median absolute percentage error"),
    COLUMN(reference_error, REAL, "high_pct", high_pct, "%", "the end of a range that begins at median_pct"),
};
/* clang-format on */

const struct schema reference_errors_schema = {
    .path = "reference/tallone-orfeo-epyc.csv",
    .meaning = "Errors that others found on the same data, one row per candidate, model, split and "
               "class of sizes.",
    SCHEMA_COLUMNS(reference_error, columns),
};

const struct reference_error *reference_errors_find(const struct reference *reference,
                                                    const struct cell *cell, const char *algorithm,
                                                    const char *model, const char *statistic,
                                                    const char *split, const char *sizes)
{
    const struct reference_error *row = reference->row;
    for (size_t i = 0; i < reference->n; i++) {
        const struct reference_error *r = &row[i];
        if (strcmp(r->collective, cell->collective) == 0 &&
            strcmp(r->mapping, cell->mapping) == 0 &&
            strcmp(r->algorithm, algorithm_base_name(algorithm)) == 0 &&
            strcmp(r->model, model) == 0 && strcmp(r->statistic, statistic) == 0 &&
            strcmp(r->split, split) == 0 && strcmp(r->sizes, sizes) == 0)
            return r;
    }
    return NULL;
}

const char *reference_errors_statistic(const struct reference *reference, const char *collective,
                                       const char *model, const char *otherwise)
{
    const struct reference_error *row = reference->row;
    for (size_t i = 0; i < reference->n; i++)
        if (strcmp(row[i].collective, collective) == 0 && strcmp(row[i].model, model) == 0)
            return row[i].statistic;
    return otherwise;
}
