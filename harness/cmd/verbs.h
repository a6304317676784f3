/* SPDX-License-Identifier: BSD-3-Clause */
/* verbs.h - what is typed behind `collsel`: a verb, or a verb and a word. Help, man pages and
 * completion list the rows of this table. A former name (sweep) works as well; where that
 * is not what the table says, a terminal is told the new words. */
#pragma once

#include "harness/cmd/cmd.h"

/* Which list of `collsel help all` has it; the first one is that of `collsel help`. */
enum verb_list { VERBS_FIRST, VERBS_RESEARCH, VERBS_SCRIPTS, VERBS_HIDDEN };

/* A verb stands before its words. */
struct verb {
    const char *name, *word;       /* word NULL: none; --WORD: it may stand among the options */
    const struct command *command; /* NULL: a word is wanted */
    const char *help;              /* NULL: the command's */
    enum verb_list list;
};

/* All, up to one without a name. */
extern const struct verb verbs[];

enum { VERB_TEXT = 32, VERB_WORDS = 128 };

/* The words of a verb: "plan, submit". Returns buf. */
const char *verb_words(const char *name, char buf[VERB_WORDS]);

/* What is typed for the command of this name: "measure" for "sweep". Returns buf, or the name. */
const char *verb_of(const char *command, char buf[VERB_TEXT]);

/* The row of a command line, also by the name of its command; *place: of its word, -1: it has none.
 * NULL: there is no such verb. */
const struct verb *verb_find(int argc, char **argv, int *place);

/* Runs what argv[1] and the words behind it say. Returns the exit status; prints errors itself. */
int verbs_run(int argc, char **argv);
