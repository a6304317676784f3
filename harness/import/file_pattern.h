/* SPDX-License-Identifier: BSD-3-Clause */
/* file_pattern.h - values in the name of a file: "{algorithm}-{procs}.txt". */
#pragma once

#include "harness/import/rows.h"

/* Checks a pattern: text with {ROLE}, {run} for the number of a run
 * (files differ by run), or {*} for ignored text. 0, or -1 with *err. */
int path_pattern_check(const char *pattern, struct err *err);

/* 1 when the end of a path matches; also when memory runs out. */
int pattern_fits(const char *pattern, const char *path);

/* Matches the end of a path, of as many parts as the pattern has; each {ROLE} takes as little as
 * makes the rest match. Fills told, which borrows *words (to be freed). 0, or -1 with *err
 * (the name does not fit). */
int pattern_match(const char *pattern, const char *path, struct source_row *told, char **words,
                  struct err *err);
