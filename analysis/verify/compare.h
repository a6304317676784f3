/* SPDX-License-Identifier: BSD-3-Clause */
/* compare.h - the library's default before and after: of two releases in one study, or of two
 * studies, data sets or dates. Lists what became slower or faster, and the algorithms run.
 *
 * Each cell with a time of the default on both sides is one test: Welch's t of both times over
 * launches (stats.h), two-sided, with the Benjamini-Hochberg correction (1995) over all cells: the
 * rate bounds the share of false reports, and, where nothing differs, the chance of any report. A
 * change must also exceed the threshold. Exact times (walked, simulated) are compared by the
 * threshold alone. Times of two statistics are not compared. An effect common to all launches, such
 * as a day on which the machine is slower, cannot be distinguished from a change. Owns its rows. */
#pragma once

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
    int exact;         /* both times are walked or simulated: there is nothing to test */
    double p;          /* two-sided, before the correction; NaN: no test */
    double p_corrected;
    struct candidate ran_before, ran_after; /* algorithm "": not known */
    enum compare_verdict verdict;
};

struct compare {
    struct compare_row *row; /* the gravest loss first once judged */
    size_t n;
    size_t tests;                   /* with a p */
    size_t exact;                   /* pairs of exact times */
    size_t only_before, only_after; /* cells of one side alone */
    size_t apart;   /* cells whose times are of two statistics (slowest rank, mean over ranks) */
    size_t doubted; /* times of both sides that do not count */
    size_t crowded; /* pairs with more ranks than cores */
    size_t verdicts[N_COMPARE_VERDICTS];
};

/* One side: the results, and whose default. */
struct compare_side {
    const struct points *points;
    const struct facts *facts;
    const char *mpi; /* the entry */
};

/* Threshold of a change, and the false discovery rate. */
struct compare_rule {
    double threshold_pct; /* 10 */
    double rate;          /* 0.01 */
};

/* What then decides, for "N of M cells have more ranks than cores: ". */
extern const char compare_of_crowded[];

/* 10 % and 1 %: where nobody says otherwise. */
extern const struct compare_rule compare_usual;

/* By how much less time the threshold's change is undone, percent: 9.09 of 10. */
double compare_least_gain(const struct compare_rule *rule);

/* A collective's cells by verdict, the geometric mean of their changes, and the gravest loss
 * (NULL: none). */
struct compare_sum {
    size_t cells, n[N_COMPARE_VERDICTS];
    double change_pct;
    const struct compare_row *worst;
};
struct compare_sum compare_sum_up(const struct compare *c, const char *collective);

/* Adds the pairs of cells of two sides with the same collective,
 * processes, placement and size. Start from zeros. */
void compare_add(struct compare *c, const struct compare_side *before,
                 const struct compare_side *after);

/* 1 when the i-th row is the first of its collective. */
int compare_is_first(const struct compare *c, size_t i);

/* Judges all that was added, as one family of tests. */
void compare_judge(struct compare *c, const struct compare_rule *rule);

/* Enumerates pairs of entries of one family that are consecutive in the study's
 * list: calls take for each pair with the indices of both in facts->mpi. */
void compare_releases(const struct facts *facts,
                      void (*take)(size_t before, size_t after, void *to), void *to);

void compare_clear(struct compare *c);
