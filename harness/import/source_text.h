/* SPDX-License-Identifier: BSD-3-Clause */
/* source_text.h - reads the text of an external source line by line: damage is reported, not fatal.
 *
 * UTF-16 with a byte order mark becomes bytes (what is not ASCII a '?'), the mark of UTF-8 is
 * dropped; lines end in LF or CRLF, or in CR where the whole file has no LF. Owns its bytes. */
#pragma once

#include "harness/base/base.h"

enum { MAX_FIELDS = 128 };

struct text {
    char *data;
    size_t len, at;
    size_t lines;         /* passed so far */
    size_t bytes;         /* of the file as it is */
    uint64_t digest;      /* of the file as it is */
    const char *encoding; /* "" plain; "UTF-8 with a mark", "UTF-16" */
    char end;             /* '\n' or '\r' */
};

/* A line without its end, NUL-terminated in place; valid until the text is closed. */
struct line {
    char *text;
    size_t len;
    size_t number;  /* from 1 */
    int unended;    /* the file ends within it */
    int unreadable; /* control characters, NUL among them, or bytes that are not UTF-8 */
};

/* Reads a file. 0, or -1 with *err (no such file). */
int text_open(struct text *text, const char *path, struct err *err);

/* Steps to the next line: 1, or 0 at the end. */
int text_next(struct text *text, struct line *line);

/* Copies the first bytes of a text before any line of it was taken; returns buf. */
const char *text_head(const struct text *text, char *buf, size_t size);

void text_close(struct text *text);

/* Splits a line in place at a separator; blanks around fields are cut, quotes may surround one and
 * are doubled within. Returns the number of fields, at most `most`; more are counted and not given.
 * (size_t)-1: a quote that does not end. */
size_t split_separated(char *line, char separator, char **field, size_t most);

/* Splits a line in place at runs of blanks and tabs. */
size_t split_blanks(char *line, char **field, size_t most);

/* The separator that a header line uses: the most frequent of , ; tab; ',' where there is none. */
char find_separator(const char *line);

/* Equal but for the case of letters (ASCII). */
int same_word(const char *a, const char *b);
