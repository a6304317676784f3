/* SPDX-License-Identifier: BSD-3-Clause */
/* pooled_splits.h - results of `collsel select --joined` below a study's holdout/: joined.csv and
 * overhead.csv of each split. Owns its rows. */
#pragma once

#include "analysis/heldout/pooled_learning.h"
#include "reports/data.h"

struct joint {
    char name[NAME_SIZE]; /* of its directory */
    struct joined_row *row;
    size_t rows;
    struct overhead_row *cost;
    size_t costs;
};

/* 1 when there is a split with a joined.csv. */
int joint_any(const struct report_data *data);

/* Those with a joined.csv, by name, into an array to be freed by joint_free in any case. 0, or -1
 * with *err. */
int joint_read(const struct report_data *data, struct joint **joint, size_t *n, struct err *err);
void joint_free(struct joint *joint, size_t n);
