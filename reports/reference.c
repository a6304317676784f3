/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/reference.h"

#include <string.h>

static int has_bytes(const void *row)
{
    return ((const struct reference_row *)row)->bytes > 0;
}

/* clang-format off */
static const struct schema_column columns[] = {
    COLUMN(reference_row, INT, "table", table, "", "number of the table in the paper"),
    COLUMN(reference_row, NAME, "cluster", cluster, "", "the cluster file of ours that stands for theirs"),
    COLUMN(reference_row, INT, "procs", procs, "", "ranks", COLUMN_NONE(0)),
    COLUMN(reference_row, COUNT, "bytes", bytes, "bytes", "size of the message", .given = has_bytes),
    COLUMN(reference_row, NAME, "algorithm", algorithm, "", "without library; empty: the row is of none"),
    COLUMN(reference_row, NAME, "quantity", quantity, "", "what `value` is: `gamma`, `alpha_s`, `beta_s_per_byte`; `best`, `model`, `default`: who chose the algorithm, and the value is the degradation in percent"),
    COLUMN(reference_row, REAL, "value", value, "", "as printed"),
};
/* clang-format on */

const struct schema reference_schema = {
    .path = "reference/nuriyev2021.csv",
    .meaning = "What a paper has printed, one row per number.",
    SCHEMA_COLUMNS(reference_row, columns),
};

const struct reference_row *reference_find(const struct reference *reference, int table,
                                           const char *cluster, int procs, uint64_t bytes,
                                           const char *algorithm, const char *quantity)
{
    const struct reference_row *row = reference->row;
    for (size_t i = 0; i < reference->n; i++) {
        const struct reference_row *r = &row[i];
        if (r->table == table && strcmp(r->cluster, cluster) == 0 &&
            (!procs || r->procs == procs) && (!bytes || r->bytes == bytes) &&
            (!algorithm || strcmp(r->algorithm, algorithm) == 0) &&
            strcmp(r->quantity, quantity) == 0)
            return r;
    }
    return NULL;
}
