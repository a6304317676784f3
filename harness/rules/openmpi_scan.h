/* SPDX-License-Identifier: BSD-3-Clause */
/* openmpi_scan.h - how Open MPI takes its files of rules apart
 * (ompi/mca/coll/base/coll_base_util.c): one number or word after the other with scanf, whatever
 * the lines; where there is none, it skips one character; # begins a comment. Skipped characters,
 * and misleading input, are reported. */
#pragma once

#include "harness/rules/rules.h"

struct scan {
    FILE *in;
    const char *text;
    size_t len;
    struct rules_findings *found;
    int line;            /* of what was read last */
    size_t seen, behind; /* text whose lines were counted; end of the last token */
    int lines, strange;  /* strange: line of the last skipped character */
};

/* A text of len bytes, which stays the caller's until s->in is closed. */
void scan_begin(struct scan *s, char *text, size_t len, struct rules_findings *found);

/* The next number, in any base: 1, or 0 at the end, where s->line is the last line. */
int scan_number(struct scan *s, long *value);

/* The same of a size, which is decimal; one below 0 comes out very large. */
int scan_size(struct scan *s, uint64_t *value);

/* The next word, or its first 32 characters: the rest is the next one. */
enum { SCAN_WORD = 33 };
int scan_word(struct scan *s, char word[SCAN_WORD]);

/* 1: the next character after blanks, newlines and comments is
 * `wanted`, and is consumed. 0: another one. -1: none left. */
int scan_character(struct scan *s, int wanted);
