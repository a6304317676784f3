/* SPDX-License-Identifier: BSD-3-Clause */
/* valid_samples.h - the samples of a launch that count, and the time that they are summed up to.
 * Asked by whoever plans further launches and by the analysis alike, so that both see the same. */
#ifndef HARNESS_STUDY_VALID_SAMPLES_H
#define HARNESS_STUDY_VALID_SAMPLES_H

#include "harness/base/robust.h"
#include "harness/study/store.h"

/* What is told of them beside. */
struct valid_samples {
    size_t valid, disturbed; /* calls that are valid and no warm-up; those of them that were
                                disturbed, left out or not */
    double mean_rank_s;      /* sum over what counts of the means over ranks */
};

/* The samples of an outcome that count: valid, no warm-up, and of those what stands for the steady
 * state (harness/base/steady_state.h: no slow beginning, no disturbed call where enough others are
 * left), in the order taken, in seconds by the root's clock or of the slowest rank. *value is to be
 * freed; of may be NULL. Returns how many, or -1 with *err. */
long valid_samples_of(const struct store *store, const struct outcome *outcome, int root,
                      double **value, struct valid_samples *of, struct err *err);

/* The same samples whole, to be freed: every time of a call (records.h), where valid_samples_of has
 * but one. */
long valid_sample_rows(const struct store *store, const struct outcome *outcome, int root,
                       struct sample **rows, struct valid_samples *of, struct err *err);

/* Sets *seconds to the time of an outcome's launch by the statistic; NaN where there is none, and
 * where what ran was proved to be something else. 0, or -1 with *err. */
int valid_samples_time(const struct store *store, const struct outcome *outcome, int root,
                       enum statistic statistic, double *seconds, struct err *err);

#endif
