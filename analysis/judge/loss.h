/* SPDX-License-Identifier: BSD-3-Clause */
/* loss.h - loss of one candidate against another in the same cell, when both have a time in
 * each of several launches. Pure functions. */
#pragma once

#include "analysis/measure/study_facts.h"
#include "analysis/measure/samples.h"

struct loss_interval {
    double pct;                     /* longer_pct of chosen and best (stats.h) */
    double ci_low_pct, ci_high_pct; /* over launches; NaN below two, and in a simulation */
    int tied;                       /* the interval reaches 0 or below; STAT_NA: not known */
};

/* The value of a loss in means and counts. With launches of our own, a loss that is not significant
 * counts as 0, and a loss from a single launch is unknown: NaN. Other losses count as they are. */
double loss_counted(double pct, int tied, const struct facts *facts);

/* An unknown loss: NaN and STAT_NA. */
struct loss_interval loss_unknown(void);

/* Fills the interval and the verdict of a loss with a known pct. a and b are the
 * times of the chosen and the best candidate in each repeat, from series_times. Each
 * launch that measured both gives one ratio, so effects common to a launch cancel.
 * The interval follows the rule of a point's time (harness/base/launch_stats.h):
 * both ends are above -100 % and the interval contains pct. With fewer than two such
 * launches the interval is left unchanged. Returns the number of such launches. */
size_t loss_over_launches(const double a[MOST_REPEATS + 1], const double b[MOST_REPEATS + 1],
                          const struct facts *facts, struct loss_interval *loss);

/* The columns of its interval and verdict, of struct ROW. */
#define LOSS_COLUMNS(row, member)                                                                  \
    COLUMN(row, REAL, "ci_low_pct", member.ci_low_pct, "%",                                        \
           "interval of the loss over the launches that measured both; empty in a simulation and " \
           "where there are fewer than two"),                                                      \
        COLUMN(row, REAL, "ci_high_pct", member.ci_high_pct, "%", "its other end"),                \
        COLUMN(row, INT, "tied", member.tied, "",                                                  \
               "the interval reaches 0 or below; in a simulation, within the study's `tie_pct`; "  \
               "empty where it is not known",                                                      \
               COLUMN_VERDICT)
