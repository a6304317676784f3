/* SPDX-License-Identifier: BSD-3-Clause */
/* importance.h - importance.csv: importance of features in the learners' trees, of the trial
 * of heldout.csv (heldout.h). Owns its rows. */
#pragma once

#include "analysis/learn/learner.h"

struct importance_row {
    char selector[NAME_SIZE];
    char collective[NAME_SIZE], mpi[NAME_SIZE], mapping[NAME_SIZE];
    char feature[NAME_SIZE];
    double share; /* of all features', 0 to 1 (trees_importance) */
};

extern const struct schema importance_schema;

struct importances {
    struct importance_row *row; /* by learner, then subject, then feature */
    size_t n;
};

/* Adds the feature importances of a trained learner; nothing where it has no trees. */
void importances_add(struct importances *out, const struct learnt *learnt);

void importances_clear(struct importances *importances);
