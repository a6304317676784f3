/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/reference_errors.h"

#include <stdlib.h>
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

int reference_errors_read(const char *assets, struct reference_errors *reference, struct err *err)
{
    reference->row = schema_read(&reference_errors_schema, assets, &reference->n, err);
    return reference->row ? 0 : -1;
}

void reference_errors_clear(struct reference_errors *reference)
{
    free(reference->row);
    *reference = (struct reference_errors){ .n = 0 };
}

const struct reference_error *reference_errors_find(const struct reference_errors *reference,
                                                    const struct cell *cell, const char *algorithm,
                                                    const char *model, const char *statistic,
                                                    const char *split, const char *sizes)
{
    for (size_t i = 0; i < reference->n; i++) {
        const struct reference_error *r = &reference->row[i];
        if (strcmp(r->collective, cell->collective) == 0 &&
            strcmp(r->mapping, cell->mapping) == 0 &&
            strcmp(r->algorithm, algorithm_base_name(algorithm)) == 0 &&
            strcmp(r->model, model) == 0 && strcmp(r->statistic, statistic) == 0 &&
            strcmp(r->split, split) == 0 && strcmp(r->sizes, sizes) == 0)
            return r;
    }
    return NULL;
}

const char *reference_errors_statistic(const struct reference_errors *reference,
                                       const char *collective, const char *model,
                                       const char *otherwise)
{
    for (size_t i = 0; i < reference->n; i++)
        if (strcmp(reference->row[i].collective, collective) == 0 &&
            strcmp(reference->row[i].model, model) == 0)
            return reference->row[i].statistic;
    return otherwise;
}
