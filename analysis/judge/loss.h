/* SPDX-License-Identifier: BSD-3-Clause */
/* loss.h - what one candidate loses against another in the same cell, where both have a time in
 * each of several launches. Pure functions. */
#ifndef ANALYSIS_JUDGE_LOSS_H
#define ANALYSIS_JUDGE_LOSS_H

#include "analysis/measure/study_facts.h"
#include "analysis/measure/samples.h"

struct loss_interval {
    double pct;                     /* longer_pct of chosen and best (stats.h) */
    double ci_low_pct, ci_high_pct; /* over launches; NaN below two, and in a simulation */
    int tied;                       /* the interval reaches 0 or below; STAT_NA: not known */
};

/* What a loss counts as in means and counts. Where launches of our own tell, a loss that they do
 * not tell from none counts as none, and one that a single launch says is not known: NaN. Elsewhere
 * it counts as it is. */
double loss_counted(double pct, int tied, const struct facts *facts);

/* NaN, and STAT_NA. */
struct loss_interval loss_unknown(void);

/* Fills the interval and the verdict of a loss whose pct is known: a and b are the times of the
 * chosen and of the best in each repeat, s, as series_times has them. Each launch that measured
 * both gives one ratio, so that what they share in a launch cancels; the rule is that of a point's
 * time (harness/base/launch_stats.h), so that no end is at or below -100 %, and the interval holds
 * pct. With fewer than two such launches
 * the interval stays as it was. Returns how many there are. */
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

#endif
