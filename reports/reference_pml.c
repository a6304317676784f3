/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/reference_pml.h"

#include <string.h>

#include "harness/base/schema.h"

/* clang-format off */
static const struct schema_column columns[] = {
    COLUMN(reference_pml_row, TEXT, "item", item, "", "of the paper: its table, figure or section"),
    COLUMN(reference_pml_row, NAME, "cluster", cluster, "", "the cluster file of ours that stands for theirs, or `all`"),
    COLUMN(reference_pml_row, NAME, "collective", collective, "", "the MPI collective; empty: any"),
    COLUMN(reference_pml_row, TEXT, "holdout", holdout, "", "as `collsel select --holdout` takes what comes nearest to their split; empty: of none"),
    COLUMN(reference_pml_row, NAME, "selector", selector, "", "who chooses, by our names; empty: nobody"),
    COLUMN(reference_pml_row, INT, "nodes", nodes, "", "on so many; empty: not of one number", .most = 1000000, COLUMN_NONE(0)),
    COLUMN(reference_pml_row, NAME, "quantity", quantity, "", "`samples`, `accuracy_pct` (%), `loss_pct` (%), `times`, `minutes`, `seconds`: the comments of the file say of what"),
    COLUMN(reference_pml_row, REAL, "value", value, "", "as printed"),
};
/* clang-format on */

const struct schema reference_pml_schema = {
    .path = "reference/pml2023.csv",
    .meaning = "What the PML-MPI paper has printed.",
    SCHEMA_COLUMNS(reference_pml_row, columns),
};

static int fits(const char *wanted, const char *has)
{
    return !wanted || strcmp(wanted, has) == 0;
}

const struct reference_pml_row *reference_pml_find(const struct reference *reference,
                                                   const char *quantity, const char *cluster,
                                                   const char *collective, const char *holdout,
                                                   const char *selector)
{
    const struct reference_pml_row *row = reference->row;
    for (size_t i = 0; i < reference->n; i++) {
        const struct reference_pml_row *r = &row[i];
        if (fits(quantity, r->quantity) && fits(cluster, r->cluster) &&
            fits(collective, r->collective) && fits(holdout, r->holdout) &&
            fits(selector, r->selector))
            return r;
    }
    return NULL;
}
