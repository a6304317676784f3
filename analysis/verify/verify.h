/* SPDX-License-Identifier: BSD-3-Clause */
/* verify.h - the gain of a rules file: the library's default without the file compared with the
 * default with it, per launch.
 *
 * Both are measured like a study, in one directory each, in rounds of one launch of each.
 * A round is a pair under the same conditions. Its gain in a cell is the extra time of the
 * default without the file; the interval comes from the ends of both medians' intervals.
 *
 * First the file with all choices is measured, in the cells with a rule. A cell
 * keeps its rule if the lower end exceeds a margin in at least two launches and in
 * most, and the upper end is a loss in none. It loses its rule if another algorithm
 * ran. A view selects the time: the slowest rank's or the mean over ranks. With
 * both, the slowest rank's decides, and the mean must not lose more than the margin.
 *
 * Then the file of the kept rules is measured as a whole in new launches: all cells, also
 * those without a rule. The launches that selected a rule overestimate its gain (the
 * winner's curse). The new launches selected nothing, so their means are the expected
 * gains. Rules that lose there are removed, too. Cells that run the same algorithm on both
 * sides show how often two launches of the same thing seem to differ. Owns its rows. */
#pragma once

#include "analysis/advise/tuning.h"

/* The time of a call that is used. */
enum verify_view {
    VERIFY_BY_BOTH,    /* the slowest rank's, and the mean over ranks must not lose */
    VERIFY_BY_SLOWEST, /* the slowest rank's alone */
    VERIFY_BY_MEAN,    /* the mean over ranks alone */
    N_VERIFY_VIEWS
};

/* "both", "slowest", "mean"; NULL. */
extern const char *const verify_view_words[];

enum verify_verdict {
    VERIFY_KEPT,
    VERIFY_UNSURE,  /* not above the margin in two launches and in most, or one loses;
                       in a whole file the rule stays, as the trial confirmed it */
    VERIFY_TRADES,  /* gains by the slowest rank, and by the mean over ranks loses more than the
                       margin in most launches */
    VERIFY_LOSES,   /* slower with the file in most launches */
    VERIFY_OTHER,   /* something else ran than the rule says */
    VERIFY_MISSING, /* fewer than two rounds have times of both */
    VERIFY_NONE,    /* of a whole file: no rule, and not slower */
    N_VERIFY_VERDICTS
};

/* "kept", "unsure", "trades", "loses", "other", "missing", "none". */
extern const char *const verify_words[];

struct verify_gain {
    double pct, low_pct, high_pct; /* the median over rounds, and its interval; NaN: not known */
};

struct verify_row {
    struct cell cell;
    struct candidate take;            /* algorithm "": no rule */
    int rounds;                       /* with times of both */
    int told;                         /* of these, rounds in which both have an interval */
    int sure, lost;                   /* by the view: gain above the margin; file is slower */
    int suffers;                      /* the other view loses more than the margin */
    struct verify_gain slowest, mean; /* by the slowest rank's time of a call; by the ranks' mean */
    int proved, other;                /* launches that ran the rule's algorithm (without a rule: the
                                         same as without the file); launches that ran another */
    char ran[NAME_SIZE];              /* with the file; "": not known */
    enum verify_verdict verdict;
};

/* The mean gain of some cells: mean of log ratios, by the view. */
struct verify_mean {
    size_t n; /* cells */
    struct verify_gain gain;
};

struct verify {
    struct verify_row *row;
    size_t n;
    int whole;             /* 1: of all cells, with the rules that a trial kept */
    enum verify_view view; /* used for the verdicts */
    size_t verdicts[N_VERIFY_VERDICTS];
    struct verify_mean
        with_rule; /* cells with a rule: in a trial, a kept one; in a whole file, any */
    /* of a whole file */
    struct verify_mean untied;             /* cells where the trial showed the default to be
                                              significantly slower, with or without a rule now */
    struct verify_mean all, bare;          /* all; those without a rule */
    size_t worse, untested;                /* significantly slower in most launches, with or
                                              without a rule; no interval in most launches */
    size_t worse_bare;                     /* of the former, those without a rule */
    size_t same, same_faster, same_slower; /* launches surely equal with and without the file;
                                              of these, with a significant difference */
};

extern const struct schema verify_schema, verify_whole_schema;

/* Input of verify_make. Borrowed. */
struct verify_question {
    const char *without, *with;  /* the directories of both measurements */
    const struct rules *file;    /* that was measured */
    const struct tuning *tuning; /* what it was made of */
    double margin_pct;
    enum verify_view view;
    const struct verify *tried; /* NULL: this is the trial; else the trial that kept its rules */
};

/* Removes choices equal to what the library's default ran when the study in DIR was measured: they
 * have no gain, whatever their times are. *n: how many. 0, or -1 with *err. */
int verify_drop_same(const char *dir, struct tuning *tuning, size_t *n, struct err *err);

/* The cells of the tuning for which the file has a rule: what a trial measures. */
int verify_has_rule(const struct rules *file, const struct tuning *tuning, const struct cell *cell,
                    struct candidate *take);

/* Reads both directories. 0, or -1 with *err and nothing to clear. */
int verify_make(const struct verify_question *question, struct verify *out, struct err *err);

/* Eight hex digits, a digest of all choices, for the name of a trial. */
void verify_digest(const struct tuning *tuning, char digest[16]);

/* 1 when the rule of a cell stays. */
int verify_stays(const struct verify *verify, const struct verify_row *row);

/* 1 when a rule that stays gains by one view and loses more than the margin by the other. */
int verify_is_trade(const struct verify *verify, const struct verify_row *row);

/* Takes the rules of cells that do not stay out of the choices. */
void verify_drop(const struct verify *verify, struct rules_choices *choices);

void verify_clear(struct verify *verify);
