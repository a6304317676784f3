/* SPDX-License-Identifier: BSD-3-Clause */
/* suggest.h - "did you mean": finds the known name that an unknown word is most likely to mean.
 * Plain values; names are copied.
 *
 * Counts the fewest insertions, deletions, changes and transpositions of letters (optimal string
 * alignment), upper and lower case being the same, and '-' and '_'; at most one for every three
 * letters of the word. A release of a name (openmpi-5.0.3 of openmpi-5) is at no distance. Or the
 * word is the beginning of one name alone. Of equally near ones the first. */
#pragma once

#include "harness/base/base.h"

enum { SUGGEST_NAME = 64, SUGGEST_TEXT = SUGGEST_NAME + 24 };

struct suggest {
    char word[SUGGEST_NAME], name[SUGGEST_NAME]; /* name "": none so far */
    size_t changes;
    char longer[SUGGEST_NAME]; /* a name that begins with the word */
    int n_longer;
    FILE *list; /* where each name is printed that is tried, a line for each, but those that a shell
                   has to quote; NULL: nowhere */
};

/* Starts with no name; word: what was written. */
void suggest_init(struct suggest *m, const char *word);

/* Adds a known name. */
void suggest_try(struct suggest *m, const char *name);

/* The likeliest name; NULL: none is near. */
const char *suggest_name(const struct suggest *m);

/* "; did you mean 'chain'?", or "". Returns buf. */
const char *suggest_text(const struct suggest *m, char buf[SUGGEST_TEXT]);

/* Adds that to an error that is held. Always returns -1. */
int suggest_add(const struct suggest *m, struct err *err);

/* The edit distance of two words: fewest insertions, deletions, changes
 * and transpositions. At most SUGGEST_NAME - 1 letters of each count. */
size_t suggest_changes(const char *a, const char *b);
