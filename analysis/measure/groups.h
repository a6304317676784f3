/* SPDX-License-Identifier: BSD-3-Clause */
/* groups.h - groups of timed points that differ only in their number of
 * processes (and in the nodes they occupy): the input of a regression over
 * P. Each group can be split into points to fit and points to judge by. */
#pragma once

#include "analysis/measure/points.h"

/* Which time of a point is meant. */
enum rank_statistic {
    OVER_OWN,  /* the point's own, time.value: the slowest rank's, or that of the source */
    OVER_MEAN, /* the mean over ranks, mean_rank_s, where the own one is not that */
    N_RANK_STATISTICS
};

/* "max_rank" or "mean_rank" for a point. */
const char *rank_statistic_name(const struct measured *m, enum rank_statistic statistic);

/* The time of a point in seconds; NaN where it is not known. */
double measured_seconds(const struct measured *m, enum rank_statistic statistic);

/* Points of one collective, library, mapping, root, size and candidate, by ascending P. Borrowed
 * from the points. */
struct point_group {
    const struct measured *const *row;
    size_t n;
};

struct point_groups {
    const struct measured **row;
    struct point_group *group; /* ascending by group_compare */
    size_t n;
};

/* Groups the points whose experiment is `time`, of the study or a library's default, that have a
 * time and at which nothing else ran. */
void point_groups_make(const struct points *points, struct point_groups *groups);

void point_groups_clear(struct point_groups *groups);

/* The order of groups: collective, library, mapping, root, candidate, size. The other fields of the
 * cells do not count. As for qsort. */
int group_compare(const struct cell *a, const struct candidate *x, const struct cell *b,
                  const struct candidate *y);

/* How a model is judged. */
enum split {
    SPLIT_IN_SAMPLE,    /* judged on the fitted points */
    SPLIT_ALTERNATE,    /* fitted to every other of the group's even P and every other of its odd P,
                           each from the least; on the others. Times may differ between odd and even
                           P (trees and rings do): both kinds are in either part */
    SPLIT_EXTRAPOLATED, /* fitted to all P up to half of the largest; on the larger ones */
    N_SPLITS
};

/* "in_sample", "alternate", "extrapolated". */
extern const char *const split_words[]; /* ended by NULL */

/* fitted[i], judged[i] become 1 for the rows of the group that belong to that part of the split,
 * else 0. Either may be NULL. */
void split_group(enum split split, const struct point_group *group, unsigned char *fitted,
                 unsigned char *judged);
