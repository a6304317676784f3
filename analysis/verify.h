/* SPDX-License-Identifier: BSD-3-Clause */
/* verify.h - what a file of rules gains: the library's default without the file beside the same
 * with it, launch by launch, in the cells for which it has a rule.
 *
 * Both were measured as a study is, into a directory each, in rounds of one launch of each; so a
 * round is a pair under the same conditions. Its gain in a cell is by how much longer the default
 * takes without the file, with the ends of both medians' intervals for its own. A cell keeps its
 * rule where the lower end is above a margin in two launches and in most, and the upper end in none
 * is a loss; where something else ran than the rule says, it does not. Owns its rows. */
#ifndef ANALYSIS_VERIFY_H
#define ANALYSIS_VERIFY_H

#include "analysis/tuning.h"

enum verify_verdict {
    VERIFY_KEPT,
    VERIFY_UNSURE,  /* not above the margin in two launches and in most, or one loses */
    VERIFY_LOSES,   /* in most launches the file makes it slower */
    VERIFY_OTHER,   /* something else ran than the rule says */
    VERIFY_MISSING, /* fewer than two rounds have times of both */
    N_VERIFY_VERDICTS
};

/* "kept", "unsure", "loses", "other", "missing". */
extern const char *const verify_words[];

struct verify_gain {
    double pct, low_pct, high_pct; /* the median over rounds, and its interval; NaN: not known */
};

struct verify_row {
    struct cell cell;
    struct candidate take;
    int rounds, sure, lost; /* with times of both; gain above the margin; file is slower */
    struct verify_gain slowest, mean; /* by the slowest rank's time of a call; by the ranks' mean */
    int proved, other;                /* launches in which that ran which the rule says; other */
    char ran[NAME_SIZE];              /* with the file; "": nobody knows */
    enum verify_verdict verdict;
};

struct verify {
    struct verify_row *row;
    size_t n;
    size_t verdicts[N_VERIFY_VERDICTS];
    double kept_pct; /* by how much longer the default takes where rules are kept, by the slowest
                        rank: by the mean over cells of the logarithm of the ratio; NaN: none is */
};

extern const struct schema verify_schema;

/* The cells of the tuning for which the file has a rule: what is to be measured. */
int verify_wants(const struct rules *file, const struct tuning *tuning, const struct cell *cell,
                 struct candidate *take);

/* Reads both directories. 0, or -1 with *err and nothing to clear. */
int verify_make(const char *without, const char *with, const struct rules *file,
                const struct tuning *tuning, double margin_pct, struct verify *out,
                struct err *err);

/* Eight hex digits of what is chosen where, for the name of a trial. */
void verify_digest(const struct tuning *tuning, char digest[16]);

/* Takes the rules of cells that are not kept out of the choices. */
void verify_drop(const struct verify *verify, struct rules_choices *choices);

/* Writes DIR/verify.csv. 0, or -1 with *err. */
int verify_write(const char *dir, const char *backend, const struct verify *verify,
                 struct err *err);

/* Frees what it holds. */
void verify_clear(struct verify *verify);

#endif
