/* SPDX-License-Identifier: BSD-3-Clause */
/* views.h - views.csv: one sweep summarised as other benchmarks do.
 *
 * Benchmarks define the time of a call differently: the time of the slowest rank (ours), the
 * mean over ranks (OSU), the root's, from the first rank's begin to the last one's end, the fastest
 * rank's. Each view is made of the same calls by the rule of a point's time: the study's statistic
 * of the calls of a launch, then the median over launches. Of studies that keep every rank's times
 * (`keep_ranks`); the source is their samples (harness/study/records.h). */
#pragma once

#include "analysis/judge/loss.h"
#include "analysis/measure/points.h"

enum view {
    VIEW_SLOWEST, /* of the ranks: what time_s of points.csv is */
    VIEW_MEAN,    /* over the ranks, of each call */
    VIEW_ROOT,    /* by the root's clock; without a root by rank 0's */
    VIEW_SPAN,    /* last rank's end minus first rank's begin */
    VIEW_FASTEST, /* of the ranks */
    N_VIEWS
};

/* A timed point. */
struct view_row {
    struct point point;
    double time_s[N_VIEWS]; /* NaN: not known */
    struct loss_interval
        loss; /* of the slowest rank's time against the least of the cell's candidates:
        the loss when this one is chosen. Not known without a candidate */
};

extern const struct schema views_schema;

struct views {
    struct view_row *row; /* by cell */
    size_t n;
};

/* The timed points that have a time, in all views, from the store of their samples; none of a study
 * that does not keep ranks' times. 0, or -1 with *err and nothing to clear. */
int views_make(const struct store *store, const struct points *points, const struct facts *facts,
               struct views *views, struct err *err);

void views_clear(struct views *views);
