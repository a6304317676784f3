/* SPDX-License-Identifier: BSD-3-Clause */
/* papers.h - claims of the implemented papers, table by table and figure by figure,
 * compared with our results (reference/papers.csv, one row per claim). A row names the
 * study and file of our value and the rule for reproduction; a new claim is one more row.
 * Printed values of a paper are shown and compared, but never an input of computations. */
#pragma once

#include "harness/study/point.h"

enum paper_reduce {
    REDUCE_MEAN,
    REDUCE_MEDIAN,
    REDUCE_LEAST,
    REDUCE_MOST,
    REDUCE_SPREAD,
    REDUCE_OFF
};

enum paper_rule {
    RULE_NONE,     /* does not apply: the note says why */
    RULE_OPEN,     /* not made here yet: the note says what is missing */
    RULE_SETTING,  /* ours is set to theirs and cannot differ: shown, not judged */
    RULE_NEAR,     /* |ours / theirs - 1| <= limit */
    RULE_AT_MOST,  /* ours <= limit, or limit times the other number */
    RULE_AT_LEAST, /* ours >= limit, or limit times the other number */
    RULE_BELOW,    /* ours < limit, or limit times the other number: what is equal is not less */
    RULE_ABOVE     /* ours > limit, or limit times the other number */
};

enum { PAPER_TEXT = 512 };

/* What walks and learners answer: one more where they answer otherwise than before, and what ships
 * is stale. tests/cli/papers.t notices. */
enum { PAPERS_ANSWERS = 1 };

struct paper_claim {
    char paper[NAME_SIZE], item[64];
    char claim[PAPER_TEXT];
    char theirs[64];           /* as printed, a number at its beginning where the rule is near */
    char study[NAME_SIZE * 2]; /* CLUSTER/STUDY, or CLUSTER/DATASET */
    char command[PAPER_TEXT];  /* makes it */
    char file[NAME_SIZE];      /* below the study's directory */
    char where[PAPER_TEXT];    /* COLUMN=VALUE;...: selects the rows that count */
    char column[NAME_SIZE];    /* the number */
    char against[PAPER_TEXT];  /* selects the rows of the other number; "" for none */
    char needs[PAPER_TEXT];    /* the cells that it needs (papers.c) */
    char unit[16];
    char note[PAPER_TEXT];    /* why, where it differs or does not apply */
    enum paper_reduce reduce; /* of the rows that count, one number */
    enum paper_rule rule;
    double limit;
};

enum paper_status {
    PAPER_REPRODUCED,
    PAPER_DIFFERS,
    PAPER_NOT_MADE,
    PAPER_NOT_APPLICABLE,
    PAPER_SETTING
};

struct paper_verdict {
    enum paper_status status;
    double ours, other;  /* NaN: none */
    size_t without;      /* rows that count without a number: then not judged */
    char backend[32];    /* where ours is from: sim, walk, mpirun, ...; "" for none */
    char dir[PATH_SIZE]; /* of the study, below the results; "" for none */
    char commit[64];     /* of the program that measured our value; "": not recorded */
    char shipped[160];   /* ships: day, commit, duration, machine; "": made here */
    int stale;           /* 1: measured by another commit than the judging one; of what ships: of
                            other inputs or answers than there are now */
    char reason[PAPER_TEXT];
};

struct papers {
    struct paper_claim *claim;
    struct paper_verdict *verdict; /* as many, once judged */
    size_t n;
};

/* Rows are struct paper_claim. */
extern const struct schema papers_schema;

/* Reads ASSETS/reference/papers.csv. 0, or -1 with *err and nothing to free. */
int papers_read(const char *assets, struct papers *papers, struct err *err);

/* Looks up all claims below the directory results, and what that does not settle below
 * ASSETS/reference/shipped. Of a measured, a simulated and
 * a walked study the first one available counts. A missing file or row is no error
 * but "not made", with the command that makes it; so are needed cells without a
 * time, with the reason. commit: of this program; results of another commit are
 * judged and marked stale. 0, or -1 with *err: an existing file cannot be read. */
int papers_judge(struct papers *papers, const char *results, const char *assets, const char *commit,
                 struct err *err);

/* "reproduced", "differs", "not made", "not applicable", "setting". */
const char *paper_status_text(enum paper_status status);

size_t papers_count(const struct papers *papers, enum paper_status status);

/* How many verdicts are stale; how many rest on results that ship. */
size_t papers_stale(const struct papers *papers);
size_t papers_shipped(const struct papers *papers);

/* "105 claims: 30 reproduced, ...", for page and terminal. Returns buf. */
const char *papers_counted(const struct papers *papers, char *buf, size_t size);

/* Writes DIR/papers.csv and DIR/index.html, each whole or not at all; DIR is made. 0 or -1. */
int papers_write(const struct papers *papers, const char *assets, const char *dir, struct err *err);

void papers_clear(struct papers *papers);
