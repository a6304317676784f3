/* SPDX-License-Identifier: BSD-3-Clause */
/* valid_samples.h - the valid samples of a launch, and the time computed from them.
 * Used both to plan further launches and by the analysis, so both see the same samples. */
#pragma once

#include "harness/base/robust.h"
#include "harness/study/store.h"

/* Further facts on the samples. */
struct valid_samples {
    size_t valid, disturbed; /* calls that are valid and no warm-up; those of them that were
                                disturbed, left out or not */
    double mean_rank_s;      /* sum over valid samples of the means over ranks */
};

/* The samples of an outcome that count: valid, no warm-up, in steady state
 * (harness/base/robust.h: without a slow beginning, and without disturbed calls if
 * enough others remain), in the order taken, in seconds by the root's clock or of the slowest
 * rank. *value is to be freed; of may be NULL. Returns their number, or -1 with *err. */
long valid_samples_of(const struct store *store, const struct outcome *outcome, int root,
                      double **value, struct valid_samples *of, struct err *err);

/* The same samples with all times of a call (records.h),
 * where valid_samples_of returns one; to be freed. */
long valid_sample_rows(const struct store *store, const struct outcome *outcome, int root,
                       struct sample **rows, struct valid_samples *of, struct err *err);

/* Sets *seconds to the time of an outcome's launch by the statistic; NaN where there
 * is none, or where another algorithm was proved to run. 0, or -1 with *err. */
int valid_samples_time(const struct store *store, const struct outcome *outcome, int root,
                       enum statistic statistic, double *seconds, struct err *err);
