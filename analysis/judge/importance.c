/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/judge/importance.h"

/* clang-format off */
static const struct schema_column columns[] = {
    COLUMN(importance_row, NAME, "selector", selector, "", "whose trees"),
    COLUMN(importance_row, NAME, "collective", collective, "", "the MPI collective"),
    COLUMN(importance_row, NAME, "mpi", mpi, "", "the MPI library"),
    COLUMN(importance_row, NAME, "mapping", mapping, "", "how ranks are laid on nodes"),
    COLUMN(importance_row, NAME, "feature", feature, "", "what the trees may split by"),
    COLUMN(importance_row, REAL, "share", share, "", "by how much its splits lower the impurity of the examples that come to them, over the trees of all candidates, as a share of the sum over all features: of classes Gini's impurity (PML-MPI, eq. 1), of times the variance of their logarithms"),
};
/* clang-format on */

SCHEMA(importance_schema, importance_row, columns, "importance.csv",
       "In `holdout/NAME/`: one row per learner of trees, collective, library, mapping and feature "
       "(`analysis/judge/importance.h`).",
       .backend = 1);

static void add_skill(struct importances *out, const char *selector, const struct skill *s)
{
    for (size_t k = 0; k < N_FEATURES; k++) {
        struct importance_row *r = array_add(&out->row, &out->n);
        snprintf(r->selector, sizeof r->selector, "%s", selector);
        memcpy(r->collective, s->context.collective, sizeof r->collective);
        memcpy(r->mpi, s->context.mpi, sizeof r->mpi);
        memcpy(r->mapping, s->context.mapping, sizeof r->mapping);
        snprintf(r->feature, sizeof r->feature, "%s", feature_name(k));
        r->share = s->importance[k];
    }
}

void importances_add(struct importances *out, const struct learnt *learnt)
{
    for (size_t i = 0; i < learnt->n; i++)
        if (!isnan(learnt->skill[i].importance[0]))
            add_skill(out, learnt->learner->name, &learnt->skill[i]);
}

CLEARS(importances_clear, importances, it->row)
