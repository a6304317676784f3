/* SPDX-License-Identifier: BSD-3-Clause */
/* verify.h - what a file of rules gains: the library's default without the file beside the same
 * with it, launch by launch.
 *
 * Both were measured as a study is, into a directory each, in rounds of one launch of each; so a
 * round is a pair under the same conditions. Its gain in a cell is by how much longer the default
 * takes without the file, with the ends of both medians' intervals for its own.
 *
 * First the file with all choices is tried, in the cells for which it has a rule: a cell keeps its
 * rule where the lower end is above a margin in two launches and in most, and the upper end in none
 * is a loss; where something else ran than the rule says, it does not. Whose time counts, the
 * slowest rank's or the mean over ranks, is a view; with both, the slowest rank's decides, and the
 * other must not lose more than the margin.
 *
 * Then the file of what was kept is measured as a whole, in launches of its own: all cells, also
 * those without a rule. What was kept for seeming fast is estimated too well by the launches that
 * kept it (the winner's curse); the second ones chose nothing, so their means are what to expect.
 * What loses there goes, too. Cells in which the same runs on both sides tell how often two
 * launches of one thing look different. Owns its rows. */
#ifndef ANALYSIS_VERIFY_VERIFY_H
#define ANALYSIS_VERIFY_VERIFY_H

#include "analysis/advise/tuning.h"

/* Whose time of a call counts. */
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
    VERIFY_UNSURE,  /* not above the margin in two launches and in most, or one loses; of a whole
                       file the rule stays all the same, as it was sure before */
    VERIFY_TRADES,  /* gains by the slowest rank, and by the mean over ranks loses more than the
                       margin in most launches */
    VERIFY_LOSES,   /* in most launches the file makes it slower */
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
    int told;                         /* of these those in which both have an interval */
    int sure, lost;                   /* by the view: gain above the margin; file is slower */
    int suffers;                      /* the other view loses more than the margin */
    struct verify_gain slowest, mean; /* by the slowest rank's time of a call; by the ranks' mean */
    int proved, other;   /* launches in which that ran which the rule says, or without one the same
                            as without the file; something else */
    char ran[NAME_SIZE]; /* with the file; "": nobody knows */
    enum verify_verdict verdict;
};

/* The mean gain of some cells: of the logarithm of the ratio, by the view. */
struct verify_mean {
    size_t n; /* cells */
    struct verify_gain gain;
};

struct verify {
    struct verify_row *row;
    size_t n;
    int whole;             /* 1: of all cells, by what a trial had kept */
    enum verify_view view; /* by which was judged */
    size_t verdicts[N_VERIFY_VERDICTS];
    struct verify_mean
        with_rule; /* with a rule: of a trial, that stays; of a whole file, or goes */
    /* of a whole file */
    struct verify_mean untied;    /* in which the trial had shown the default to be slower for sure,
                                     with a rule now or without */
    struct verify_mean all, bare; /* all; those without a rule */
    size_t worse, untold; /* slower for sure in most launches, with a rule or without; in most
                             launches without an interval */
    size_t same, same_faster, same_slower; /* launches in which the same ran without and with the
                                              file for sure; of these those that look otherwise */
};

extern const struct schema verify_schema, verify_whole_schema;

/* What is asked. Borrowed. */
struct verify_question {
    const char *without, *with;  /* the directories of both measurements */
    const struct rules *file;    /* that was measured */
    const struct tuning *tuning; /* what it was made of */
    double margin_pct;
    enum verify_view view;
    const struct verify *tried; /* NULL: this is the trial; else it, and the file is what it kept */
};

/* Takes out choices that say what the library's default ran by itself when the study in DIR was
 * measured: they gain nothing, whatever their times seem to be. *n: how many. 0, or -1 with *err.
 */
int verify_forget(const char *dir, struct tuning *tuning, size_t *n, struct err *err);

/* The cells of the tuning for which the file has a rule: what a trial measures. */
int verify_wants(const struct rules *file, const struct tuning *tuning, const struct cell *cell,
                 struct candidate *take);

/* Reads both directories. 0, or -1 with *err and nothing to clear. */
int verify_make(const struct verify_question *question, struct verify *out, struct err *err);

/* Eight hex digits of what is chosen where, for the name of a trial. */
void verify_digest(const struct tuning *tuning, char digest[16]);

/* 1 when the rule of a cell stays. */
int verify_stays(const struct verify *verify, const struct verify_row *row);

/* 1 when a rule that stays gains by one view and loses more than the margin by the other. */
int verify_is_trade(const struct verify *verify, const struct verify_row *row);

/* Takes the rules of cells that do not stay out of the choices. */
void verify_drop(const struct verify *verify, struct rules_choices *choices);

/* Writes DIR/verify.csv, of a whole file DIR/whole.csv. 0, or -1 with *err. */
int verify_write(const char *dir, const char *backend, const struct verify *verify,
                 struct err *err);

/* Frees what it holds. */
void verify_clear(struct verify *verify);

#endif
