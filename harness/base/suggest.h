/* SPDX-License-Identifier: BSD-3-Clause */
/* suggest.h - "did you mean": of the names that there are, the one that a word that is none of them
 * is likely to stand for. Plain values; names are copied.
 *
 * The least number of letters put in, left out, changed or exchanged with their neighbour counts
 * (optimal string alignment), upper and lower case being the same, and '-' and '_'; at most one for
 * every three letters of the word. A release of a name (openmpi-5.0.3 of openmpi-5) is at no
 * distance. Or the word is the beginning of one name alone. Of equally near
 * ones the first. */
#ifndef HARNESS_BASE_SUGGEST_H
#define HARNESS_BASE_SUGGEST_H

#include <stddef.h>

#include "harness/base/err.h"

enum { MEANT_NAME = 64, MEANT_TEXT = MEANT_NAME + 24 };

struct meant {
    char word[MEANT_NAME], name[MEANT_NAME]; /* name "": none so far */
    size_t changes;
    char longer[MEANT_NAME]; /* that begins with the word */
    int n_longer;
};

/* Starts with no name; word: what was written. */
void meant_init(struct meant *m, const char *word);

/* Looks at a name that there is. */
void meant_try(struct meant *m, const char *name);

/* The likeliest name; NULL: none is near. */
const char *meant_name(const struct meant *m);

/* "; did you mean 'bcast'?", or "". Returns buf. */
const char *meant_text(const struct meant *m, char buf[MEANT_TEXT]);

/* Adds that to an error that is held. Always returns -1. */
int meant_add(const struct meant *m, struct err *err);

/* How many letters have to be put in, left out, changed or exchanged with their neighbour to make
 * one word of the other. At most MEANT_NAME - 1 letters of each count. */
size_t meant_changes(const char *a, const char *b);

#endif
