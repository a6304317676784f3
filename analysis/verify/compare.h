/* SPDX-License-Identifier: BSD-3-Clause */
/* compare.h - the library's default before and after: of two releases in one study, or of two
 * studies, data sets or dates. What got slower, what faster, and what ran.
 *
 * Each cell with a time of the default on both sides is one test: Welch's t of both times over
 * launches (welch.h), two-sided, corrected for all cells together by Benjamini and Hochberg (1995),
 * so that of what is named at most the rate is false, and where nothing differs the chance that
 * anything is named is the rate. Beside that a change has to be as large as the threshold. Times
 * that are certain (walked, simulated) change by the threshold alone. What launches share, such as
 * a day on which a whole machine is slower, is no launch's noise: a test cannot tell it from a
 * change. Owns its rows. */
#ifndef ANALYSIS_VERIFY_COMPARE_H
#define ANALYSIS_VERIFY_COMPARE_H

#include "analysis/measure/points.h"

enum compare_verdict {
    COMPARE_SAME,     /* changed by less than the threshold */
    COMPARE_SLOWER,   /* by more, and significantly */
    COMPARE_FASTER,   /* likewise; 10 % more time is undone by 9.1 % less */
    COMPARE_UNSURE,   /* by more, but not significantly */
    COMPARE_UNTESTED, /* by more, where a side has one launch */
    N_COMPARE_VERDICTS
};

/* "same", "slower", "faster", "unsure", "untested". */
extern const char *const compare_words[];

struct compare_row {
    struct cell cell;      /* as before */
    char after[NAME_SIZE]; /* the entry after */
    double before_s, after_s;
    double change_pct; /* 100 (after / before - 1) */
    double p;          /* two-sided, before the correction; NaN: no test */
    double p_corrected;
    struct candidate ran_before, ran_after; /* algorithm "": not known */
    enum compare_verdict verdict;
};

struct compare {
    struct compare_row *row; /* the gravest loss first once judged */
    size_t n;
    size_t tests;                   /* with a p */
    size_t only_before, only_after; /* cells of one side alone */
    size_t verdicts[N_COMPARE_VERDICTS];
};

/* One side: the results, and whose default. */
struct compare_side {
    const struct points *points;
    const struct facts *facts;
    const char *mpi; /* the entry */
};

/* By how much a time has to change, and how often the verdict may be false. */
struct compare_rule {
    double threshold_pct; /* 10 */
    double rate;          /* 0.01 */
};

/* Adds the cells of two sides, which lie in the same collective, processes, place and size, to what
 * begins as zeros. */
void compare_add(struct compare *c, const struct compare_side *before,
                 const struct compare_side *after);

/* Judges all that was added, as one family of tests. */
void compare_judge(struct compare *c, const struct compare_rule *rule);

/* Of the entries of a study the pairs of one family, one behind the other as the study names them:
 * calls take for each with the places of both in facts->mpi. */
void compare_releases(const struct facts *facts,
                      void (*take)(size_t before, size_t after, void *to), void *to);

/* Frees what it holds. */
void compare_clear(struct compare *c);

#endif
